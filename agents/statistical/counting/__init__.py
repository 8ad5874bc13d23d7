"""What is counted of an opponent, and remembered."""
