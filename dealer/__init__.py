"""The dealer, the match runner and the log tools."""
