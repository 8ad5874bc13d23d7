"""Where things are kept that can be made anew at any time."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder for what can be made anew at any time; it need not exist.

    ARENA_CACHE_DIR, or .cache/acpc-arena in the user's home.

    Raises:
        RuntimeError: the variable is not set and the user has no home.
    """
    named = os.environ.get("ARENA_CACHE_DIR")
    return Path(named) if named else Path.home() / ".cache" / "acpc-arena"
