"""Legs: bots play some hands in one seating, in a folder of files; how it ended."""
