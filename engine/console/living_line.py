"""One line on a terminal that changes while something takes long, and goes when it is done."""

from __future__ import annotations

import contextlib
import shutil
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self, TextIO

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
            clock: seconds.
        """
        stream = sys.stderr if stream is None else stream
        self._stream = stream if stream is not None and stream.isatty() else None
        self._clock = clock
        self._next = clock() + first_seconds
        self._on_screen = False

    @property
    def living(self) -> bool:
        """Whether there is a terminal to show anything on."""
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
        """Leave nothing of it."""
        if self._on_screen:
            self._write(_ERASE)
            self._on_screen = False

    def _write(self, text: str) -> None:
        assert self._stream is not None
        with contextlib.suppress(OSError):  # a terminal that went away is no reason to stop
            self._stream.write(text)
            self._stream.flush()
