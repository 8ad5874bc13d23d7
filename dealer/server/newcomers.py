"""Agents that come back: who connects to a seat's port in mid-match and says its version."""

import asyncio
import socket
from collections.abc import Callable, Coroutine
from typing import Final, TypeAlias

from dealer.server.clock import Clock, pause
from dealer.server.endings import MatchStopped
from dealer.server.listener import Ports, attach, greet
from dealer.server.observers import Observers
from dealer.server.seat import Seat

HANDSHAKE_SECONDS: Final = 10.0
"""How long a newcomer may take to send its version."""
MAX_NEWCOMERS: Final = 16
"""Connections to one port that may be about to send their version at one time; one more makes the
oldest go.  An agent that belongs here sends it at once, so it is not among the oldest."""
ACCEPT_PAUSE_SECONDS: Final = 0.1

Welcome: TypeAlias = Callable[
    [int, Callable[[Seat], bool], Callable[[MatchStopped], None]], Coroutine[None, None, None]
]
"""Brings agents that come back to a seat; see `Newcomers.welcome`."""


class Newcomers:
    """Listens for agents that come back to the seats of one match."""

    def __init__(self, ports: Ports, clock: Clock, observers: Observers) -> None:
        """`ports` are the match's, still open."""
        self._ports = ports
        self._clock = clock
        self._observers = observers

    async def welcome(
        self, index: int, take_over: Callable[[Seat], bool], refuse: Callable[[MatchStopped], None]
    ) -> None:
        """Listen on a seat's port until cancelled.

        Several newcomers are listened to at once, and the one that has been silent for longest goes
        when there are too many, so that silent strangers keep nobody out.

        Args:
            index: seat index, 0-based.
            take_over: seats a newcomer that has said its version; False when it may not.
            refuse: told why a newcomer was sent away.
        """
        silent: dict[asyncio.Task[None], None] = {}  # in the order in which they came
        async with asyncio.TaskGroup() as newcomers:
            while True:
                try:
                    connection = await self._ports.accept(index)
                except OSError:  # gone again, or no descriptor to be had
                    await pause(self._clock, ACCEPT_PAUSE_SECONDS)
                    continue
                task = newcomers.create_task(self._greet(connection, index, take_over, refuse))
                task.add_done_callback(lambda done: silent.pop(done, None))
                silent[task] = None
                if len(silent) > MAX_NEWCOMERS:
                    oldest = next(iter(silent))
                    del silent[oldest]
                    oldest.cancel()
                await asyncio.sleep(0)  # a task that has not begun would not close its connection

    async def _greet(
        self,
        connection: socket.socket,
        index: int,
        take_over: Callable[[Seat], bool],
        refuse: Callable[[MatchStopped], None],
    ) -> None:
        seat = await attach(connection, index)
        seated = False
        try:
            deadline = self._clock.monotonic() + HANDSHAKE_SECONDS
            await greet(seat, deadline, self._clock, self._observers)
            seated = take_over(seat)
        except MatchStopped as why:
            refuse(why)
        finally:
            if not seated:
                seat.abort()
