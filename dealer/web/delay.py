"""Spectators some seconds behind: how far a log may be read that is being written."""

import threading
import time
from collections import deque
from pathlib import Path
from typing import Final


class Delay:
    """Knows where logs ended some seconds ago, from where they ended whenever somebody asked.

    So it may tell less than there was by then, and never more.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds: Final = seconds
        self._lock: Final = threading.Lock()
        self._ends: Final[dict[tuple[Path, int], deque[tuple[float, int]]]] = {}
        """Of each file that stood, or stands, in the place of a log."""

    def end(self, log: Path) -> int:
        """Return how many bytes of a log may be read by now.  Raises OSError: it is gone."""
        with self._lock:  # a thread that has looked before others did has not found another file
            found = log.stat()
            now = time.time()
            ends = self._ends.setdefault((log, found.st_ino), deque([(0.0, 0)]))
            if found.st_size < ends[-1][1]:  # another file than before
                ends.clear()
                ends.append((0.0, 0))
            if found.st_size > ends[-1][1]:
                ends.append((max(found.st_mtime, ends[-1][0]), found.st_size))
            while len(ends) > 1 and ends[1][0] <= now - self._seconds:
                ends.popleft()
            return ends[0][1]
