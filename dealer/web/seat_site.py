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

from dealer.web.events import EVENT_STREAM, KEEP_ALIVE, format_event, last_event
from dealer.web.form_bodies import texts_of
from dealer.web.guard import Guard
from dealer.web.http_requests import Refusal, Request
from dealer.web.http_responses import READ, WRITE, Response, method_refused
from dealer.web.person import NotNow, PersonSeat
from dealer.web.strategy_teller import ASKED, StrategyTeller, asked_line
from protocol.handlog import Header, format_header
from protocol.spelled_games import spell_game

PAGE: Final = "play.html"
_QUIET_SECONDS: Final = 15.0


class SeatSite:
    """Answers requests about one seat; a handler for `dealer.web.server`."""

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
        self._guard = guard
        self._pages = pages
        self._facts = facts if strategy is None else {**facts, "strategy": strategy.name}
        self._strategy = strategy
        self._over = ""
        self._news = asyncio.Event()

    def changed(self) -> None:
        """Tell all pages what is new at the seat."""
        self._news.set()
        self._news = asyncio.Event()

    def end(self, why: str) -> None:
        """Tell all pages that nothing more will come."""
        self._over = why
        self.changed()

    async def __call__(self, request: Request) -> Response:
        """Return the response.

        Raises:
            Refusal: the request may not be asked, or there is nothing like that.
        """
        asked = self._guard.admit(request)
        if asked == "act":
            return method_refused(request, WRITE) or self._act(request)
        if asked in ASKED and self._strategy is not None:
            refused = method_refused(request, WRITE)
            return refused or await self._tell(request, self._strategy, asked)
        if asked in ("", "events", "game.json", "hands.log") or asked in self._pages:
            return method_refused(request, READ) or self._show(request, asked)
        raise Refusal(404, "not found")

    def _show(self, request: Request, asked: str) -> Response:
        if asked == "events":
            return Response(self._events(last_event(request) or 0), EVENT_STREAM)
        if asked == "game.json":
            return Response(json.dumps(self._facts).encode(), "application/json")
        if asked == "hands.log":
            header = format_header(Header("hands", spell_game(self._seat.game)))
            lines = "".join(f"{line}\n" for line in (header, *self._seat.finished))
            name = {"Content-Disposition": 'attachment; filename="hands.log"'}
            return Response(lines.encode(), fields=name)
        return self._pages[asked or PAGE]

    def _act(self, request: Request) -> Response:
        line, action = texts_of(request, ("line", "action"))
        try:
            self._send(self._seat.answer(line, action))
        except NotNow as error:
            raise Refusal(409, str(error)) from error
        self.changed()
        return Response(status=204)

    async def _tell(self, request: Request, strategy: StrategyTeller, asked: str) -> Response:
        """Answer with what a strategy does in a hand; in one that is played it gives no advice."""
        [line] = texts_of(request, ("line",))
        if line not in self._seat.finished:
            raise Refusal(409, "that hand is not over")
        game = self._seat.game
        wanted = asked_line(game, line, over=True, asked=asked)
        answer = await strategy.tell(game, wanted, request.gone)
        return Response(answer, "application/json")

    async def _events(self, seen: int) -> AsyncGenerator[bytes, None]:
        """Yield server-sent events for a page that has seen so many hands."""
        shown: object = ()
        while True:
            news, hands = self._news, self._seat.finished
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
            try:
                async with asyncio.timeout(_QUIET_SECONDS):
                    await news.wait()
            except TimeoutError:
                yield KEEP_ALIVE
