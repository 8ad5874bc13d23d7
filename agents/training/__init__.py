"""Training: the command, what it needs, logs to learn from, and runs of several processes."""
