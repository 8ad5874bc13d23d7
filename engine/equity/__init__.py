"""What hands and ranges win: exact and sampled equity, potential, all-in expectation, tables."""
