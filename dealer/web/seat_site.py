"""What the page of a person's seat asks: hands that were played, the one under way, and answers.

    GET  TOKEN/             pages/play.html
    GET  TOKEN/NAME         a file of the pages
    GET  TOKEN/game.json    the game, and the names in the order of play
    GET  TOKEN/events       events: `hands` has lines of hands that are over, `situation` what is to
                            be shown now, `over` why the match has ended and what can be done
    GET  TOKEN/hands.log    all hands that are over, as a log of what the person saw
    POST TOKEN/act          {"line": ..., "action": ...}, see `PersonSeat.answer`
    POST TOKEN/strategy     {"line": ...}, of a hand that is over: what a strategy does in it, see
                            `dealer.web.strategy_teller`
    POST TOKEN/values       the same; what each action was worth

A page that was closed or reloaded asks for `events` again and has everything that it had.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import Any, Final

from dealer.web.event_channel import News
from dealer.web.events import EVENT_STREAM, format_event, last_event
from dealer.web.guard import Guard
from dealer.web.http_requests import Refusal, Request
from dealer.web.http_responses import JSON, Response
from dealer.web.person import NotNow, PersonSeat
from dealer.web.router import READ, WRITE, Route, Site, json_response, refusing, texts_of
from dealer.web.strategy_teller import StrategyTeller, asked_line
from protocol.handlog import Header, format_header
from protocol.spelled_games import spell_game

PAGE: Final = "play.html"
_LAST_LOOK_SECONDS: Final = 4.0
"""For pages to be told that the match is over."""


class SeatSite(Site):
    """Answers requests about one seat."""

    def __init__(
        self,
        seat: PersonSeat,
        send: Callable[[bytes], None],
        guard: Guard,
        pages: Mapping[str, Response],
        facts: Mapping[str, Any],
        strategy: StrategyTeller | None = None,
    ) -> None:
        """Show nothing yet.

        Args:
            send: takes answers for the dealer.
            facts: for `game.json`.
            strategy: tells what it does in hands that are over; None: nothing of the kind is told.
        """
        self._seat = seat
        self._send = send
        self._facts = facts if strategy is None else {**facts, "strategy": strategy.name}
        self._strategy = strategy
        self._over = ""
        self._news = News()
        self.changed: Final = self._news.tell
        """Tells all pages what is new at the seat."""
        routes: list[Route] = [
            (READ, "events", self._events),
            (READ, r"game\.json", self._game),
            (READ, r"hands\.log", self._hands),
            (WRITE, "act", self._act),
        ]
        if strategy is not None:
            routes.append((WRITE, "(strategy|values)", self._tell))
        super().__init__(guard, {**pages, "": pages[PAGE]}, routes)

    def end(self, why: str) -> None:
        """Tell all pages that nothing more will come."""
        self._over = why
        self.changed()

    async def finish(self) -> None:
        """Let pages come back that have lost their connection."""
        await asyncio.sleep(_LAST_LOOK_SECONDS)

    async def close(self) -> None:
        """End what tells the strategy."""
        if self._strategy is not None:
            await self._strategy.close()

    async def _events(self, request: Request) -> Response:
        events = self._news.stream(self._new_events(last_event(request) or 0))
        return Response(events, EVENT_STREAM)

    async def _game(self, _request: Request) -> Response:
        return json_response(self._facts)

    async def _hands(self, _request: Request) -> Response:
        header = format_header(Header("hands", spell_game(self._seat.game)))
        lines = "".join(f"{line}\n" for line in (header, *self._seat.finished))
        name = {"Content-Disposition": 'attachment; filename="hands.log"'}
        return Response(lines.encode(), fields=name)

    async def _act(self, request: Request) -> Response:
        line, action = texts_of(request, ("line", "action"))
        with refusing(NotNow, 409):
            self._send(self._seat.answer(line, action))
        self.changed()
        return Response(status=204)

    async def _tell(self, request: Request, asked: str) -> Response:
        """Answer with what a strategy does in a hand; in one that is played it gives no advice."""
        assert self._strategy is not None
        [line] = texts_of(request, ("line",))
        if line not in self._seat.finished:
            raise Refusal(409, "that hand is not over")
        game = self._seat.game
        wanted = asked_line(game, line, over=True, asked=asked)
        return Response(await self._strategy.tell(game, wanted, request.gone), JSON)

    async def _new_events(self, seen: int) -> AsyncGenerator[bytes | None, None]:
        """Yield server-sent events for a page that has seen so many hands, None between news."""
        shown: object = ()
        while True:
            hands = self._seat.finished
            if seen < len(hands):
                lines = "\n".join(hands[seen:]).encode()
                seen = len(hands)
                yield format_event("hands", lines, seen)
            situation = self._seat.situation()
            if situation != shown:
                shown = situation
                yield format_event("situation", json.dumps(situation).encode(), seen)
            if self._over:
                yield format_event("over", self._over.encode(), seen)
                return
            yield None
