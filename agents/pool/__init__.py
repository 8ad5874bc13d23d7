"""Opponents worth modelling: simple characters over tightness and aggression, and measures."""
