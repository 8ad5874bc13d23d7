"""Solved situations, from which value networks learn."""
