"""Handlers of signals, set for a while."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

Handler = Callable[[int, FrameType | None], Any]


@contextmanager
def handling(signals: Iterable[signal.Signals], handler: Handler) -> Iterator[None]:
    """Within, a handler of ours hears those signals that nobody else has a handler for.

    Signals that are ignored, as SIGHUP is under nohup, stay ignored.  In threads other than the
    main one nothing changes: Python sets handlers there alone.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours = [number for number in signals if signal.getsignal(number) == _default(number)]
    for number in ours:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number in ours:
            if signal.getsignal(number) == handler:
                signal.signal(number, _default(number))


def _default(number: signal.Signals) -> Any:
    """Return what Python itself does with a signal."""
    return signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
