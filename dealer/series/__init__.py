"""Legs that bots play: who meets whom, what is next, where it lies, and how each leg ended."""
