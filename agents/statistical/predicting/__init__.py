"""How likely the opponent is to do what."""
