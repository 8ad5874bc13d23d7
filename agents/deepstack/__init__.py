"""Solved situations, and value networks that learn from them."""
