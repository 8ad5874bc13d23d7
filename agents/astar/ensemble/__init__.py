"""Blending: how much the opponent is like each known one, and whose counter-strategy to play."""
