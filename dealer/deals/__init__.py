"""Deals for others to play: of a seed, of logs or of one seat in them, or spread over all flops."""
