"""Handlers of signals, set for a while."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_IMPORT_FILES_PREFIX = "<frozen importlib"
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
    handlers = {number: signal.getsignal(number) for number in signals}
    ours = [number for number in handlers if handlers[number] in _defaults(number)]
    for number in ours:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number in ours:
            if signal.getsignal(number) == handler:
                signal.signal(number, handlers[number])


def interrupt(number: int, frame: FrameType | None) -> None:
    """Handle Ctrl-C as Python does, but end the process at once while something is imported.

    Libraries that are being imported make other errors of the exception, or lose it.
    """
    while frame is not None:
        if frame.f_code.co_filename.startswith(_IMPORT_FILES_PREFIX):
            os._exit(128 + number)
        frame = frame.f_back
    raise KeyboardInterrupt


def hear_interrupts() -> None:
    """Let Ctrl-C interrupt this process from now on, even if it began with Ctrl-C ignored.

    For a program whose only Ctrl-C is sent by another of ours: shells let those in the background
    ignore it, and it would inherit that.
    """
    signal.signal(signal.SIGINT, interrupt)


def end_at_once() -> None:
    """Let Ctrl-C end the process from now on without an exception, unless it is ignored.

    For when all is done: Python would show where in its own end it was interrupted.
    """
    if signal.getsignal(signal.SIGINT) == signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _defaults(number: signal.Signals) -> tuple[Any, ...]:
    """Return what Python itself does with a signal, and what stands for it."""
    if number == signal.SIGINT:
        return signal.default_int_handler, interrupt
    return (signal.SIG_DFL,)
