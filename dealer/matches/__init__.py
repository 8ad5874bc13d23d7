"""The match runner: plays bots against each other in duplicate and reports the result."""
