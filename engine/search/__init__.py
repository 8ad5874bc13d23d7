"""Solving the rest of a hand at the table: sessions, gadgets, depth limits, values of a profile."""
