"""Standard output and error without Python's buffers: one write to the system for one text."""

import contextlib
import os
from dataclasses import dataclass
from typing import Final

STDERR_DESCRIPTOR: Final = 2


def to_stderr(text: str | bytes) -> None:
    """Write to stderr in one piece."""
    _to(STDERR_DESCRIPTOR, text)


def to_stdout(text: str | bytes) -> None:
    """Write to stdout in one piece."""
    _to(1, text)


@dataclass(frozen=True, slots=True)
class StandardStreams:
    """Standard output and error as one match of a dealer uses them."""

    label: str = ""
    """What every line begins with: nothing, or which of several matches says it."""

    def out(self, text: str) -> None:
        """Write lines to stdout in one piece."""
        to_stdout(self._labelled(text))

    def err(self, text: str | bytes) -> None:
        """Write lines to stderr in one piece."""
        to_stderr(self._labelled(text))

    def _labelled(self, text: str | bytes) -> str | bytes:
        """Return the text with the label; then its last line is always ended."""
        if not self.label:
            return text
        label, lines = _encoded(self.label), _encoded(text).removesuffix(b"\n").split(b"\n")
        return b"".join(b"%b%b\n" % (label, line) for line in lines)


def _encoded(text: str | bytes) -> bytes:
    return text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text


def _to(descriptor: int, text: str | bytes) -> None:
    """Write everything; a reader that went away must not stop a match."""
    view = memoryview(_encoded(text))
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
