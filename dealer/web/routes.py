"""What is found where: the pages, the list of logs, the logs and what is new in them.

    GET TOKEN/                   pages/index.html; of one log, the page that shows it; of a match
                                 that is being played, the page that shows the log written last
    GET TOKEN/NAME               a file of pages/, read when the server starts
    GET TOKEN/logs.json          {"logs": [{"id": 0, "name": ..., "bytes": ..., "game": {...}}]}
    GET TOKEN/results.json       what was won and how, see `dealer.web.results_document`
    GET TOKEN/log/ID?from=BYTE   the whole lines of a log from a byte on
    GET TOKEN/live/ID?from=BYTE  the same as events, and all lines that are still to come
    POST TOKEN/strategy          {"log": ID, "line": ...}, where a strategy is to be told: what it
                                 does in a hand, see `dealer.web.strategy_teller`
    POST TOKEN/values            the same; what each action was worth

What a client asks for is compared with names and numbers that are known; it never becomes a path.
"""

import asyncio
import contextlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from dealer.logs.reading.errors import LogError
from dealer.logs.reading.files import file_size
from dealer.pages.single_page import PAGES
from dealer.web.archive import UNREADABLE, Archive
from dealer.web.delay import Delay
from dealer.web.events import EVENT_STREAM, last_event
from dealer.web.form_bodies import texts_of
from dealer.web.guard import Guard
from dealer.web.http_requests import Refusal, Request
from dealer.web.http_responses import READ, WRITE, Response, method_refused
from dealer.web.live_hand import LiveHand
from dealer.web.log_feeds import LogFeed, Show
from dealer.web.log_lines import LogLines, LogReplaced
from dealer.web.log_streams import log_events, log_text
from dealer.web.results import ArchiveResults
from dealer.web.spectating import SeenCards, shown_lines, without_comments
from dealer.web.strategy_teller import ASKED, StrategyTeller, asked_line
from protocol.gamedef import GameDef

INDEX: Final = "index.html"
REPLAYER: Final = "replay.html"
_JSON: Final = "application/json"
_DOCUMENTS: Final = ("logs.json", "results.json")
CONTENT_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""End of a page's name -> what it is; files of other kinds are no pages."""
_LOOK_AGAIN: Final = {"Refresh": "1"}
"""Has a browser come back after a second."""
_FINISH_SECONDS: Final = 1.0
_LOG: Final = re.compile(r"(log|live)/([0-9]{1,9})")
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_FROM: Final = re.compile(r"(?:from=([0-9]{1,15}))?")


def read_pages(folder: Path = PAGES) -> dict[str, Response]:
    """Return the files of a folder that are pages, by name."""
    return {
        path.name: Response(path.read_bytes(), CONTENT_TYPES[path.suffix])
        for path in sorted(folder.iterdir())
        if path.suffix in CONTENT_TYPES
    }


