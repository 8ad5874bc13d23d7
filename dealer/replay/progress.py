"""One living line on a terminal while long logs are read; nothing anywhere else."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from typing import Final, TextIO

_ERASE: Final = "\r\x1b[K"
_FIRST_SECONDS: Final = 0.5
"""Shorter work shows nothing."""
_PAUSE_SECONDS: Final = 0.1
_BAR: Final = 24


class ProgressBar:
    """How much of some bytes has been read, and how fast hands go by."""

    def __init__(
        self, stream: TextIO, total_bytes: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream = stream
        self._total = max(1, total_bytes)
        self._clock = clock
        self._start = clock()
        self._next = self._start + _FIRST_SECONDS
        self._living = stream.isatty()
        self._on_screen = False

    def show(self, read: int, hands: int) -> None:
        """Show that `read` bytes and `hands` hands are done, if it is time to."""
        now = self._clock()
        if not self._living or now < self._next:
            return
        self._next = now + _PAUSE_SECONDS
        share = min(1.0, read / self._total)
        filled = round(share * _BAR)
        speed = hands / max(now - self._start, 1e-9)
        text = f"[{'#' * filled}{'.' * (_BAR - filled)}] {share:4.0%}  {hands:,} hands"
        width = shutil.get_terminal_size().columns
        self._stream.write(_ERASE + f"{text}  {speed:,.0f} hands/s"[: width - 1])
        self._stream.flush()
        self._on_screen = True

    def announce(self, text: str) -> None:
        """Show what is being waited for before there is anything to count."""
        if self._living:
            self._stream.write(_ERASE + text)
            self._stream.flush()
            self._on_screen = True

    def behind(self, read: int, hands: int = 0) -> Callable[[int, int], None]:
        """Return `show` for one of several files, after others with so many bytes and hands."""
        return lambda more_read, more_hands: self.show(read + more_read, hands + more_hands)

    def clear(self) -> None:
        """Take the line away."""
        if self._on_screen:
            self._stream.write(_ERASE)
            self._stream.flush()
            self._on_screen = False
