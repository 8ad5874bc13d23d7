"""What an opponent may hold: weights, and what its actions say about them."""
