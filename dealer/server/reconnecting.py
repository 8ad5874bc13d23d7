"""Agents that are lost, come back in mid-match and say their version, or are away for too long."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Final, Protocol, TypeAlias

from dealer.server.clock import Clock, Timeout, Timer, pause
from dealer.server.endings import Ending, MatchStopped, error_ending
from dealer.server.observers import Observers
from dealer.server.seat import Seat
from dealer.server.seating import (
    HANDSHAKE_SECONDS,
    MAX_NEWCOMERS,
    SeatSource,
    fits_token,
    greet,
)

ACCEPT_PAUSE_SECONDS: Final = 0.1


class Host(Protocol):
    """The match that newcomers want to sit down at."""

    def owner(self, index: int) -> Seat:
        """Return whose seat it is."""

    def admit(self, seat: Seat) -> bool:
        """Seat a newcomer; return False when the match is over."""

    def refuse(self, index: int, why: MatchStopped) -> None:
        """Hear why a newcomer was sent away."""


Welcome: TypeAlias = Callable[[int, Host], Coroutine[None, None, None]]
"""Brings agents that come back to a seat; see `ReconnectListener.welcome`."""


class ReconnectListener:
    """Listens for agents that come back to the seats of one match."""

    def __init__(
        self, source: SeatSource, clock: Clock, observers: Observers, tokens: Sequence[str]
    ) -> None:
        """`source` is the match's, still open."""
        self._source = source
        self._tokens = tokens
        self._clock = clock
        self._observers = observers

    async def welcome(self, index: int, host: Host) -> None:
        """Take whoever comes to a seat, an index from 0, until cancelled.

        Several newcomers are read at once; when there are too many the oldest is closed, so that
        silent strangers keep nobody out.
        """
        waiting: dict[asyncio.Task[None], None] = {}  # in the order in which they came
        async with asyncio.TaskGroup() as newcomers:
            while True:
                try:
                    seat = await self._source.arrival(index)
                except OSError:  # gone again, or no descriptor to be had
                    await pause(self._clock, ACCEPT_PAUSE_SECONDS)
                    continue
                task = newcomers.create_task(self._greet(seat, host))
                task.add_done_callback(lambda done: waiting.pop(done, None))
                waiting[task] = None
                if len(waiting) > MAX_NEWCOMERS:
                    oldest = next(iter(waiting))
                    del waiting[oldest]
                    oldest.cancel()
                await asyncio.sleep(0)  # a task that has not begun would not close its connection

    async def _greet(self, seat: Seat, host: Host) -> None:
        index, seated = seat.index, False
        try:
            deadline = self._clock.monotonic() + HANDSHAKE_SECONDS
            token = await greet(seat, deadline, self._clock, self._observers)
            if not self._tokens[index]:
                await self._until_free(index, host, deadline)
            elif not fits_token(self._tokens[index], token):
                raise error_ending(Ending.DISCONNECT, f"not the token of seat {index + 1}", index)
            seated = host.admit(seat)
        except MatchStopped as why:
            host.refuse(index, why)
        finally:
            if not seated:
                seat.abort()

    async def _until_free(self, index: int, host: Host, deadline: float) -> None:
        """Wait until the agent in a seat has left it; one that is out of reach leaves it, too.

        Raises:
            MatchStopped: it is still there at `deadline`.
        """
        try:
            async with Timeout(self._clock, deadline):
                while not (owner := host.owner(index)).departure.is_set():
                    owner.probe()
                    await owner.departure.wait()
        except TimeoutError:
            message = f"the agent in seat {index + 1} is still connected"
            raise error_ending(Ending.DISCONNECT, message, index) from None


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
