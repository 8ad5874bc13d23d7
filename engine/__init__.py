"""Poker rules, showdown and evaluation.  Synchronous; no sockets."""
