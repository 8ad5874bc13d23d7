"""Hands played without a network: bot by bot, or compiled, hundreds of thousands a second."""
