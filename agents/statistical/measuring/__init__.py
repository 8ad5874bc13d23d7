"""Measures what the modeller wins, knows and holds."""
