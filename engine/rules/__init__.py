"""Game rules."""
