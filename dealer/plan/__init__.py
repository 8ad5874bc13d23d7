"""One match or dealer as a value: typed, to and from command lines and JSON."""
