"""What players are likely to do, by counters and by models that were trained."""
