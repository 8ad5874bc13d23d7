"""What is new in a log, read and made into events once for all who watch it."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from dealer.web.events import format_event
from dealer.web.live_hand import LiveHand
from dealer.web.log_lines import PIECE_BYTES, LogLines
from dealer.web.news import News

Show: TypeAlias = Callable[[bytes], bytes]
"""Makes of whole lines those that may be seen."""
LOOK_SECONDS: Final = 0.5
"""How often is looked whether a log has grown."""
UNKNOWN: Final = "unknown"
"""Stands for the line of an open hand that nobody has looked up yet."""
_KEPT: Final = 8
"""Events of new lines are kept for who has not taken them yet."""
_MANY_BYTES: Final = PIECE_BYTES // 2
"""Fewer at once are all that there were; what was written since then waits for the next look."""


class LinesEvent(NamedTuple):
    """Some lines of a log as an event."""

    start: int
    """Byte at which the first line begins."""
    text: bytes
    """The event; b"" where none of the lines may be seen."""
    end: int
    """Byte behind the last line."""


def next_lines(lines: LogLines, show: Show, end: int | None = None) -> LinesEvent | None:
    """Return the next lines, None where there are none (yet).

    Args:
        lines: where to read.
        show: makes of them what may be seen.
        end: byte behind which nothing is read; None: as far as there are lines.

    Raises:
        LogError: see `LogLines.read`.
    """
    start = lines.offset
    piece = lines.read(end)
    if not piece:
        return None
    shown = show(piece)
    text = format_event("lines", shown, lines.offset) if shown else b""
    return LinesEvent(start, text, lines.offset)


class LogFeed:
    """Follows one log from where it ends, from the first `join` until all who joined have left.

    It keeps the last few events.  Who is further behind reads the log up to `offset` alone, and so
    nobody holds up anybody else, or makes the feed keep more.
    """

    def __init__(
        self,
        opened: Callable[[], LogLines],
        show: Show,
        hand: LiveHand | None,
        look_seconds: float = LOOK_SECONDS,
    ) -> None:
        """Follow nothing yet.

        Args:
            opened: returns the lines of the log from its beginning.
            show: makes of lines what may be seen.
            hand: the open hand beside them, which the feed closes; None: it may not be seen.
            look_seconds: between two looks whether the log has grown.
        """
        self.show: Final = show
        self.offset = -1
        """Byte up to which lines have been read; -1 before they have."""
        self.line: str | None = UNKNOWN
        """The open hand behind these lines, None where there is none, or `UNKNOWN`."""
        self.over = False
        """Whether nothing comes any more."""
        self.error: Exception | None = None
        """For what it is over; None where all have left or it was finished."""
        self._opened: Final = opened
        self._hand: Final = hand
        self._look_seconds: Final = look_seconds
        self._recent: Final[deque[LinesEvent]] = deque(maxlen=_KEPT)
        self.news: Final = News()
        """Is told as soon as anything here is another than before."""
        self._ending = asyncio.Event()
        self._left = asyncio.Event()
        self._watching = 0
        self._following: asyncio.Task[None] | None = None

    def join(self) -> None:
        """Watch the log, until `leave`."""
        self._watching += 1
        self._left.clear()
        if self._following is None:
            self._following = asyncio.create_task(self._follow())

    def leave(self) -> None:
        """Watch it no more: without anybody who does, the feed ends at its next look."""
        self._watching -= 1
        if not self._watching:
            self._left.set()

    async def finish(self) -> None:
        """Look once more, and then no more; return once all have heard of it and left."""
        self._ending.set()
        await self._left.wait()

    def after(self, offset: int) -> LinesEvent | None:
        """Return the event of the lines that begin at a byte, None where it is not kept."""
        return next((event for event in self._recent if event.start == offset), None)

    async def _follow(self) -> None:
        try:
            with contextlib.closing(await asyncio.to_thread(self._opened)) as lines:
                await self._follow_lines(lines)
        except Exception as error:  # is raised, or told, by those who watch
            self.error = error
        finally:
            self.over = True
            if self._hand is not None:
                self._hand.close()
            self.news.tell()

    async def _follow_lines(self, lines: LogLines) -> None:
        try:
            await asyncio.to_thread(_read_all, lines)
        finally:
            self.offset = lines.offset
        self.news.tell()
        last = False
        while self._watching and not last:
            last = self._ending.is_set()
            more = True
            while more and (event := await asyncio.to_thread(next_lines, lines, self.show)):
                self._recent.append(event)
                self.offset, self.line = event.end, UNKNOWN
                self.news.tell()
                more = event.end - event.start >= _MANY_BYTES
            line = None if self._hand is None else await asyncio.to_thread(self._hand.look)
            grown = await asyncio.to_thread(lines.grown)  # then hands before that one come first
            if not grown and line != self.line:
                self.line = line
                self.news.tell()
            await self._pause()

    async def _pause(self) -> None:
        """Wait until the next look, which is at once where it is the last one."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._look_seconds):
                await self._ending.wait()


def _read_all(lines: LogLines) -> None:
    while lines.read():
        pass
