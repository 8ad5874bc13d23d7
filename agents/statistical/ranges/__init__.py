"""What an opponent may hold: strengths, weights, and what its actions say about them."""
