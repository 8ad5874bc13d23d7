"""A network as a player: what it remembers of a match, what it is told, and what it does."""
