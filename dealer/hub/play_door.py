"""Matches that are played by HTTP alone: state, answers and folds, for who has no ACPC bot.

    GET    api/requests/ID/play?after=EVENT&wait=SECONDS     the state, as soon as it has news; with
                                    numbers=1 a tracker's numbers of the opponent are in it
    POST   api/requests/ID/play     {"id", "client_id", "action", "to"}: one answer
    DELETE api/requests/ID/play     the bot leaves the match, and forfeits it
    POST   api/requests/ID/words    {"words"}: those whose SHA-256 was sent with the request
    GET    api/requests/ID/events   the same states as server-sent events
    DELETE api/requests/ID/decisions/DECISION                folds, or checks where that is free
    GET    api/decisions            all that wait for an answer of the account

The request is one of `POST api/requests`.  Whoever asks for its state is there, as a relay is, and
has the seats of its match.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs

from dealer.hub.documents import deals_document, match_document, request_document
from dealer.hub.errors import OtherWords, ServerError
from dealer.hub.hub import Hub
from dealer.hub.json_player import JsonPlayer, JsonPlayers
from dealer.hub.json_seat import BadAnswer, NotAsked, OtherPayload, SentAnswer, read_answer
from dealer.hub.opponent_numbers import OpponentNumbers
from dealer.hub.store import Account, MatchRequest
from dealer.web.event_channel import QUIET_SECONDS
from dealer.web.events import EVENT_STREAM, format_event, last_event
from dealer.web.http_requests import Refusal, Request
from dealer.web.http_responses import JSON, Response
from dealer.web.router import json_response, printable_text, texts_of
from protocol.deals import phrase_digest
from protocol.decision_json import VERSION
from protocol.errors import WrongAnswer

_USUAL_WAIT: Final = 25
_LONGEST_WAIT: Final = 60
_HEARTBEAT_SECONDS: Final = 10.0
_HEARTBEAT: Final = b"\n"
"""Blanks before a JSON text mean nothing."""
_MOST_DIGITS: Final = 15
_OVER: Final = ("over", "refused", "withdrawn")
"""States that do not change any more."""


class _Watch(NamedTuple):
    """What of a state is asked for."""

    after: int
    """Event behind which hands are new."""
    numbers: bool
    """Whether a tracker's numbers of the opponent are wanted."""


