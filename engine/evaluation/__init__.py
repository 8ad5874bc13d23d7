"""Win rates and player statistics."""
