"""Poker without a network: rules, showdowns, solving and measuring.  Synchronous; no sockets."""
