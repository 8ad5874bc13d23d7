"""`arena deals`: writes deals files, of a seed, of logs, or spread evenly over all flops."""
