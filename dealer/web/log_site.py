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
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from dealer.web.archive import UNREADABLE, Archive
from dealer.web.delay import Delay
from dealer.web.events import EVENT_STREAM, last_event
from dealer.web.guard import Guard
from dealer.web.http_requests import Refusal, Request
from dealer.web.http_responses import JSON, Response
from dealer.web.live_hand import LiveHand
from dealer.web.log_feeds import LogFeed, Show
from dealer.web.log_lines import LogLines, LogReplaced
from dealer.web.log_streams import in_the_log, log_text, match_events
from dealer.web.results import ArchiveResults
from dealer.web.router import READ, WRITE, Route, Site, json_response, texts_of
from dealer.web.spectating import SeenCards, shown_lines, without_comments
from dealer.web.strategy_teller import StrategyTeller, asked_line
from engine.errors import LogError
from engine.handlogs.source.opening import file_size
from protocol.gamedef import GameDef

INDEX: Final = "index.html"
REPLAYER: Final = "replay.html"
_LOOK_AGAIN: Final = {"Refresh": "1"}
"""Has a browser come back after a second."""
_FINISH_SECONDS: Final = 1.0
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_FROM: Final = re.compile(r"(?:from=([0-9]{1,15}))?")


class LogSite(Site):
    """Answers requests about the logs of an archive."""

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
        self._index = pages[INDEX]
        self._cards = cards
        self._strategy = strategy
        self._open = cards is SeenCards.ALL and not delay
        """Whether seeds may be seen, and paths, which may have them."""
        self._results = ArchiveResults(archive, cards, self._delay)
        self._looking = asyncio.Lock()
        self._feeds: dict[Path, LogFeed] = {}
        routes: list[Route] = [
            (READ, "", self._first),
            (READ, r"logs\.json", self._listing),
            (READ, r"results\.json", self._counted),
            (READ, "(log|live)/([0-9]{1,9})", self._log),
        ]
        if strategy is not None:
            routes.append((WRITE, "(strategy|values)", self._tell))
        super().__init__(guard, pages, routes)

    async def _first(self, _request: Request) -> Response:
        async with self._looking:
            return await asyncio.to_thread(self._first_page)

    def _first_page(self) -> Response:
        """Return the list of logs, or the way to the only one, or to the one being played."""
        archive = self._archive
        if archive.playing:
            archive.refresh()
        newest = archive.newest()
        if newest is None:
            return replace(self._index, fields=_LOOK_AGAIN)
        if len(archive.logs) == 1:
            return Response(status=303, fields={"Location": REPLAYER})
        if archive.playing:
            return Response(status=303, fields={"Location": f"{REPLAYER}#log={newest}"})
        return self._index

    async def _listing(self, _request: Request) -> Response:
        await self._look()
        documents = partial(self._archive.documents, folders=self._open, size=self._size)
        logs = await asyncio.to_thread(documents)
        named = {} if self._strategy is None else {"strategy": self._strategy.name}
        return json_response({"logs": logs, **named})

    async def _counted(self, _request: Request) -> Response:
        await self._look()
        with self._refusing():
            return Response(await self._results.text(), JSON)

    async def _look(self) -> None:
        """Look whether there are new logs."""
        async with self._looking:
            await asyncio.to_thread(self._archive.refresh)

    async def finish(self) -> None:
        """Tell who watches what is still new, and that it was all; who takes long is left."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FINISH_SECONDS):
                await asyncio.gather(*(feed.finish() for feed in self._feeds.values()))

    async def close(self) -> None:
        """End what runs beside the server."""
        if self._strategy is not None:
            await self._strategy.close()

    def _size(self, log: Path) -> int:
        """Return the bytes of a log that spectators know of: more would tell when a hand ends."""
        try:
            return file_size(log) if self._delay is None else self._delay.end(log)
        except OSError:
            return 0

    async def _tell(self, request: Request, asked: str) -> Response:
        """Answer with what a strategy does in a hand.  Raises Refusal."""
        assert self._strategy is not None
        number, line = texts_of(request, ("log", "line"))
        log = self._found(number)
        with self._refusing():
            game = await asyncio.to_thread(self._archive.game, log)
        wanted = asked_line(game, line, over=not self._open, asked=asked)
        return Response(await self._strategy.tell(game, wanted, request.gone), JSON)

    async def _log(self, request: Request, how: str, number: str) -> Response:
        """Answer with a log.  Raises Refusal."""
        log = self._found(number)
        place = _FROM.fullmatch(request.query)
        if place is None:
            raise Refusal(400, "want from=BYTE")
        start = int(place[1] or 0)
        with self._refusing():
            game = await asyncio.to_thread(self._archive.game, log)
            show = self._show(game)
            end = None if self._delay is None else partial(self._delay.end, log)
            opened = partial(LogLines, log, end=end)
            if how == "log":
                lines = await asyncio.to_thread(opened, start)
                return Response(log_text(lines, show), close=lines.close)
            self._feeds = {
                name: feed for name, feed in self._feeds.items() if not feed.channel.over
            }
            if log not in self._feeds:
                hand = LiveHand(log, game, self._cards) if self._delay is None else None
                self._feeds[log] = LogFeed(opened, show, hand)
            feed = self._feeds[log]
            feed.join()
            return await _live(opened, feed, start, last_event(request))

    def _found(self, number: str) -> Path:
        """Return the log of a number as text.  Raises Refusal."""
        log = self._archive.log(int(number)) if _NUMBER.fullmatch(number) else None
        if log is None:
            raise Refusal(404, "not found")
        return log

    @contextlib.contextmanager
    def _refusing(self) -> Iterator[None]:
        """Make refusals of what is wrong with a log."""
        try:
            yield
        except LogReplaced as error:
            raise Refusal(416, "no line of the log begins there") from error
        except LogError as error:
            raise Refusal(404, str(error) if self._open else UNREADABLE) from error

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
        missed = in_the_log(feed.channel, lines, feed.show)
        events = match_events(feed.channel, lines.offset, missed, restart=restart)
        stream = feed.channel.news.stream(events)
        return Response(stream, EVENT_STREAM, close=stack.pop_all().close)
