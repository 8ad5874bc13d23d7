"""One deadline that is moved at every message, on a timer that is not.

An event loop's timer costs a heap operation to set and another to cancel.  This one rings at the
earliest deadline it was set for, reads the deadline of that moment and sets itself anew.
"""

import math
from collections.abc import Callable

from dealer.server.clock import Clock, Timer


class Deadline:
    """Calls back once when the deadline last given has passed."""

    __slots__ = ("_at", "_clock", "_expired", "_rings_at", "_timer")

    def __init__(self, clock: Clock, expired: Callable[[], None]) -> None:
        self._clock = clock
        self._expired = expired
        self._at = math.inf
        self._rings_at = math.inf
        self._timer: Timer | None = None

    @property
    def at(self) -> float:
        """The deadline, seconds of the monotonic clock; `math.inf` for none."""
        return self._at

    def set(self, when: float) -> None:
        """Move the deadline to `when`, seconds of the monotonic clock; `math.inf` is never."""
        self._at = when
        if when < self._rings_at:
            self._start_timer()

    def cancel(self) -> None:
        """Forget the deadline."""
        self._at = self._rings_at = math.inf
        if self._timer is not None:
            self._timer.cancel()

    def _start_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._rings_at = self._at
        self._timer = self._clock.call_at(self._at, self._ring)

    def _ring(self) -> None:
        self._rings_at = math.inf
        if self._clock.monotonic() >= self._at:
            self._at = math.inf
            self._expired()
        elif not math.isinf(self._at):
            self._start_timer()
