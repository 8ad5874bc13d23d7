"""A clock that is advanced by hand."""

import asyncio
from collections.abc import Callable


class FakeTimer:
    """A call that is to come."""

    def __init__(self, when: float, callback: Callable[[], None]) -> None:
        self.when = when
        self.callback = callback
        self.cancelled = False

    def cancel(self) -> None:
        """Take it back."""
        self.cancelled = True


class FakeClock:
    """Stands still until it is advanced; starts at 1000 s, wall time 1 800 000 000 s."""

    def __init__(self) -> None:
        self.now = 1000.0
        self._timers: list[FakeTimer] = []

    def monotonic(self) -> float:
        """Return the time."""
        return self.now

    def wall(self) -> float:
        """Return a wall time that runs along."""
        return self.now + 1_799_999_000.0

    def call_at(self, when: float, callback: Callable[[], None]) -> FakeTimer:
        """Keep a call until the clock is advanced to it."""
        timer = FakeTimer(when, callback)
        self._timers.append(timer)
        return timer

    @property
    def pending(self) -> list[float]:
        """When the timers still set will ring."""
        return sorted(timer.when for timer in self._timers if not timer.cancelled)

    def advance(self, seconds: float) -> None:
        """Let time pass and ring what is due, in order, each at its time."""
        end = self.now + seconds
        while due := [t for t in self._timers if not t.cancelled and t.when <= end]:
            timer = min(due, key=lambda t: t.when)
            self._timers.remove(timer)
            self.now = max(self.now, timer.when)
            timer.callback()
        self.now = end

    def pass_unnoticed(self, seconds: float) -> None:
        """Let time pass without ringing, as for a process that was not given the processor."""
        self.now += seconds


async def turns(count: int = 10) -> None:
    """Let the event loop run what is ready."""
    for _ in range(count):
        await asyncio.sleep(0)
