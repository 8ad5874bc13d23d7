"""One living line on a terminal while long logs are read; nothing anywhere else."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, Self, TextIO

from engine.console.progress import LivingLine

ReadProgress = Callable[[int, int], None]
"""Told how many bytes of a log have been read, and how many hands were in them."""

_SHOWN_AFTER_SECONDS: Final = 0.5
_BAR: Final = 24


class ProgressBar:
    """How much of some bytes has been read, and how fast hands go by."""

    def __init__(
        self, stream: TextIO, total_bytes: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._line = LivingLine(stream, first_seconds=_SHOWN_AFTER_SECONDS, clock=clock)
        self._total = max(1, total_bytes)
        self._clock = clock
        self._start = clock()

    def show(self, read: int, hands: int) -> None:
        """Show that `read` bytes and `hands` hands are done, if it is time to."""
        self._line.show_often(lambda: self._text(read, hands))

    def announce(self, text: str) -> None:
        """Show what is being waited for before there is anything to count."""
        self._line.show(text)

    def behind(self, read: int, hands: int = 0) -> ReadProgress:
        """Return `show` for one of several files, after others with so many bytes and hands."""
        return lambda more_read, more_hands: self.show(read + more_read, hands + more_hands)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def clear(self) -> None:
        """Take the line away."""
        self._line.clear()

    def _text(self, read: int, hands: int) -> str:
        share = min(1.0, read / self._total)
        filled = round(share * _BAR)
        speed = hands / max(self._clock() - self._start, 1e-9)
        bar = f"[{'#' * filled}{'.' * (_BAR - filled)}]"
        return f"{bar} {share:4.0%}  {hands:,} hands  {speed:,.0f} hands/s"
