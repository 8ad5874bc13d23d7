"""The server's own log: a line of JSON for each thing that happens, for operators."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import structlog


class ServerLog:
    """Appends events to a file, and never a token."""

    def __init__(self, path: Path) -> None:
        """Open the file.  Raises OSError."""
        self._file = path.open("a", encoding="utf-8", buffering=1)
        self._logger = structlog.wrap_logger(
            structlog.WriteLogger(self._file),
            processors=[
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                structlog.processors.JSONRenderer(),
            ],
            wrapper_class=structlog.BoundLogger,
        )

    def tell(self, event: str, **facts: Any) -> None:
        """Note an event; where it cannot be written, nothing else is to suffer."""
        with contextlib.suppress(OSError):
            self._logger.info(event, **facts)

    def error(self, line: str) -> None:
        """Note an error of ours, likewise."""
        with contextlib.suppress(OSError):
            self._logger.error("error", detail=line)

    def close(self) -> None:
        """Close the file."""
        with contextlib.suppress(OSError):
            self._file.close()