class PlayDoor:
    """Handlers of these addresses."""

    def __init__(self, hub: Hub, account: Callable[[Request], Awaitable[Account]]) -> None:
        """Have no players yet.

        Args:
            account: returns whose token a request has, or raises Refusal.
        """
        self._hub = hub
        self._account = account
        self._players = JsonPlayers(hub)
        self._numbers = OpponentNumbers(hub.state, hub.counted)

    async def close(self) -> None:
        """Leave all seats; their matches are paused, or wait for the client to come back."""
        self._numbers.close()
        await self._players.close()

    async def play(self, request: Request, number: str) -> Response:
        """Answer what is asked of a request's match."""
        wanted = await self._wanted(request, number)
        if request.method == "POST":
            return self._answer(request, wanted)
        player = self._player(wanted)
        if request.method == "DELETE":
            if wanted.match is None or not player.leave(wanted.match):
                raise Refusal(409, f"request {number} is not being played", code="not_playing")
            return Response(status=204)
        watch = _watch_of(request)
        wait = _number(request, "wait", _LONGEST_WAIT, _USUAL_WAIT)
        player.attend(wait)
        await asyncio.sleep(0)  # for a new player to be there
        if not wait or player.event(wanted.match) > watch.after or self._is_over(wanted):
            return json_response(self._state(player, wanted, watch))
        return Response(self._late_state(player, wanted, watch, wait), JSON)

    async def phrase(self, request: Request, number: str) -> Response:
        """Take the words of a request for the deals."""
        wanted = await self._wanted(request, number)
        phrase = printable_text("words", *texts_of(request, ["words"]))
        if phrase and phrase_digest(phrase) != wanted.words_sha256:
            raise Refusal(409, "not the words whose SHA-256 came before", code="other_words")
        player, match = self._playing(wanted)
        if not phrase or phrase != wanted.words:
            with refusing_phrases():
                self._hub.take_phrase(match, player.version, phrase)
            if phrase and self._hub.state.store.request(wanted.id).words != phrase:
                raise Refusal(409, "the deals have been made already", code="too_late")
        return json_response(self._deals(wanted, match))

    async def events(self, request: Request, number: str) -> Response:
        """Answer with the states of a request from now on."""
        wanted = await self._wanted(request, number)
        player = self._player(wanted)
        return Response(self._states(player, wanted, _watch_of(request)), EVENT_STREAM)

    async def decisions(self, request: Request) -> Response:
        """Answer with all that waits for an answer of an account."""
        account = await self._account(request)
        waiting = [
            {**decision.document, "request": request.id}
            for player in self._players
            if player.version.account == account.id
            for decision in player.open_decisions()
            for request in self._hub.state.store.requests_of(decision.match)
            if request.version == player.version.id
        ]
        return json_response({"decisions": waiting})

    async def fold(self, request: Request, number: str, decision: str) -> Response:
        """End an open decision at the least cost."""
        wanted = await self._wanted(request, number)
        player, match = self._playing(wanted)
        with _refusing_answers():
            word = player.folding(match, int(decision))
            payload = {"id": int(decision), "action": word}
            answer = SentAnswer(int(decision), f"fold {decision}", payload, word.encode())
            return json_response(player.answer(match, answer))

    def _answer(self, request: Request, wanted: MatchRequest) -> Response:
        try:
            answer = read_answer(request.body)
        except BadAnswer as error:
            raise Refusal(400, str(error), code="bad_answer") from error
        player, match = self._playing(wanted)
        with _refusing_answers():
            return json_response(player.answer(match, answer))

    async def _wanted(self, request: Request, number: str) -> MatchRequest:
        """Return a request of the account that asks.  Raises Refusal."""
        account = await self._account(request)
        state = self._hub.state
        try:
            wanted = state.store.request(int(number))
        except ServerError as error:
            raise Refusal(404, str(error), code="no_such_request") from error
        if state.version(wanted.version).account != account.id:
            raise Refusal(404, f"there is no request {number}", code="no_such_request")
        return wanted

    def _playing(self, wanted: MatchRequest) -> tuple[JsonPlayer, int]:
        """Return who plays a request's match, and the match.  Raises Refusal: nobody does."""
        if wanted.match is None:
            raise Refusal(409, f"request {wanted.id} has no match yet", code="not_playing")
        return self._player(wanted), wanted.match

    def _player(self, wanted: MatchRequest) -> JsonPlayer:
        """Return who sits in the seats of a request's bot.  Raises Refusal: somebody else does."""
        if wanted.seating is not None:
            text = f"request {wanted.id} is played through another door"
            raise Refusal(409, text, code="not_playing")
        player = self._players.attend(self._hub.state.version(wanted.version))
        if player is None:
            version = self._hub.state.version(wanted.version)
            text = f"a relay plays as {version.name}, version {version.label}"
            raise Refusal(409, text, code="relay_connected")
        return player

    # States.

    def _state(self, player: JsonPlayer, wanted: MatchRequest, watch: _Watch) -> dict[str, Any]:
        """Return the state of a request: what is open, and what is new after an event."""
        state = self._hub.state
        wanted = state.store.request(wanted.id)
        phase = self._phase(wanted)
        document: dict[str, Any] = {
            "version": VERSION,
            "type": "state",
            "event": player.event(wanted.match),
            "state": phase,
            "request": request_document(wanted, state.why_waiting(wanted)),
            "deals": None,
            "tables": [],
            "decisions": [],
            "hands": [],
            "result": None,
        }
        if wanted.match is None:
            return document
        document["deals"] = self._deals(wanted, wanted.match)
        for seat in player.seats(wanted.match):
            document["tables"].append(seat.table())
            document["hands"] += seat.hands_after(watch.after)
        document["decisions"] = [
            {**decision.document, "request": wanted.id}
            for decision in player.open_decisions(wanted.match)
        ]
        record = state.store.match(wanted.match)
        if watch.numbers:
            document["numbers"] = self._numbers.of(player.version, record)
        if phase == "over":
            logs = [f"/logs/{record.id}.{leg}.log" for leg in range(1 + record.pairs)]
            document["result"] = {**match_document(state, record), "logs": logs}
        return document

    def _deals(self, wanted: MatchRequest, number: int) -> dict[str, Any]:
        """Return what deals are to be made of, and whether words of a request are waited for."""
        state = self._hub.state
        match = state.running.get(number)
        wait = match is not None and wanted.version in match.unsaid
        return {**deals_document(state, state.store.match(number)), "words_wanted": wait}

    def _phase(self, wanted: MatchRequest) -> str:
        if wanted.match is None:
            return wanted.state
        record = self._hub.state.store.match(wanted.match)
        return "playing" if record.state == "running" else "over"

    def _is_over(self, wanted: MatchRequest) -> bool:
        return self._phase(self._hub.state.store.request(wanted.id)) in _OVER

    async def _late_state(
        self, player: JsonPlayer, wanted: MatchRequest, watch: _Watch, wait: float
    ) -> AsyncGenerator[bytes, None]:
        """Yield heartbeats, and the state when it has news or the time is over."""
        end = asyncio.get_running_loop().time() + wait
        while player.event(wanted.match) <= watch.after:
            quiet = min(end, asyncio.get_running_loop().time() + _HEARTBEAT_SECONDS)
            try:
                async with asyncio.timeout_at(quiet):
                    await player.channel.news.wait()
            except TimeoutError:
                if quiet == end:
                    break
                yield _HEARTBEAT
        player.attend()
        yield json.dumps(self._state(player, wanted, watch)).encode()

    async def _states(
        self, player: JsonPlayer, wanted: MatchRequest, watch: _Watch
    ) -> AsyncGenerator[bytes, None]:
        async with contextlib.aclosing(self._state_events(player, wanted, watch)) as events:
            async for event in player.channel.news.stream(events):
                player.attend(QUIET_SECONDS)
                yield event

    async def _state_events(
        self, player: JsonPlayer, wanted: MatchRequest, watch: _Watch
    ) -> AsyncGenerator[bytes | None, None]:
        phase, match = "", wanted.match
        while phase not in _OVER:
            if player.event(match) > watch.after or not phase:
                document = self._state(player, wanted, watch)
                phase, watch = document["state"], watch._replace(after=document["event"])
                match = document["request"]["match"]
                yield format_event("state", json.dumps(document).encode(), watch.after)
            else:
                yield None


