"""Blending: how similar the opponent is to each known one, and whose counter-strategy to play."""
