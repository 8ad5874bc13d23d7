"""Tournaments: many bots, each pairing in duplicate, with a ledger and standings."""
