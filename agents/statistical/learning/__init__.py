"""Trains what the modeller reads opponents by, from match logs."""
