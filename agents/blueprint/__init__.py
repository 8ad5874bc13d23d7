"""The blueprint bot: an approximate equilibrium of an abstract game, as Slumbot's; its training."""
