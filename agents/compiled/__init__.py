"""Compiled policies seated as bots."""
