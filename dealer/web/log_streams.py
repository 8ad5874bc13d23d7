"""Logs as the bodies of responses: as they are, and as events while they grow.

Files are read in threads, so that a slow disk holds up nobody else.
"""

import asyncio
from collections.abc import AsyncGenerator
from typing import Final

from dealer.logs.reading.errors import LogError
from dealer.web.events import FORGET, format_event
from dealer.web.log_feeds import UNKNOWN, LinesEvent, LogFeed, Show, next_lines
from dealer.web.log_lines import LogGone, LogLines, LogReplaced

_RESTART: Final = format_event("restart", b"", 0)


async def log_text(lines: LogLines, show: Show) -> AsyncGenerator[bytes, None]:
    """Yield the whole lines of a log up to its end, as `show` makes them.

    Raises:
        LogError: the log is damaged from here on.
    """
    while piece := await asyncio.to_thread(lines.read):
        yield await asyncio.to_thread(show, piece)


async def log_events(
    feed: LogFeed, lines: LogLines, *, restart: bool
) -> AsyncGenerator[bytes | None, None]:
    """Yield server-sent events for the lines of a log, also for those to come; None between news.

    Event `lines` has new lines.  Event `hand` has the line of the hand that is being played, or
    nothing; the first one comes after the lines that there were.  Event `restart` has none: what
    the reader knows is not in the log any more.  Event `end` has none: nothing comes any more.  The
    number of an event is the byte at which the next line begins.  The stream ends where the log is
    gone, damaged or another file.

    Args:
        feed: of the log, joined.
        lines: of the log from where the reader is, for what the feed has not kept.
        restart: whether to begin with that event.
    """
    if restart:
        yield _RESTART
    offset = lines.offset
    told: str | None = UNKNOWN
    try:
        while True:
            if event := feed.after(offset) or await _missed(feed, lines, offset):
                offset = event.end
                if event.text:
                    yield event.text
                continue
            line = feed.line
            if line == UNKNOWN:
                line = None if told == UNKNOWN else told
            if line != told and offset == feed.offset:
                told = line
                yield format_event("hand", (line or "").encode("utf-8", "surrogateescape"), offset)
                continue
            if feed.over:
                break
            yield None
        if feed.error is not None:
            raise feed.error
        yield format_event("end", b"", offset)
    except LogReplaced:
        yield _RESTART
    except LogGone:
        yield FORGET  # another file may stand there when the reader comes back
    except LogError:
        pass  # who comes back is told


async def _missed(feed: LogFeed, lines: LogLines, offset: int) -> LinesEvent | None:
    """Return the next lines of what the feed does not keep any more; None: there are none."""
    if offset >= feed.offset:
        return None

    def read() -> LinesEvent | None:
        lines.skip(offset)
        return next_lines(lines, feed.show, feed.offset)

    return await asyncio.to_thread(read)
