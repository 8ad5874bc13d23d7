"""Standard output and error without Python's buffers: one write to the system for one text."""

import contextlib
import os


def to_stderr(text: str | bytes) -> None:
    """Write to stderr in one piece."""
    _to(2, text)


def to_stdout(text: str) -> None:
    """Write to stdout in one piece."""
    _to(1, text)


def _to(descriptor: int, text: str | bytes) -> None:
    """Write everything; a reader that went away is no reason to stop a match."""
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    view = memoryview(data)
    with contextlib.suppress(OSError):
        while view:
            view = view[os.write(descriptor, view) :]


def fill_standard_streams() -> None:
    """Open the null device for each standard stream that was closed.

    Otherwise the next file opened would take its number, and the port line land in the log.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
