"""How far long work is, on stderr.

On a terminal, one line that changes and goes when the work is done (`LivingLine`); where lines
stay, as in a file, one now and then (`RateLimiter`), or one for each quarter of a stage (`Stages`).
"""

from __future__ import annotations

import contextlib
import shutil
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self, TextIO

from engine.console.output import tell

_ERASE: Final = "\r\x1b[K"
_PAUSE_SECONDS: Final = 0.1


class LivingLine:
    """One line that changes, on a terminal; nothing elsewhere.  Leaving its context clears it."""

    def __init__(
        self,
        stream: TextIO | None = None,
        *,
        first_seconds: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Show nothing yet.

        Args:
            stream: where to; stderr if None.
            first_seconds: `show_often` shows nothing before.
        """
        stream = sys.stderr if stream is None else stream
        self._stream = stream if stream is not None and stream.isatty() else None
        self._clock = clock
        self._next = clock() + first_seconds
        self._on_screen = False
        self._unwritten = ""
        self._writing = False

    @property
    def living(self) -> bool:
        """Whether the stream is a terminal, on which a line can change."""
        return self._stream is not None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.clear()

    def show(self, text: str) -> None:
        """Replace what the line says; what does not fit is cut off, or it could not be replaced."""
        if self._stream is not None:
            self._write(_ERASE + text[: shutil.get_terminal_size().columns - 1])
            self._on_screen = True
            self._next = max(self._next, self._clock() + _PAUSE_SECONDS)

    def show_often(self, text: Callable[[], str]) -> None:
        """Do the same, unless it was done a moment ago."""
        if self._stream is not None and self._clock() >= self._next:
            self.show(text())

    def clear(self) -> None:
        """Remove the line from the terminal."""
        if self._on_screen:
            self._write(_ERASE)
            self._on_screen = False

    def _write(self, text: str) -> None:
        """Write it now, or, called by a signal's handler within a write, right after that."""
        assert self._stream is not None
        self._unwritten = text
        if self._writing:
            return
        self._writing = True
        try:
            while self._unwritten:
                text, self._unwritten = self._unwritten, ""
                with contextlib.suppress(OSError):  # a terminal that went away is no reason to stop
                    self._stream.write(text)
                    self._stream.flush()
        finally:
            self._writing = False


class RateLimiter:
    """Says a line now and then, and leaves out those that come too soon after another."""

    def __init__(
        self,
        seconds: float = 10.0,
        *,
        first_seconds: float | None = None,
        longest_seconds: float | None = None,
        say: Callable[[str], None] = tell,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin to wait.

        Args:
            seconds: between two lines.
            first_seconds: before the first one; None: as many.
            longest_seconds: the pause doubles up to this; None: it stays.
            say: what a line is said with.
            clock: seconds.
        """
        self._pause = seconds
        self._longest = seconds if longest_seconds is None else longest_seconds
        self._say = say
        self._clock = clock
        self._next = clock() + (seconds if first_seconds is None else first_seconds)

    def __call__(self, text: str | Callable[[], str]) -> None:
        """Say the line, or what a function makes of it, if it is time."""
        now = self._clock()
        if now < self._next:
            return
        self._say(text if isinstance(text, str) else text())
        self._next = now + self._pause
        self._pause = min(2 * self._pause, self._longest)


class Stages:
    """Says how far work of several stages is, at each quarter of each."""

    def __init__(self, say: Callable[[str], None] = tell) -> None:
        self._say = say
        self._said: set[tuple[str, int]] = set()

    def __call__(self, stage: str, done: float) -> None:
        """Take how far a stage is, 0 to 1."""
        quarter = int(4 * done)
        if (stage, quarter) not in self._said:
            self._said.add((stage, quarter))
            self._say(f"{stage}: {25 * quarter} %")
