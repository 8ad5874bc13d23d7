"""Logs as the bodies of responses: as they are, and as events while they grow.

Files are read in threads, so that a slow disk holds up nobody else.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Final, TypeAlias

from dealer.web.event_channel import UNKNOWN, EventChannel, LinesEvent
from dealer.web.events import FORGET, format_event
from dealer.web.log_feeds import Show, next_lines
from dealer.web.log_lines import LogGone, LogLines, LogReplaced
from engine.errors import LogError

Missed: TypeAlias = Callable[[int], Awaitable[LinesEvent | None]]
"""Takes where a reader is, and returns what it is told in place of what it has missed."""
_RESTART: Final = format_event("restart", b"", 0)


async def log_text(lines: LogLines, show: Show) -> AsyncGenerator[bytes, None]:
    """Yield the whole lines of a log up to its end, as `show` makes them.

    Raises:
        LogError: the log is damaged from here on.
    """
    while piece := await asyncio.to_thread(lines.read):
        yield await asyncio.to_thread(show, piece)


async def match_events(
    channel: EventChannel, offset: int, missed: Missed, *, restart: bool = False
) -> AsyncGenerator[bytes | None, None]:
    """Yield server-sent events for the lines of a match, also for those to come; None between news.

    Event `lines` has new lines.  Event `hand` has the line of the hand that is being played, or
    nothing; the first one comes after the lines that there were.  Event `restart` has none: what
    the reader knows is not in the log any more.  Event `end` has none: nothing comes any more.  The
    number of an event is where the line behind it begins.  The stream ends where the log is gone,
    damaged or another file.

    Args:
        channel: of the match.
        offset: of the line that the reader is at.
        missed: returns what stands for events that the channel does not keep any more.
        restart: whether to begin with that event.
    """
    if restart:
        yield _RESTART
    told: str | None = UNKNOWN
    try:
        while True:
            event = channel.after(offset)
            if event is None and offset < channel.offset:
                event = await missed(offset)
            if event is not None:
                offset = event.end
                if event.text:
                    yield event.text
                continue
            line = channel.line
            if line == UNKNOWN:
                line = None if told == UNKNOWN else told
            if line != told and offset == channel.offset:
                told = line
                yield format_event("hand", (line or "").encode("utf-8", "surrogateescape"), offset)
                continue
            if channel.over:
                break
            yield None
        if channel.error is not None:
            raise channel.error
        yield format_event("end", b"", offset)
    except LogReplaced:
        yield _RESTART
    except LogGone:
        yield FORGET  # another file may stand there when the reader comes back
    except LogError:
        pass  # who comes back is told


def in_the_log(channel: EventChannel, lines: LogLines, show: Show) -> Missed:
    """Return what reads in a log what a reader has missed, as `show` makes it of lines."""

    def read(offset: int) -> LinesEvent | None:
        lines.skip(offset)
        return next_lines(lines, show, channel.offset)

    async def missed(offset: int) -> LinesEvent | None:
        return await asyncio.to_thread(read, offset)

    return missed


def left_out(channel: EventChannel) -> Missed:
    """Return what tells a reader, by event `missed`, how many lines it has missed."""

    async def missed(offset: int) -> LinesEvent:
        count = b"%d" % (channel.oldest - offset)
        return LinesEvent(offset, format_event("missed", count, channel.oldest), channel.oldest)

    return missed
