"""Solving the rest of a hand at the table: root gadgets, depth limits, values of a profile."""
