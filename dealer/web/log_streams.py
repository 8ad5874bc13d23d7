"""Logs as the bodies of responses: as they are, and as events while they grow.

Files are read in threads, so that a slow disk holds up nobody else.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Final, TypeAlias

from dealer.logs.errors import LogError
from dealer.web.events import KEEP_ALIVE, format_event
from dealer.web.log_lines import LogLines, LogReplaced

Show: TypeAlias = Callable[[bytes], bytes]
"""Makes of whole lines those that may be seen."""
LOOK_SECONDS: Final = 0.5
"""How often is looked whether a log has grown."""
QUIET_LOOKS: Final = 30
"""After so many looks without news, 15 seconds, comes a comment."""

_RESTART: Final = format_event("restart", b"", 0)


async def log_text(lines: LogLines, show: Show) -> AsyncGenerator[bytes, None]:
    """Yield the whole lines of a log up to its end, as `show` makes them.

    Raises:
        LogError: the log is damaged from here on.
    """
    while piece := await asyncio.to_thread(lines.read):
        yield await asyncio.to_thread(show, piece)


async def log_events(
    lines: LogLines,
    show: Show,
    open_hand: Callable[[], str | None],
    *,
    restart: bool,
    look_seconds: float = LOOK_SECONDS,
) -> AsyncGenerator[bytes, None]:
    """Yield server-sent events for the lines of a log, also for those to come.

    Event `lines` has new lines.  Event `hand` has the line of the hand that is being played, or
    nothing; the first one comes after the lines that there were.  Event `restart` has none: what
    the reader knows is not in the log any more.  The number of an event is the byte at which the
    next line begins.  The stream ends where the log is gone, damaged or another file.

    Args:
        lines: from where the reader is.
        show: makes of lines what the reader may see.
        open_hand: returns the open hand as a line, None where there is none.
        restart: whether to begin with that event.
        look_seconds: between two looks whether the log has grown.
    """
    if restart:
        yield _RESTART
    quiet = 0
    told: str | None = "nothing yet"
    try:
        while True:
            while piece := await asyncio.to_thread(lines.read):
                if shown := await asyncio.to_thread(show, piece):
                    yield format_event("lines", shown, lines.offset)
                quiet = 0
            while True:
                line = await asyncio.to_thread(open_hand)
                if lines.grown():  # the hand before it comes first
                    break
                if line != told:
                    text = (line or "").encode("utf-8", "surrogateescape")
                    yield format_event("hand", text, lines.offset)
                    quiet, told = 0, line
                await asyncio.sleep(look_seconds)
                quiet += 1
                if quiet == QUIET_LOOKS:
                    yield KEEP_ALIVE
                    quiet = 0
    except LogReplaced:
        yield _RESTART
    except LogError:
        pass  # who comes back is told
