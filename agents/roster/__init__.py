"""The roster: bots and whole strategies by their names and options, and legs between them."""
