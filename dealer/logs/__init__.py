"""arena replay: showing, verifying and converting match logs."""

from dealer.logs.command import main

__all__ = ["main"]
