"""What torchrun told this process when it started it; no library is needed to read that."""

from __future__ import annotations

import os


def processes() -> int:
    """Return how many processes torchrun has started for this command; 1 without it."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def is_first_rank() -> bool:
    """Return whether this process speaks for all."""
    return processes() == 1 or int(os.environ.get("RANK", "0")) == 0


def processes_here() -> int:
    """Return how many of them share this machine."""
    return int(os.environ.get("LOCAL_WORLD_SIZE", "1"))
