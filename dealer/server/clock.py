"""Time as a parameter: what a match and its waits read the time from and set their timers on.

Limits are kept on the monotonic clock, which never steps; what is written down is wall time.
"""

import asyncio
import time
from collections.abc import Callable
from math import isinf
from types import TracebackType
from typing import Protocol


class Timer(Protocol):
    """A call that is to come."""

    def cancel(self) -> None:
        """Take it back; harmless when it has been made."""


class Clock(Protocol):
    """Tells the time and calls back."""

    def monotonic(self) -> float:
        """Return seconds of a clock that never steps; only differences mean something."""

    def wall(self) -> float:
        """Return seconds since 1970."""

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Call `callback` from the event loop at `when`, seconds of the monotonic clock."""


class LoopClock:
    """The clock of the running event loop."""

    monotonic = staticmethod(time.monotonic)
    wall = staticmethod(time.time)

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()

    def call_at(self, when: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        """Call `callback` at `when`; the loop's time is `time.monotonic`."""
        return self._loop.call_at(when, callback)


class Timeout:
    """`async with Timeout(clock, deadline)`: what is awaited inside may last until the deadline.

    The counterpart of `asyncio.timeout_at` on a clock of our own; leaves with TimeoutError.
    """

    def __init__(self, clock: Clock, deadline: float) -> None:
        """`deadline` is in seconds of the monotonic clock; `math.inf` is no limit."""
        self._clock = clock
        self._deadline = deadline
        self._expired = False
        self._timer: Timer | None = None
        self._task: asyncio.Task[object] | None = None
        self._cancellations = 0

    async def __aenter__(self) -> None:
        self._task = asyncio.current_task()
        assert self._task is not None
        self._cancellations = self._task.cancelling()
        if not isinf(self._deadline):
            self._timer = self._clock.call_at(self._deadline, self._expire)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._task is not None
        if self._timer is not None:
            self._timer.cancel()
        if not self._expired:
            return
        only_ours = self._task.uncancel() <= self._cancellations
        if only_ours and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def _expire(self) -> None:
        assert self._task is not None
        self._expired = True
        self._task.cancel()


async def pause(clock: Clock, seconds: float) -> None:
    """Let `seconds` pass."""
    over = asyncio.Event()
    timer = clock.call_at(clock.monotonic() + seconds, over.set)
    try:
        await over.wait()
    finally:
        timer.cancel()
