"""Training: the command, what it needs, and runs of several processes."""
