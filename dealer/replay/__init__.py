"""arena replay: showing, verifying and converting match logs."""

from dealer.replay.command import main

__all__ = ["main"]