class Site:
    """Answers requests about the logs of an archive; a handler for `dealer.web.server`."""

    def __init__(
        self,
        archive: Archive,
        guard: Guard,
        pages: Mapping[str, Response],
        cards: SeenCards = SeenCards.ALL,
        delay: float = 0.0,
        strategy: StrategyTeller | None = None,
    ) -> None:
        """Show logs.

        Args:
            cards: what is seen of them.
            delay: seconds by which logs that are being written are behind; then hands are seen when
                they are over.
        """
        self._delay = Delay(delay) if delay else None
        self._archive = archive
        self._guard = guard
        self._pages = pages
        self._cards = cards
        self._strategy = strategy
        self._open = cards is SeenCards.ALL and not delay
        """Whether seeds may be seen, and paths, which may have them."""
        self._results = ArchiveResults(archive, cards, self._delay)
        self._looking = asyncio.Lock()
        self._feeds: dict[Path, LogFeed] = {}

    async def __call__(self, request: Request) -> Response:
        """Return the response.

        Raises:
            Refusal: the request may not be asked, or there is nothing like that.
        """
        asked = self._guard.admit(request)
        if asked in ASKED and self._strategy is not None:
            refused = method_refused(request, WRITE)
            return refused or await self._tell(request, self._strategy, asked)
        found = _LOG.fullmatch(asked)
        if not (found or asked in ("", *_DOCUMENTS) or asked in self._pages):
            raise Refusal(404, "not found")
        if refused := method_refused(request, READ):
            return refused
        if found is not None:
            return await self._log(request, found[1], int(found[2]))
        if asked in _DOCUMENTS:
            return Response(await self._document(asked), _JSON)
        if asked:
            return self._pages[asked]
        async with self._looking:
            return await asyncio.to_thread(self._first_page)

    def _first_page(self) -> Response:
        """Return the list of logs, or the way to the only one, or to the one being played."""
        archive = self._archive
        if archive.playing:
            archive.refresh()
        newest = archive.newest()
        if newest is None:
            return replace(self._pages[INDEX], fields=_LOOK_AGAIN)
        if len(archive.logs) == 1:
            return Response(status=303, fields={"Location": REPLAYER})
        if archive.playing:
            return Response(status=303, fields={"Location": f"{REPLAYER}#log={newest}"})
        return self._pages[INDEX]

    async def _document(self, name: str) -> bytes:
        """Return a document of all logs, of new ones too.  Raises Refusal."""
        async with self._looking:
            await asyncio.to_thread(self._archive.refresh)
            if name == "logs.json":
                return await asyncio.to_thread(self._listing)
        try:
            return await self._results.text()
        except LogError as error:
            raise Refusal(404, self._words(error)) from error

    async def finish(self) -> None:
        """Tell who watches what is still new, and that it was all; who takes long is left."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FINISH_SECONDS):
                await asyncio.gather(*(feed.finish() for feed in self._feeds.values()))

    async def close(self) -> None:
        """End what runs beside the server."""
        if self._strategy is not None:
            await self._strategy.close()

    def _listing(self) -> bytes:
        logs = self._archive.documents(folders=self._open, size=self._size)
        named = {} if self._strategy is None else {"strategy": self._strategy.name}
        return json.dumps({"logs": logs, **named}).encode()

    def _size(self, log: Path) -> int:
        """Return the bytes of a log that spectators know of: more would tell when a hand ends."""
        try:
            return file_size(log) if self._delay is None else self._delay.end(log)
        except OSError:
            return 0

    async def _tell(self, request: Request, strategy: StrategyTeller, asked: str) -> Response:
        """Answer with what a strategy does in a hand.  Raises Refusal."""
        number, line = texts_of(request, ("log", "line"))
        log = self._archive.log(int(number)) if _NUMBER.fullmatch(number) else None
        if log is None:
            raise Refusal(404, "not found")
        try:
            game = await asyncio.to_thread(self._archive.game, log)
        except LogError as error:
            raise Refusal(404, self._words(error)) from error
        wanted = asked_line(game, line, over=not self._open, asked=asked)
        return Response(await strategy.tell(game, wanted, request.gone), _JSON)

    async def _log(self, request: Request, how: str, number: int) -> Response:
        """Answer with a log.  Raises Refusal."""
        log = self._archive.log(number)
        place = _FROM.fullmatch(request.query)
        if log is None:
            raise Refusal(404, "not found")
        if place is None:
            raise Refusal(400, "want from=BYTE")
        start = int(place[1] or 0)
        try:
            game = await asyncio.to_thread(self._archive.game, log)
            show = self._show(game)
            end = None if self._delay is None else partial(self._delay.end, log)
            opened = partial(LogLines, log, end=end)
            if how == "log":
                lines = await asyncio.to_thread(opened, start)
                return Response(log_text(lines, show), close=lines.close)
            self._feeds = {name: feed for name, feed in self._feeds.items() if not feed.over}
            if log not in self._feeds:
                hand = LiveHand(log, game, self._cards) if self._delay is None else None
                self._feeds[log] = LogFeed(opened, show, hand)
            feed = self._feeds[log]
            feed.join()
            return await _live(opened, feed, start, last_event(request))
        except LogReplaced as error:
            raise Refusal(416, "no line of the log begins there") from error
        except LogError as error:
            raise Refusal(404, self._words(error)) from error

    def _words(self, error: LogError) -> str:
        return str(error) if self._open else UNREADABLE

    def _show(self, game: GameDef) -> Show:
        delayed = self._cards is SeenCards.ALL and not self._open
        return without_comments if delayed else partial(shown_lines, game, self._cards)


async def _live(
    opened: Callable[..., LogLines], feed: LogFeed, start: int, seen: int | None
) -> Response:
    """Answer with events.  Raises LogError.

    Args:
        opened: returns the lines of the log, from a byte on.
        feed: of the log, joined.
        start: byte that a new reader begins at.
        seen: the number of the last event of one who comes back; None: a new reader.
    """
    restart = seen == 0
    with contextlib.ExitStack() as stack:
        stack.callback(feed.leave)
        try:
            lines = await asyncio.to_thread(opened, start if seen is None else seen)
        except LogReplaced:
            restart = True
            lines = await asyncio.to_thread(opened)
        stack.callback(lines.close)
        events = log_events(feed, lines, restart=restart)
        return Response(events, EVENT_STREAM, close=stack.pop_all().close)
