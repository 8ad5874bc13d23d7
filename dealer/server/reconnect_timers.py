"""Lost seats and the time in which they must be back."""

from collections.abc import Callable
from functools import partial

from dealer.server.clock import Clock, Timer


class ReconnectTimers:
    """Which seats are away; seats are seat indices, 0-based."""

    def __init__(self, clock: Clock, seconds: float, give_up: Callable[[int], None]) -> None:
        """`give_up` is called with a seat that has been away for `seconds`."""
        self._clock = clock
        self._seconds = seconds
        self._give_up = give_up
        self._timers: dict[int, Timer] = {}

    def begin(self, seat: int) -> bool:
        """Note that a seat is away; return False when that is known already."""
        if seat in self._timers:
            return False
        when = self._clock.monotonic() + self._seconds
        self._timers[seat] = self._clock.call_at(when, partial(self._give_up, seat))
        return True

    def end(self, seat: int) -> None:
        """Note that a seat is here, whether it was away or not."""
        timer = self._timers.pop(seat, None)
        if timer is not None:
            timer.cancel()

    def forget(self) -> None:
        """Cancel all waits."""
        for timer in self._timers.values():
            timer.cancel()
