"""Spectators some seconds behind: how far a log may be read that is being written."""

import io
import os
import threading
import time
from collections import deque
from pathlib import Path
from typing import Final, NamedTuple

from engine.handlogs.source.opening import open_at_once

_TAIL_BYTES: Final = 1 << 12


class _SeenEnd(NamedTuple):
    when: float
    """Not before what precedes it was written."""
    size: int
    tail: bytes
    """The last bytes before it, by which another match in the same file is told."""


_START: Final = _SeenEnd(0.0, 0, b"")


class Delay:
    """Knows where logs ended some seconds ago, from where they ended whenever somebody asked.

    So it may tell less than there was by then, and never more.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds: Final = seconds
        self._lock: Final = threading.Lock()
        self._ends: Final[dict[tuple[Path, int], deque[_SeenEnd]]] = {}
        """Of each file that stood, or stands, in the place of a log."""

    def end(self, log: Path) -> int:
        """Return how many bytes of a log may be read by now.  Raises OSError: it is gone."""
        with self._lock, io.FileIO(log, opener=open_at_once) as file:
            found = os.fstat(file.fileno())
            now = time.time()
            ends = self._ends.setdefault((log, found.st_ino), deque([_START]))
            latest = ends[-1]
            while ends and _tail(file, ends[-1].size) != ends[-1].tail:
                ends.pop()
            if not ends:
                ends.append(_START)
            if found.st_size > ends[-1].size:
                tail = _tail(file, found.st_size)
                written = os.fstat(file.fileno()).st_mtime if ends[-1] is latest else now
                ends.append(_SeenEnd(max(written, ends[-1].when), found.st_size, tail))
            while len(ends) > 1 and ends[1].when <= now - self._seconds:
                ends.popleft()
            return ends[0].size


def _tail(file: io.FileIO, size: int) -> bytes:
    start = max(0, size - _TAIL_BYTES)
    return os.pread(file.fileno(), size - start, start) if size else b""
