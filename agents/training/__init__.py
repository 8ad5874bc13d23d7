"""Training: the command, folders of runs, logs to learn from, several processes, actor-critic."""
