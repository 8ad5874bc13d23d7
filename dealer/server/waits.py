"""Whom the dealer waits for: checked once a second, so that no message of a match costs more.

Long waits are reported to the observers.  A match runner finds every wait of more than a moment on
a board: an open file of a fixed size that is overwritten, so that nobody has to read it.
"""

import contextlib
import json
import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from dealer.server.clock import Clock, Timer
from dealer.server.endings import MatchStopped
from dealer.server.observers import MatchObserver, Observers

LOOK_SECONDS: Final = 1.0
"""A shorter wait is not worth a word."""
NOTICE_SECONDS: Final = 30.0
BOARD_BYTES: Final = 4096
_LONGEST_WHO: Final = 400


@dataclass(frozen=True, slots=True)
class Wait:
    """A wait for one seat or several; times are seconds of the monotonic clock."""

    who: str
    """Names, seats and ports."""
    what: str
    """What is to be done: "to act in hand 17"."""
    since: float
    until: float | None = None
    """When it will be ended; None: never."""
    limit: str = ""
    """The option that ends it then; empty where none sets the time."""
    in_play: bool = False
    """False before the first hand."""

    def text(self, now: float) -> str:
        """Return all of it in words, at the time `now`."""
        text = f"{self.who} {self.what} for {max(now - self.since, 0):.0f} s"
        if self.until is None:
            return f"{text}; no time limit"
        ending = f"{self.limit} ends it" if self.limit else "it is ended"
        return f"{text}; {ending} in {max(self.until - now, 0):.0f} s"


def finite_time(seconds: float) -> float | None:
    """Return a time, None for one that never comes."""
    return None if math.isinf(seconds) else seconds


def post(board: int, wait: Wait | None) -> None:
    """Write a wait, or that there is none, on an open file; a file that cannot be is left alone."""
    text = "" if wait is None else json.dumps(asdict(wait))
    with contextlib.suppress(OSError):
        os.pwrite(board, text.encode().ljust(BOARD_BYTES), 0)


def read_board(board: int) -> Wait | None:
    """Return the wait on an open file, None where there is none or it is just being written."""
    try:
        return Wait(**json.loads(os.pread(board, BOARD_BYTES, 0)))
    except (OSError, ValueError, TypeError):
        return None


class WaitWatch(MatchObserver):
    """Looks what one dealer waits for, from `begin` to `end`."""

    def __init__(self, names: Sequence[str], clock: Clock, board: int | None = None) -> None:
        """Start without a wait; `board` is an open file to keep up to date, None for none."""
        self.away: dict[int, float] = {}
        """When each seat that is gone and may come back was lost, by seat index."""
        self.clock = clock
        self._names = tuple(names)
        self._board = board
        self._ports: Sequence[int] = ()
        self._observers = Observers()
        self._look: Callable[[], Wait | None] = _nobody
        self._posted: Wait | None = None
        self._timer: Timer | None = None
        self._noticed = (0.0, 0)

    def begin(self, ports: Sequence[int], observers: Observers) -> None:
        """Look from now on; `observers` are told of waits for seats on these `ports`, if
        there are any."""
        self._ports = ports
        self._observers = observers
        if self._board is not None or observers.still_waiting:
            self._set_timer()

    def end(self) -> None:
        """Look no more."""
        if self._timer is not None:
            self._timer.cancel()

    def freeze(self) -> None:
        """Leave the current wait on the board, and check no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._post_current(self.clock.monotonic())

    def look_at(self, look: Callable[[], Wait | None]) -> None:
        """Ask `look` from now on what is waited for."""
        self._look = look

    @contextlib.contextmanager
    def during(self, seats: Callable[[], Sequence[int]], what: str, until: float) -> Iterator[None]:
        """Until the block is left, wait for `seats` to get ready for the match."""
        since = self.clock.monotonic()

        def look() -> Wait | None:
            who = self.who(seats())
            return Wait(who, what, since, finite_time(until), "--start_timeout") if who else None

        self.look_at(look)
        try:
            yield
        finally:
            self.look_at(_nobody)

    def who(self, seats: Sequence[int]) -> str:
        """Return who sits where, "" for no seats."""
        ports = [f", port {port}" for port in self._ports] or [""] * len(self._names)
        agents = [f"{self._names[seat]} (seat {seat + 1}{ports[seat]})" for seat in seats]
        return " and ".join(agents)[:_LONGEST_WHO]

    def seat_lost(self, seat: int, hand_id: int) -> None:
        """Note since when."""
        self.away[seat] = self.clock.monotonic()

    def seat_reconnected(self, seat: int, hand_id: int) -> None:
        """Note that it is here."""
        self.away.pop(seat, None)

    def _set_timer(self) -> None:
        self._timer = self.clock.call_at(self.clock.monotonic() + LOOK_SECONDS, self._tick)

    def _tick(self) -> None:
        self._set_timer()
        now = self.clock.monotonic()
        wait = self._post_current(now)
        if wait is not None:
            self._notice(wait, now)

    def _post_current(self, now: float) -> Wait | None:
        """Bring the board up to date and return what is on it."""
        wait = self._look()
        if wait is not None and now - wait.since < LOOK_SECONDS:
            wait = None
        if self._board is not None and wait != self._posted:
            post(self._board, wait)
            self._posted = wait
        return wait

    def _notice(self, wait: Wait, now: float) -> None:
        """Tell the observers, once for each half minute of a wait."""
        notice = (wait.since, int((now - wait.since) / NOTICE_SECONDS))
        if notice[1] > 0 and notice != self._noticed:
            self._noticed = notice
            for tell in self._observers.still_waiting:
                with contextlib.suppress(MatchStopped):  # a full disk is reported when it matters
                    tell(wait.text(now))


def _nobody() -> None:
    return None
