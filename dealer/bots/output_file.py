"""What a bot writes to its standard output or error, in a file that does not grow without end.

The bot writes to the file itself: nothing stands between that could be full, slow or gone.  Every
now and then the runner looks at the size and takes the middle out of a file that is too long.  So
a file may be longer for a moment, by what the bot can write between two looks.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from engine.console.output import printable

MOST_BYTES: Final = 10 << 20
"""Of a file, from one play of a leg."""
LOOK_SECONDS: Final = 0.2
HASTY_SECONDS: Final = 0.02
"""How often to look at the files, and how soon again when one was too long."""
_HEAD_BYTES: Final = 4 << 20
_TAIL_BYTES: Final = 2 << 20
"""How much of the beginning and of the end is left when the middle is taken out."""
_SHOWN_BYTES: Final = 4096
_SHOWN_LINES: Final = 12
"""Of the end of a file that is shown."""
_LINE_BYTES: Final = 1 << 16
"""How far a cut is moved so that it falls between two lines."""


class OutputFile:
    """A file that a bot appends to."""

    def __init__(self, path: Path) -> None:
        """Note how long the file is before the bot starts."""
        self.path = path
        self.start = size_on_disk(path)
        """Size before this play of the leg, bytes."""
        self._head_end = 0
        self._note_end = 0
        self._left_out = 0

    def keep_short(self) -> bool:
        """Take the middle out if the file is too long; return whether it was.

        A file that cannot be opened is left alone.
        """
        try:
            if size_on_disk(self.path) - self.start <= MOST_BYTES:
                return False
            with self.path.open("r+b", buffering=0) as file:
                self._shorten(file.fileno())
        except OSError:
            return False
        return True

    def tail(self) -> tuple[str, ...]:
        """Return the last lines of this play."""
        return tail_of(self.path, self.start)

    def remove_if_empty(self) -> None:
        """Leave no file that says nothing."""
        if self.path.exists() and size_on_disk(self.path) == 0:
            self.path.unlink()

    def _shorten(self, file: int) -> None:
        """Write note and tail over the middle, then cut; what is appended meanwhile moves along.

        Only what arrives between the last look at the size and the cut, microseconds, is lost.
        """
        if not self._note_end:
            cut = self.start + _HEAD_BYTES
            window = os.pread(file, _LINE_BYTES, cut - _LINE_BYTES)
            newline = window.rfind(b"\n") + 1
            self._head_end = self._note_end = cut - len(window) + newline if newline else cut
        size = os.fstat(file).st_size
        tail_start = size - _TAIL_BYTES
        window = os.pread(file, _LINE_BYTES, tail_start)
        tail_start += window.find(b"\n") + 1
        self._left_out += tail_start - self._note_end
        note = f"\n[arena match left out {self._left_out:,} bytes here]\n".encode()
        to = _write(file, note, self._head_end)
        self._note_end = to
        while to < self._note_end + 2 * _TAIL_BYTES:  # it may come as fast as it is copied
            data = os.pread(file, _LINE_BYTES, tail_start)
            if not data:
                break
            to = _write(file, data, to)
            tail_start += len(data)
        os.ftruncate(file, to)


def _write(file: int, data: bytes, to: int) -> int:
    """Write at a place in a file; return the place after it."""
    while data:
        written = os.pwrite(file, data, to)
        data, to = data[written:], to + written
    return to


def size_on_disk(path: Path) -> int:
    """Return the size of a file in bytes, 0 where there is none."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def tail_of(path: Path, start: int) -> tuple[str, ...]:
    """Return the last lines that were written to a file after its first `start` bytes.

    They are to be shown: what would steer a terminal is escaped.
    """
    text = last_bytes(path, start).decode("utf-8", "backslashreplace")
    return tuple(printable(line) for line in text.splitlines()[-_SHOWN_LINES:])


def last_bytes(path: Path, start: int) -> bytes:
    """Return the end of a file, at most 4 KiB that come after its first `start` bytes."""
    try:
        with path.open("rb") as file:
            file.seek(max(start, size_on_disk(path) - _SHOWN_BYTES))
            return file.read(_SHOWN_BYTES)
    except FileNotFoundError:
        return b""
