"""Whether there is room for what a match writes: without it matches would begin, and break off."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

_MATCH_BYTES: Final = 1 << 20


def writing_fault(folder: Path) -> str:
    """Return why nothing of size can be written to a folder now, "" where that works."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            os.posix_fallocate(file.fileno(), 0, _MATCH_BYTES)
    except OSError as error:
        return error.strerror or str(error)
    return ""
