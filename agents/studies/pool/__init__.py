"""`arena pool`: what bots win from each other, what they do, and duels of two."""
