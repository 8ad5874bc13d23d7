"""Logs verified line by line, against their seed and against the transaction file beside them."""
