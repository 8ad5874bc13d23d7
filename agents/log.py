"""The log of one agent process: one JSON object a line.  structlog is imported only here."""

from __future__ import annotations

import os
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, Protocol, TextIO, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


class Log(Protocol):
    """What the rest of the package asks of a log; event names are constants, data are fields."""

    def info(self, event: str, **fields: Any) -> Any:
        """Record that something happened."""

    def warning(self, event: str, **fields: Any) -> Any:
        """Record that something went wrong."""


class _Lines:
    """The file of a log.  A line that cannot be written ends the log, not the match."""

    def __init__(self, path: Path, notice: Callable[[str], None]) -> None:
        self._path = path
        self._notice = notice
        self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        self._failed = False

    def write(self, text: str) -> None:
        data = text.encode("utf-8", "backslashreplace")
        while data and not self._failed:
            try:
                data = data[os.write(self._descriptor, data) :]
            except OSError as error:
                self._failed = True
                self._notice(f"cannot write {self._path}: {error.strerror}; no more is logged")

    def flush(self) -> None:
        """Do nothing: what is written is in the file."""

    def close(self) -> None:
        os.close(self._descriptor)


@contextmanager
def open_agent_log(path: Path, notice: Callable[[str], None], **bound: Any) -> Iterator[Log]:
    """Append to the log at `path` while the context lasts.

    Args:
        path: of the file, which is made if it is not there.
        notice: gets a line of text for the user if the file can be written no more, because the
            disk is full, say; what is logged after that is lost.

    Raises:
        OSError: the file cannot be opened.
    """
    import structlog

    with closing(_Lines(path, notice)) as lines:
        logger = structlog.wrap_logger(
            structlog.WriteLogger(cast("TextIO", lines)),
            processors=[
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                structlog.processors.JSONRenderer(),
            ],
            wrapper_class=structlog.BoundLogger,
        )
        yield cast("Log", logger.bind(**bound))
