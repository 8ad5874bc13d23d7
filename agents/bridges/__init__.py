"""Bridges: bots that are no ACPC agents, of other libraries or on standard input, at our tables."""
