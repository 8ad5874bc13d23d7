"""The structured log: one JSON object a line, written only when asked for.

Event names are constants, everything else is a field: `connected`, `reply` (the fate of every line
an agent sent, comments left out: see `dealer.server.judge`), `hand_over`, `lost`, `reconnected`,
`refused` (a newcomer who may not take a lost seat), `waiting`, and at the end, whatever it is,
`match_over`.
"""

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dealer.server.endings import Ending, stopped

if TYPE_CHECKING:
    from io import TextIOWrapper


class EventLog:
    """A structured log file; a null object when no path is given."""

    def __init__(self, path: Path | None) -> None:
        """Open the file for appending.  Raises MatchStopped when it cannot be opened."""
        self.enabled = path is not None
        """False when events go nowhere, so that callers can skip making them."""
        self._file: TextIOWrapper | None = None
        self._logger: Any = None
        if path is None:
            return
        import structlog

        try:
            self._file = path.open("a", encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            words = f"could not open event file {path}: {error.strerror}"
            raise stopped(Ending.ERROR, words) from error
        self._logger = structlog.wrap_logger(
            structlog.WriteLogger(self._file),
            processors=[
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                structlog.processors.JSONRenderer(),
            ],
        )

    def emit(self, event: str, **fields: object) -> None:
        """Write one event.  Raises MatchStopped when the disk refuses."""
        if self._logger is None:
            return
        try:
            self._logger.info(event, **fields)
        except OSError as error:
            words = f"could not write event file: {error.strerror}"
            raise stopped(Ending.ERROR, words) from error

    def close(self) -> None:
        """Flush and close."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()
