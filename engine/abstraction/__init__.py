"""Fewer hands: buckets of cards, how they are made, kept and looked up."""
