"""What the opponent may hold."""
