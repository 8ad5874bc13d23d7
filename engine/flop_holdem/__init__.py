"""Flop hold'em, which is over after the flop's betting, solved whole; no asyncio, no torch."""
