"""Hand histories: `arena convert` writes those of one format in another."""
