"""Bots at a dealer: what a BOT argument names, how its program starts and ends, what it writes."""
