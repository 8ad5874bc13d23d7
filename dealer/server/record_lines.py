"""The lines of a log or transaction file, read in constant memory.

A disk that lost power may leave gigabytes of zeros, and a file may be a pipe or a device, which
have no end or cannot be read again.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from dealer.server.endings import Ending, error_ending

_CHUNK_BYTES: Final = 1 << 20
LONGEST_BYTES: Final = 1 << 16
"""Of a line; a dealer writes no longer one."""


def record_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file without line end; a last one that is torn is left out.

    A missing or special file has no lines. A line too long to be a dealer's is cut, with a NUL byte
    behind it, which no dealer's line has either.

    Raises:
        MatchStopped: the file cannot be read.
    """
    try:
        with open(path, "rb", opener=_open_at_once) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return
            while (line := file.readline(LONGEST_BYTES)).endswith(b"\n"):
                yield line[:-1]
            if line and _goes_on(file):
                yield line[:100] + b"\0"
    except (FileNotFoundError, IsADirectoryError):
        return
    except OSError as error:
        words = f"could not read {path}: {error.strerror}"
        raise error_ending(Ending.ERROR, words) from error


def _open_at_once(path: str, flags: int) -> int:
    """Open a file; a pipe without waiting for its writer."""
    return os.open(path, flags | os.O_NONBLOCK)


def _goes_on(file: BinaryIO) -> bool:
    """Return whether the rest of a file has a line end."""
    while chunk := file.read(_CHUNK_BYTES):
        if b"\n" in chunk:
            return True
    return False
