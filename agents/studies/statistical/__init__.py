"""`arena statistical`: what the modeller wins, knows and holds."""
