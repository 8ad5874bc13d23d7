"""One hand of a log: its line read and settled, and what can be wrong with it."""
