"""What a person sees and does while a spot is solved: a living line, and Ctrl-C."""

from __future__ import annotations

import contextlib
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Final

_ERASE: Final = "\r\x1b[K"
_PAUSE_SECONDS: Final = 0.1


class LivingLine:
    """One line that changes, on a terminal; nothing elsewhere."""

    def __init__(self) -> None:
        self._living = sys.stderr is not None and sys.stderr.isatty()
        self._shown_at = -_PAUSE_SECONDS

    def show(self, text: str) -> None:
        """Replace what the line says."""
        if self._living:
            width = shutil.get_terminal_size().columns
            sys.stderr.write(_ERASE + text[: width - 1])
            sys.stderr.flush()
            self._shown_at = time.monotonic()

    def show_often(self, text: Callable[[], str]) -> None:
        """Do the same, unless it was done a moment ago."""
        if self._living and time.monotonic() >= self._shown_at + _PAUSE_SECONDS:
            self.show(text())

    def clear(self) -> None:
        """Leave nothing of it."""
        self.show("")


class Stop:
    """Whether Ctrl-C was pressed."""

    def __init__(self) -> None:
        self.wanted = False


@contextlib.contextmanager
def stop_on_interrupt(on_stop: Callable[[], None]) -> Iterator[Stop]:
    """Within, the first Ctrl-C only sets `wanted`; the second one raises KeyboardInterrupt.

    Args:
        on_stop: called at the first one.
    """
    stop = Stop()

    def note(number: int, frame: FrameType | None) -> None:
        if stop.wanted:
            raise KeyboardInterrupt
        stop.wanted = True
        on_stop()

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # ignored, as by nohup
        yield stop
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
