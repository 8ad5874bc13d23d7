"""What keeps a log from being read, and what is wrong with single hands in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

_SHOWN: Final = 20


class LogError(Exception):
    """A log, or the game it needs, cannot be used; the text is one clear line."""


class Complaints:
    """Counts hands that cannot be used, and tells of the first ones."""

    def __init__(self, tell: Callable[[str], None], done: str = "left out") -> None:
        """Begin with none; `done` is what becomes of the lines."""
        self._tell = tell
        self._done = done
        self.count = 0

    def add(self, where: str, reason: object) -> None:
        """Tell what becomes of the line at `where` ("file:line"), and why."""
        self.count += 1
        if self.count <= _SHOWN:
            self._tell(f"{where}: {self._done}: {reason}")

    def finish(self) -> None:
        """Tell how many more there were than were shown."""
        if self.count > _SHOWN:
            self._tell(f"... and {self.count - _SHOWN:,} more lines {self._done}")
