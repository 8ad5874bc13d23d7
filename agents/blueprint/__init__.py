"""A Slumbot-style blueprint: an approximate equilibrium of an abstract game, looked up in play."""