@contextlib.contextmanager
def refusing_phrases() -> Any:
    """Make a refusal of words for the deals that are not those that a guest is bound to."""
    try:
        yield
    except OtherWords as error:
        raise Refusal(409, str(error), code="other_words") from error


@contextlib.contextmanager
def _refusing_answers() -> Any:
    """Make refusals of what is wrong with an answer."""
    try:
        yield
    except OtherPayload as error:
        raise Refusal(409, str(error), code="other_payload") from error
    except NotAsked as error:
        raise Refusal(409, str(error), code="not_asked") from error
    except WrongAnswer as error:
        raise Refusal(400, str(error), code="bad_action") from error


def _watch_of(request: Request) -> _Watch:
    """Return what of a state is asked for.  Raises Refusal."""
    seen = last_event(request)
    after = _number(request, "after", 10**_MOST_DIGITS - 1, 0) if seen is None else seen
    return _Watch(after, bool(_number(request, "numbers", 1, 0)))


def _number(request: Request, name: str, most: int, usual: int) -> int:
    """Return a number in what stands behind "?".  Raises Refusal: it is none."""
    text = parse_qs(request.query, keep_blank_values=True).get(name, [str(usual)])[0]
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS) or int(text) > most:
        raise Refusal(400, f"{name}: want a whole number from 0 to {most}", code="bad_value")
    return int(text)
