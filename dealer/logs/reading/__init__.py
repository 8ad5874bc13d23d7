"""Logs opened and read: which files, which game, hand by hand, and which hands are wanted."""
