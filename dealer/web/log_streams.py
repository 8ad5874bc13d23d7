"""Logs as the bodies of responses: as they are, and as events while they grow.

Files are read in threads, so that a slow disk holds up nobody else.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Final, TypeAlias

from dealer.logs.errors import LogError
from dealer.web.events import KEEP_ALIVE, format_event
from dealer.web.log_lines import LogLines, LogReplaced

Show: TypeAlias = Callable[[bytes], bytes]
"""Makes of whole lines those that may be seen."""
OpenHandOf: TypeAlias = Callable[[], Awaitable[str | None]]
"""Tells the line of a log's open hand, None where there is none."""
_PIECES: Final = 8
"""That are read at once."""
LOOK_SECONDS: Final = 0.5
"""How often is looked whether a log has grown."""
QUIET_LOOKS: Final = 30
"""After so many looks without news, 15 seconds, comes a comment."""

_NOTHING_YET: Final = "nothing yet"
_RESTART: Final = format_event("restart", b"", 0)


def _next_pieces(lines: LogLines, show: Show) -> list[tuple[bytes, int]]:
    """Return what may be seen of the next lines, in pieces, each with the byte behind it."""
    found: list[tuple[bytes, int]] = []
    while len(found) < _PIECES and (piece := lines.read()):
        found.append((show(piece), lines.offset))
    return found


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
    open_hand: OpenHandOf,
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
        look_seconds: between two looks whether the log has grown; lines come no more often.
    """
    if restart:
        yield _RESTART
    quiet = 0
    told: str | None = _NOTHING_YET
    try:
        while True:
            quiet += 1
            more = True
            while more:
                pieces = await asyncio.to_thread(_next_pieces, lines, show)
                for shown, offset in pieces:
                    if shown:
                        yield format_event("lines", shown, offset)
                    quiet = 0
                more = len(pieces) == _PIECES
            line = await open_hand()
            if lines.grown():  # then hands before it come first
                line = None if told == _NOTHING_YET else told
            if line != told:
                text = (line or "").encode("utf-8", "surrogateescape")
                yield format_event("hand", text, lines.offset)
                quiet, told = 0, line
            if quiet == QUIET_LOOKS:
                yield KEEP_ALIVE
                quiet = 0
            await asyncio.sleep(look_seconds)
    except LogReplaced:
        yield _RESTART
    except LogError:
        pass  # who comes back is told
