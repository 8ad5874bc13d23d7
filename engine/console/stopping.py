"""Ctrl-C and other requests to end while a spot is solved."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Final

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_UNTOUCHED: Final = (signal.default_int_handler, signal.SIG_DFL)


class Stop:
    """Whether it was asked to end."""

    def __init__(self) -> None:
        self.wanted = False


@contextlib.contextmanager
def stop_on_interrupt(on_stop: Callable[[], None]) -> Iterator[Stop]:
    """Within, the first Ctrl-C only sets `wanted`; the second one raises KeyboardInterrupt.

    SIGTERM and SIGHUP count as Ctrl-C.  Signals that are ignored, as under nohup, stay so.

    Args:
        on_stop: called at the first one.
    """
    stop = Stop()

    def note(number: int, frame: FrameType | None) -> None:
        if stop.wanted:
            raise KeyboardInterrupt
        stop.wanted = True
        on_stop()

    found = {number: signal.getsignal(number) for number in _SIGNALS}
    ours = [number for number, handler in found.items() if handler in _UNTOUCHED]
    for number in ours:
        signal.signal(number, note)
    try:
        yield stop
    finally:
        for number in ours:
            signal.signal(number, found[number])
