"""Hand strength and run-outs."""
