"""Training: the command, and runs of several processes."""
