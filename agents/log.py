"""The log of one agent process: one JSON object a line.  structlog is imported only here."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Log(Protocol):
    """What the rest of the package asks of a log; event names are constants, data are fields."""

    def info(self, event: str, **fields: Any) -> Any:
        """Record that something happened."""

    def warning(self, event: str, **fields: Any) -> Any:
        """Record that something went wrong."""


@contextmanager
def open_log(path: Path, **bound: Any) -> Iterator[Log]:
    """Append to the log at `path` while the context lasts; each line carries the `bound` fields.

    Raises:
        OSError: the file cannot be opened.
    """
    import structlog

    with path.open("a", encoding="utf-8", buffering=1) as file:
        logger = structlog.wrap_logger(
            structlog.WriteLogger(file),
            processors=[
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                structlog.processors.JSONRenderer(),
            ],
            wrapper_class=structlog.BoundLogger,
        )
        yield cast("Log", logger.bind(**bound))
