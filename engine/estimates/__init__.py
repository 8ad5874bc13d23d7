"""Means of samples with their 95 % intervals: win rates."""
