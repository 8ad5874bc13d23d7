"""What is new in a log, read and made into events once for all who watch it."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final, TypeAlias

from dealer.web.event_channel import UNKNOWN, EventChannel, LinesEvent
from dealer.web.events import format_event
from dealer.web.live_hand import LiveHand
from dealer.web.log_lines import PIECE_BYTES, LogLines

Show: TypeAlias = Callable[[bytes], bytes]
"""Makes of whole lines those that may be seen."""
LOOK_SECONDS: Final = 0.5
"""How often is looked whether a log has grown."""
_MANY_BYTES: Final = PIECE_BYTES // 2
"""Fewer at once are all that there were; what was written since then waits for the next look."""


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

    Who is further behind than the events of its channel reads the log up to `offset` alone, and so
    nobody holds up anybody else.
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
        self.channel: Final = EventChannel()
        """Of what is new; offsets are bytes."""
        self._opened: Final = opened
        self._hand: Final = hand
        self._look_seconds: Final = look_seconds
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

    async def _follow(self) -> None:
        error = None
        try:
            with contextlib.closing(await asyncio.to_thread(self._opened)) as lines:
                await self._follow_lines(lines)
        except Exception as raised:  # is raised, or told, by those who watch
            error = raised
        finally:
            if self._hand is not None:
                self._hand.close()
            self.channel.end(error)

    async def _follow_lines(self, lines: LogLines) -> None:
        try:
            await asyncio.to_thread(_read_all, lines)
        finally:
            self.channel.begin(lines.offset)
        last = False
        while self._watching and not last:
            last = self._ending.is_set()
            while event := await asyncio.to_thread(next_lines, lines, self.show):
                self.channel.tell(event)
                if event.end - event.start < _MANY_BYTES:
                    break
            line = await asyncio.to_thread(self._open_hand, lines)
            if line != UNKNOWN:
                self.channel.show(line)
            await self._pause()

    def _open_hand(self, lines: LogLines) -> str | None:
        """Return the open hand's line; `UNKNOWN` where hands before it may have come meanwhile."""
        line = None if self._hand is None else self._hand.look()
        return UNKNOWN if lines.grown() else line

    async def _pause(self) -> None:
        """Wait until the next look, which is at once where it is the last one."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._look_seconds):
                await self._ending.wait()


def _read_all(lines: LogLines) -> None:
    while lines.read():
        pass
