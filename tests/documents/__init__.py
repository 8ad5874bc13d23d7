"""Writes the tables of README and docs from what the measurements wrote."""
