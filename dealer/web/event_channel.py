"""What those who watch a match read: its newest events, and the hand that is being played."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final, NamedTuple

from dealer.web.events import KEEP_ALIVE

UNKNOWN: Final = "unknown"
"""Stands for the line of an open hand that nobody has looked up yet."""
QUIET_SECONDS: Final = 15.0
"""After so long without news comes a comment."""
KEPT: Final = 8
"""Events of new lines are kept for who has not taken them yet."""


class News:
    """Wakes all who wait for something to change."""

    def __init__(self) -> None:
        self._change = asyncio.Event()

    def tell(self) -> None:
        """Wake all who wait."""
        change, self._change = self._change, asyncio.Event()
        change.set()

    async def wait(self) -> None:
        """Wait for the next change."""
        await self._change.wait()

    async def stream(
        self, events: AsyncGenerator[bytes | None, None], quiet_seconds: float = QUIET_SECONDS
    ) -> AsyncGenerator[bytes, None]:
        """Yield events as they are made.

        Args:
            events: yields None where it waits for news; any since then let it go on at once.
            quiet_seconds: without news, after which comes a comment.
        """
        change = self._change
        async with aclosing(events):
            async for event in events:
                if event is not None:
                    yield event
                    continue
                while not change.is_set():
                    try:
                        async with asyncio.timeout(quiet_seconds):
                            await change.wait()
                    except TimeoutError:
                        yield KEEP_ALIVE
                change = self._change


class LinesEvent(NamedTuple):
    """Some lines of a log as an event."""

    start: int
    """Where the first line begins: a byte of the log, or the number of lines before it."""
    text: bytes
    """The event; b"" where none of the lines may be seen."""
    end: int
    """Where the line behind the last one begins."""


class EventChannel:
    """The newest events of one match, told by one and read by many, each at its own pace.

    Nothing here waits: what is told goes into a queue of `capacity` events, the same for all
    readers, and the oldest one leaves it, whoever has not read it yet.  So a slow reader holds up
    neither the match nor anybody else, and costs no memory.  It finds that `after` has nothing for
    it although it is before `offset`: then it has missed what lies up to `oldest`, which it can
    read in the log, or be told that it is left out.
    """

    def __init__(self, capacity: int = KEPT) -> None:
        self.news: Final = News()
        """Is told as soon as anything here is another than before."""
        self.offset = -1
        """Where the line behind those of all events begins; -1 before anything is known."""
        self.line: str | None = UNKNOWN
        """The open hand behind these lines, None where there is none, or `UNKNOWN`."""
        self.over = False
        """Whether nothing comes any more."""
        self.error: Exception | None = None
        """For what it is over; None where the match is, or nobody watches it."""
        self._recent: Final[deque[LinesEvent]] = deque(maxlen=capacity)

    def begin(self, offset: int) -> None:
        """Tell where the first event will begin."""
        self.offset = offset
        self.news.tell()

    def tell(self, event: LinesEvent) -> None:
        """Tell of new lines; what is known of the open hand is of another one by then."""
        self._recent.append(event)
        self.offset, self.line = event.end, UNKNOWN
        self.news.tell()

    def show(self, line: str | None) -> None:
        """Tell of the open hand: a line of the log without values, None where there is none."""
        if line != self.line:
            self.line = line
            self.news.tell()

    def end(self, error: Exception | None = None) -> None:
        """Tell that nothing comes any more."""
        self.over, self.error = True, error
        self.news.tell()

    def after(self, offset: int) -> LinesEvent | None:
        """Return the event that begins at an offset, None where it is not kept."""
        return next((event for event in self._recent if event.start == offset), None)

    @property
    def oldest(self) -> int:
        """Where the oldest event that is kept begins."""
        return self._recent[0].start if self._recent else self.offset
