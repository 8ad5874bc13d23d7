"""Logs counted: fed to tallies, whatever their game, and the tables of statistics."""
