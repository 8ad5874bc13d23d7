"""Whom a leg waits for, as its match runner sees it."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Final

from dealer.server.waits import Wait, read_board

_SHORT_SECONDS: Final = 1.0
"""A start of the dealer that is worth no word."""


class WaitView:
    """The board of a leg's dealer, a file without a name that is gone when both have closed it."""

    def __init__(self, folder: Path, start_seconds: float) -> None:
        """Make the board.

        Raises:
            OSError: it cannot be made.
        """
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115
        self._since = time.monotonic()
        self._start_seconds = start_seconds
        self.started = False
        """True once the dealer has said its ports."""
        self._stopped_at: float | None = None

    @property
    def board(self) -> int:
        """The open file, for the dealer."""
        return self._file.fileno()

    def close(self) -> None:
        """Give the board up."""
        self._file.close()

    def wait(self) -> Wait | None:
        """Return whom the leg waits for, None for nobody or not yet long."""
        if self.started:
            return read_board(self.board)
        if time.monotonic() - self._since < _SHORT_SECONDS:
            return None
        until = self._since + self._start_seconds
        return Wait("the dealer", "to start", self._since, until)

    def stopped(self) -> None:
        """Let the leg's time end now: what is read later was waited for until then."""
        self._stopped_at = time.monotonic()

    def told(self) -> str:
        """Return it in words, "" for nobody."""
        wait = self.wait()
        now = time.monotonic() if self._stopped_at is None else self._stopped_at
        return "" if wait is None else wait.told(now)
