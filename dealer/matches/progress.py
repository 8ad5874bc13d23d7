"""The progress of a match on stderr: one living line on a terminal, now and then a line elsewhere.

All figures come from the growing logs, so they are right for a resumed match as well.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol, TextIO

from dealer.server.waits import Wait
from engine.console.progress import LivingLine, RateLimiter
from engine.console.quantities import duration

_FIRST_LINE_SECONDS: Final = 5.0
_WAIT_SECONDS: Final = 2.0
"""A wait of the dealer that is worth more than the figures."""
_LONGEST_PAUSE_SECONDS: Final = 60.0
"""Between two lines when stderr is no terminal; the pause doubles up to this."""


class Played(Protocol):
    """What is being played: a match, or a whole tournament."""

    @property
    def hands(self) -> int:
        """Hands read so far."""

    @property
    def hands_planned(self) -> int:
        """Hands that there will be."""

    def read_new(self) -> int:
        """Read what the dealers have added; return how many hands.  Raises MatchError."""

    def standing(self) -> str:
        """Return what was read so far in a few words."""


class MatchProgress:
    """Reads the logs and shows how far the match is; call it every second or so."""

    def __init__(
        self,
        logs: Played,
        stream: TextIO,
        *,
        shown: bool = True,
        clock: Callable[[], float] = time.monotonic,
        waits: Mapping[str, Callable[[], Wait | None]] | None = None,
        unlogged: Mapping[str, Callable[[], int]] | None = None,
        standing: Callable[[], str] | None = None,
    ) -> None:
        """Begin to count hands and time.

        Args:
            shown: False leaves out everything but what is said.
            waits: by leg, says whom its dealer waits for; looked into at each call.
            unlogged: by leg, counts hands that are played and in no log yet; likewise.
            standing: says where it stands in other words than `logs`.
        """
        self._logs = logs
        self._stream = stream
        self._shown = shown
        self._line = LivingLine(stream)
        self._clock = clock
        self._waits = {} if waits is None else waits
        self._unlogged = {} if unlogged is None else unlogged
        self._standing = logs.standing if standing is None else standing
        self._start = self._last_call = clock()
        self._hands_before = logs.hands
        self._now_and_then = RateLimiter(
            2 * _FIRST_LINE_SECONDS,
            first_seconds=_FIRST_LINE_SECONDS,
            longest_seconds=_LONGEST_PAUSE_SECONDS,
            say=self._print,
            clock=clock,
        )

    def __call__(self) -> None:
        """Read what is new and show it.  Raises MatchError when a log cannot be read."""
        if not self._shown:
            return
        hands = self._logs.read_new()
        waits = [wait for view in self._waits.values() if (wait := view()) is not None]
        self._count_time(hands, waits)
        if self._line.living:
            self._line.show(self._text(waits))
        else:
            self._now_and_then(lambda: self._text(waits))

    @property
    def speed(self) -> float:
        """Hands a second."""
        return (self._played() - self._hands_before) / max(self._clock() - self._start, 1e-9)

    def say(self, line: str) -> None:
        """Show a line of text above the progress."""
        self.clear()
        self._print(line)

    def step(self, what: str, done: int, total: int) -> None:
        """Show how far the work after the match is; only on a terminal."""
        if self._shown:
            self._line.show(f"{what} {done:,}/{total:,}")

    def clear(self) -> None:
        """Take the living line away."""
        self._line.clear()

    def _played(self) -> int:
        """Return the hands played, also those that are in no log yet."""
        return self._logs.hands + sum(count() for count in self._unlogged.values())

    def _count_time(self, hands: int, waits: Sequence[Wait]) -> None:
        """Leave time in which nothing was played, since somebody had to come, out of the speed."""
        now = self._clock()
        if waits and not hands and not any(wait.in_play for wait in waits):
            self._start += now - self._last_call
        self._last_call = now

    def _text(self, waits: Sequence[Wait]) -> str:
        logs = self._logs
        played = self._played()
        now = self._clock()
        speed = self.speed
        long = [wait for wait in waits if now - wait.since >= _WAIT_SECONDS]
        if long:
            longest = min(long, key=lambda wait: wait.since)
            more = f" (and {len(long) - 1} more)" if len(long) > 1 else ""
            return f"{played:,}/{logs.hands_planned:,} hands  waiting for {longest.told(now)}{more}"
        left = (logs.hands_planned - played) / speed if speed else None
        return (
            f"{played:,}/{logs.hands_planned:,} hands  {played / logs.hands_planned:.0%}  "
            f"{speed:,.0f} hands/s  {duration(left)} left  "
            f"{self._standing()}"
        )

    def _print(self, line: str) -> None:
        with contextlib.suppress(OSError):  # a terminal that went away is no reason to stop
            self._stream.write(line + "\n")
            self._stream.flush()
