"""Ctrl-C and other requests to end: noted, and obeyed where the work can be left.

Threads of one run are stopped by `engine.parallel.halting`, which keeps Ctrl-C for itself.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Final

from engine.parallel.signals import handling

STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop:
    """Whether a request to end has come.

    Attributes:
        urgent: whether it raises KeyboardInterrupt, see `at_once`.
    """

    def __init__(self) -> None:
        self._wanted = False
        self.urgent = False

    def __call__(self) -> bool:
        """Return whether to end."""
        return self._wanted

    def ask(self) -> None:
        """Ask for the end."""
        self._wanted = True

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Within, the first request raises KeyboardInterrupt: for work that nobody would save.

        Raises:
            KeyboardInterrupt: one came before, too.
        """
        self.urgent = True
        try:
            if self():
                raise KeyboardInterrupt
            yield
        finally:
            self.urgent = False


@contextmanager
def stop_on_signals(
    signals: Sequence[signal.Signals] = STOP_SIGNALS,
    *,
    on_stop: Callable[[], None] | None = None,
    patient: bool = False,
) -> Iterator[Stop]:
    """Within, the first of these signals asks for the end; the second raises KeyboardInterrupt.

    Handlers of others and signals that are ignored, as under nohup, are left alone.

    Args:
        patient: whether the second one and those that follow do nothing.
    """
    stop = Stop()

    def note(number: int, frame: FrameType | None) -> None:
        again = stop()
        if not again:
            stop.ask()
            if on_stop is not None:
                on_stop()
        if stop.urgent or (again and not patient):
            raise KeyboardInterrupt

    with handling(signals, note):
        yield stop
