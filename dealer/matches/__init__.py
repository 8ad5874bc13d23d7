"""`arena match`: plays bots against each other in duplicate; the legs in turn, the result."""
