"""Solving the rest of a hand at the table: gadgets at the root, values of a profile, the search."""
