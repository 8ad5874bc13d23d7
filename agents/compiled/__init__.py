"""Compiled policies at a table: as bots."""
