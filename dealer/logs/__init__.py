"""Match logs: `arena replay` shows, verifies and converts them, `arena stats` counts."""

from dealer.logs.command import main

__all__ = ["main"]
