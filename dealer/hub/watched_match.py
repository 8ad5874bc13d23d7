"""A running match as spectators see it: no hand before it is over in all legs, no seed, no header.

Both legs of a pair have the same deals.  A hand that is over in one of them may still be played in
the other, so it is shown once it is over in both, and later if the host wants that.  Hole cards and
boards are withheld until the match is over, or all but what showdowns have shown.

Offsets of events are lines that were shown.  Bytes would tell how long a header is, which has the
seed.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from array import array
from collections.abc import AsyncGenerator, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from dealer.web.event_channel import EventChannel, LinesEvent
from dealer.web.events import format_event
from dealer.web.log_feeds import LOOK_SECONDS, next_lines
from dealer.web.log_lines import PIECE_BYTES, LogLines
from dealer.web.log_streams import match_events
from dealer.web.spectating import SeenCards, shown_lines
from engine.errors import LogError
from protocol.gamedef import GameDef

Show: TypeAlias = Callable[[bytes], bytes]
"""Makes of whole lines those that may be seen."""
_SHOWN_KINDS: Final = (b"STATE:", b"SCORE:")
_HAND: Final = re.compile(rb"(STATE:[0-9]{1,10}:[fcr0-9/]*:)[^:]*(:[-0-9.|]+:[^:\s]+)")
_SCORE: Final = re.compile(rb"SCORE:[-0-9.|]+:[^:\s]+")


def betting_alone(players: int, lines: bytes) -> bytes:
    """Return the hands and the score among whole lines of a log, without any card."""
    shown = []
    for line in lines.splitlines():
        if hand := _HAND.fullmatch(line):
            shown.append(hand[1] + b"|" * (players - 1) + hand[2])
        elif _SCORE.fullmatch(line):
            shown.append(line)
    return b"".join(line + b"\n" for line in shown)


def spectators_view(game: GameDef, cards: str) -> Show:
    """Return what makes of lines what spectators see.

    Args:
        cards: "none", or "shown": boards, and hole cards of showdowns.
    """
    if cards == "none":
        return partial(betting_alone, game.players)
    return partial(shown_lines, game, SeenCards.SHOWN)


class WatchedLeg:
    """The log of a leg that is being played."""

    def __init__(self, log: Path, show: Show) -> None:
        self.channel: Final = EventChannel()
        self._log = log
        self._show = show
        self._lines: LogLines | None = None
        self._ends = array("Q")
        """Bytes at which the hands that are over, and the score, end."""

    def over(self) -> int:
        """Return how many hands are over, and one more for the score; reads what is new."""
        with contextlib.suppress(LogError):
            self._look()
        return len(self._ends)

    def _look(self) -> None:
        try:
            if self._lines is None:
                self._lines, self._ends = LogLines(self._log), array("Q")
            self._lines.grown()
            while piece := self._lines.read():
                end = self._lines.offset - len(piece)
                for line in piece.splitlines(keepends=True):
                    end += len(line)
                    if line.startswith(_SHOWN_KINDS):
                        self._ends.append(end)
        except LogError:  # it is not there yet, or was mended after a loss of power
            self.close()
            raise

    def close(self) -> None:
        """Close the log; idempotent."""
        if self._lines is not None:
            self._lines.close()
        self._lines, self._ends = None, array("Q")

    def event(self, first: int, last: int) -> LinesEvent | None:
        """Return lines from the first on, at most to the last; None where they are gone."""
        ends = self._ends
        last = min(last, len(ends))
        if last <= first:
            return None
        start = ends[first - 1] if first else 0
        while last - first > 1 and ends[last - 1] - start > PIECE_BYTES:
            last = (first + last) // 2
        with self._log.open("rb") as file:
            file.seek(start)
            text = self._show(file.read(ends[last - 1] - start))
        return LinesEvent(first, format_event("lines", text, last) if text else b"", last)


class WatchedMatch:
    """Follows the logs of a match from the first `join` until all have left, or `finish`."""

    def __init__(
        self,
        logs: Sequence[Path],
        show: Show,
        delay: int,
        look_seconds: float = LOOK_SECONDS,
    ) -> None:
        """Follow nothing yet.

        Args:
            logs: of all legs; they need not be there yet.
            show: see `spectators_view`.
            delay: hands by which spectators are behind the slowest leg.
            look_seconds: between two looks.
        """
        self._legs = [WatchedLeg(log, show) for log in logs]
        self._delay = delay
        self._look_seconds = look_seconds
        self._shown = 0
        self._watching = 0
        self._ending = asyncio.Event()
        self._all_left = asyncio.Event()
        self._following: asyncio.Task[None] | None = None

    @property
    def over(self) -> bool:
        """Whether it is followed no more."""
        return self._legs[0].channel.over

    def lines_shown(self) -> int:
        """Return how many lines of each leg may be seen; 0 while nobody watches."""
        return self._shown

    def join(self, leg: int, line: int) -> AsyncGenerator[bytes, None]:
        """Return the events of a leg from a line on, see `dealer.web.log_streams.match_events`.

        They are to be closed, and `leave` to be called then.
        """
        self._watching += 1
        self._all_left.clear()
        if self._following is None:
            self._following = asyncio.create_task(self._follow())
        watched = self._legs[leg]

        async def missed(offset: int) -> LinesEvent | None:
            return await asyncio.to_thread(watched.event, offset, watched.channel.offset)

        return watched.channel.news.stream(match_events(watched.channel, line, missed))

    def leave(self) -> None:
        """Watch no more."""
        self._watching -= 1
        if not self._watching:
            self._all_left.set()

    async def finish(self, *, over: bool) -> None:
        """Show what there is, and no more; return once all have heard of it and left.

        Args:
            over: whether the match is, so that nobody is to be behind any more.
        """
        if over:
            self._delay = 0
        self._ending.set()
        if self._watching:
            await self._all_left.wait()

    async def _follow(self) -> None:
        error = None
        try:
            await self._look_apart()
            for leg in self._legs:
                leg.channel.begin(self._shown)
            last = False
            while self._watching and not last:
                last = self._ending.is_set()
                await self._look_apart()
                for leg in self._legs:
                    await self._tell(leg)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._look_seconds):
                        await self._ending.wait()
        except Exception as raised:  # is raised by those who watch
            error = raised
        finally:
            for leg in self._legs:
                leg.close()
                leg.channel.end(error)

    async def _look_apart(self) -> None:
        """Look in a thread, to the end also where this is cancelled: it opens files."""
        looking = asyncio.create_task(asyncio.to_thread(self._look))
        try:
            await asyncio.shield(looking)
        finally:
            await asyncio.wait([looking])

    def _look(self) -> None:
        over = min(leg.over() for leg in self._legs)
        self._shown = max(self._shown, over - self._delay)

    async def _tell(self, leg: WatchedLeg) -> None:
        channel = leg.channel
        while channel.offset < self._shown:
            event = await asyncio.to_thread(leg.event, channel.offset, self._shown)
            if event is None:
                break
            channel.tell(event)
        channel.show(None)


async def whole_log(lines: LogLines, *, restart: bool) -> AsyncGenerator[bytes, None]:
    """Yield a log of a match that is over as the events that `match_events` would tell.

    Args:
        restart: whether to begin with that event, which tells a reader to forget what it knows.
    """
    if restart:
        yield format_event("restart", b"", 0)
    with contextlib.suppress(LogError):
        while event := await asyncio.to_thread(next_lines, lines, bytes):
            yield event.text
        yield format_event("hand", b"", lines.offset)
        yield format_event("end", b"", lines.offset)
