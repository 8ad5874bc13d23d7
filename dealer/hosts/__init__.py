"""Several machines that play the legs of one schedule, and meet at torch.distributed's store."""
