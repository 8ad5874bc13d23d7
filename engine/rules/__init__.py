"""The rules: deals, states of a hand, pots, replies, and what a player may see."""
