"""The server's addresses: what guests may read, and what owners of bots ask for with their token.

    GET    api/board, api/matches/ID, api/bots/NAME, api/pairs/A/B      anybody
    GET    logs/ID.LEG.log            of a match that is over           anybody
    GET    watch/ID/...               hands as a page, see `dealer.hub.spectator_pages`
    GET    logs/USER.TAG.log          of all that USER ran under TAG    anybody, see `acpc_session`
    GET    healthz, metrics                                            anybody
    GET    api/openapi.json           all of these described, see `dealer.hub.api_table`
    GET    api/me                                                      owners, as all below
    POST   api/requests              {"bot", "version", "digest", "opponent", "game", "hands",
                                      "pairs", "rated", "words", "words_sha256"}
    GET    api/requests/ID           DELETE withdraws it
    GET    api/matches/ID/decisions?leg=0            when the owner's bot was asked and answered
    GET    api/bots/NAME/seats?version=V&digest=D&relay=R    server-sent events, see
                                     `dealer.hub.offers`; R tells a relay that comes back
    GET    api/seats/KEY?words=TEXT  with Upgrade: acpc; the bot's own protocol from then on
    DELETE api/seats/KEY             {"reason"}: the bot has left, and will not come back
    ...    api/requests/ID/play, words, events, decisions, api/decisions
                                     see `dealer.hub.play_door`
    POST   api/login, api/new_hand, api/act     where that is wanted, see `dealer.hub.slumbot_door`

What is refused is JSON: {"error": a word, "message": one line}.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import time
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, unquote

from dealer.hub.api_schemas import REQUEST_KEYS
from dealer.hub.api_table import CSV, METRICS, openapi_document, routes_of
from dealer.hub.decisions import decision_lines
from dealer.hub.documents import (
    board_document,
    bot_document,
    match_document,
    owner_document,
    pair_document,
    proof_line,
    request_document,
)
from dealer.hub.errors import ServerError, StoreFault
from dealer.hub.hub import Hub
from dealer.hub.metrics import metrics_text
from dealer.hub.play_door import PlayDoor, refusing_phrases
from dealer.hub.slumbot_door import SlumbotDoor
from dealer.hub.spectator_pages import WATCH_PATH, SpectatorPages
from dealer.hub.store import Account, BotVersion, MatchRequest, StoredMatch
from dealer.hub.token_gate import TokenGate
from dealer.hub.tokens import ANY_GUEST, NAME_PATTERN, account_name
from dealer.web.events import EVENT_STREAM
from dealer.web.guard import RequestGuard, bearer_token
from dealer.web.http_requests import Refusal, Request
from dealer.web.http_responses import JSON, Response, switching
from dealer.web.router import (
    MOST_LETTERS,
    READ,
    Site,
    json_response,
    printable_text,
    refusing,
    texts_of,
)
from dealer.web.server import spread
from engine.storage.documents import json_document
from protocol.deals import phrase_digest

_PIECE_BYTES: Final = 1 << 16
_RETRY_SECONDS: Final = 20.0
_QUOTA_SECONDS: Final = 3600.0
_SHA256: Final = re.compile("[0-9a-f]{64}")
_NO_WORDS: Final = phrase_digest("")


class HubSite(Site):
    """Answers what is asked of a hub."""

    def __init__(self, hub: Hub, guard: RequestGuard, pages: Mapping[str, Response]) -> None:
        play = self._play_door = PlayDoor(hub, self._account)
        description = json.dumps(openapi_document()).encode()

        async def described(_request: Request) -> Response:
            return Response(description, JSON)

        routes = routes_of(
            {
                "healthz": self._health,
                "metrics": self._metrics,
                "api/openapi.json": described,
                "api/board": self._board,
                "api/matches/{match}": self._match,
                "logs/{match}.{leg}.log": self._log,
                "logs/{user}.{tag}.log": self._logs_of_tag,
                "api/bots/{bot}": self._bot,
                "api/pairs/{first}/{second}": self._pair,
                "api/me": self._me,
                "api/requests": self._ask,
                "api/requests/{request}": self._request,
                "api/requests/{request}/play": play.play,
                "api/requests/{request}/words": play.phrase,
                "api/requests/{request}/events": play.events,
                "api/requests/{request}/decisions/{decision}": play.fold,
                "api/decisions": play.decisions,
                "api/matches/{match}/decisions": self._decisions,
                "api/bots/{bot}/seats": self._seats,
                "api/seats/{key}": self._seat,
            }
        )
        routes.append((READ, WATCH_PATH, self._watching))
        tokens = self._tokens = TokenGate(hub.state.config)
        self._slumbot = None if hub.state.config.slumbot is None else SlumbotDoor(hub, tokens)
        if self._slumbot is not None:
            routes += self._slumbot.routes
        super().__init__(guard, pages, routes)
        self._hub = hub
        self._state = hub.state
        self._spectators = SpectatorPages(hub.state, pages)

    async def finish(self) -> None:
        """Tell spectators what is still new, before their connections are closed."""
        await self._spectators.finish()

    async def close(self) -> None:
        """Leave the seats of who plays by HTTP."""
        await self._play_door.close()
        if self._slumbot is not None:
            await self._slumbot.close()

    async def __call__(self, request: Request) -> Response:
        """Return the response.

        Raises:
            Refusal: the request may not be asked, or cannot be done at present.
        """
        try:
            return await super().__call__(request)
        except ServerError as error:
            self._hub.complain(error)
            text = "the server cannot write or read what it keeps"
            wait = spread(_RETRY_SECONDS)
            raise Refusal(503, text, code="unavailable", seconds=wait) from error

    async def _account(self, request: Request) -> Account:
        """Return whose token a request has.  Raises Refusal: nobody's."""
        token = bearer_token(request)
        account: Account | None = None
        with contextlib.suppress(ServerError):
            account = self._state.store.account(account_name(token))
        stored = None if account is None else account.token_hash
        right = await self._tokens.is_right(token, stored, request.client)
        if account is None or not right or not account.is_open(time.time()):
            fields = {"WWW-Authenticate": 'Bearer error="invalid_token"'}
            raise Refusal(401, "this token is not right, or counts no more", fields, "bad_token")
        return account

    # For anybody.

    async def _health(self, _request: Request) -> Response:
        paused = "" if self._hub.can_write() else self._state.paused
        status = f"no matches are begun: {paused}" if paused else "ok"
        response = json_response({"status": status, "matches": len(self._state.running)})
        return replace(response, status=503) if paused else response

    async def _metrics(self, _request: Request) -> Response:
        return Response(metrics_text(self._state).encode(), METRICS)

    async def _board(self, _request: Request) -> Response:
        return json_response(board_document(self._state))

    async def _match(self, request: Request, number: str) -> Response:
        with _refusing(404):
            record = self._state.store.match(int(number))
        plays = "authorization" in request.fields and await self._plays(request, record)
        watch = self._spectators.address(record, plays=plays)
        return json_response({**match_document(self._state, record), "watch": watch})

    async def _plays(self, request: Request, record: StoredMatch) -> bool:
        """Return whether the owner of one of a match's bots asks."""
        try:
            account = await self._account(request)
        except Refusal:  # anybody may ask
            return False
        versions = map(self._state.version, record.versions)
        return account.id in [version.account for version in versions]

    async def _watching(
        self, request: Request, number: str, key: str | None, asked: str
    ) -> Response:
        with _refusing(404):
            record = self._state.store.match(int(number))
        return await self._spectators.answer(request, record, key, asked)

    async def _log(self, _request: Request, number: str, leg: str) -> Response:
        with _refusing(404):
            record = self._state.store.match(int(number))
        if record.state == "running":
            raise Refusal(404, "this match is being played; its logs are shown when it is over")
        path = self._state.leg_log(record.id, leg)
        if not path.is_file():
            raise Refusal(404, "not found")
        return Response(_file_and(path, proof_line(record)))

    async def _logs_of_tag(self, _request: Request, user: str, tag: str) -> Response:
        """Return the logs of all matches that a client of the ACPC door ran under a tag."""
        records = self._state.store.matches_asked_by(user, unquote(tag))
        logs = [
            (path, proof_line(record))
            for record in records
            if record.seed is not None and record.state != "running"
            for path in self._state.leg_logs(record)
            if path.is_file()
        ]
        if not logs:
            raise Refusal(404, "not found")
        return Response(_files(logs))

    async def _bot(self, _request: Request, name: str) -> Response:
        return json_response(_there(bot_document(self._state, name), f"no bot is called {name}"))

    async def _pair(self, _request: Request, first: str, second: str) -> Response:
        document = pair_document(self._state, first, second)
        return json_response(_there(document, f"no bots are called {first} and {second}"))

    # For owners.

    async def _me(self, request: Request) -> Response:
        return json_response(owner_document(self._state, await self._account(request)))

    async def _ask(self, request: Request) -> Response:
        account = await self._account(request)
        asked = _request_values(request)
        state = self._state
        if asked["game"] not in state.config.games:
            games = ", ".join(state.config.games)
            raise Refusal(400, f"{asked['game']} is not played here, but {games}", code="bad_game")
        opponent = asked["opponent"]
        if opponent not in (None, ANY_GUEST) and not self._is_known(opponent):
            raise Refusal(404, f"no bot is called {opponent}", code="no_such_bot")
        self._check_quotas(account, asked)
        version = self._version(account, asked["bot"], asked["version"], asked["digest"])
        if version.probation is not None:
            raise Refusal(
                403, f"{version.name} plays nothing: {version.probation}", {}, "probation"
            )
        wanted = self._hub.request(
            version,
            MatchRequest(
                id=0,
                version=version.id,
                opponent=opponent,
                game=asked["game"],
                hands=asked["hands"],
                pairs=asked["pairs"],
                rated=asked["rated"],
                words=asked["words"],
                words_sha256=asked["words_sha256"],
                queued=time.time(),
                state="waiting",
                reason="",
                match=None,
            ),
        )
        response = json_response(request_document(wanted, state.why_waiting(wanted)))
        return Response(response.body, response.content_type, 201)

    def _check_quotas(self, account: Account, asked: dict[str, Any]) -> None:
        state = self._state
        most = state.quota(account, "hands_a_match")
        hands = asked["hands"] * (1 + asked["pairs"])
        if not asked["hands"] >= 1 or hands > most:
            text = f"want 1 to {most:,} hands a match, both legs together; this is {hands:,}"
            raise Refusal(400, text, code="hands_a_match")
        left = state.quota(account, "hands_a_day") - state.hands_today(account)
        if hands > left:
            text = f"{account.name} may begin {max(left, 0):,} more hands within 24 hours"
            raise Refusal(429, text, code="hands_a_day", seconds=spread(_QUOTA_SECONDS))

    def _is_known(self, name: str) -> bool:
        return any(version.name.lower() == name.lower() for version in self._state.store.versions())

    def _version(self, account: Account, bot: str, label: str, digest: str) -> BotVersion:
        if not NAME_PATTERN.fullmatch(bot) or bot.lower() == ANY_GUEST:
            raise Refusal(
                400, "a bot's name has up to 40 letters, digits, _ and -", code="bad_name"
            )
        if not digest:
            text = "digest: want a text that is another one for each state of the bot's program"
            raise Refusal(400, text, code="no_digest")
        with _refusing(409):
            return self._hub.version_of(account, bot, label, digest)

    async def _request(self, request: Request, number: str) -> Response:
        account = await self._account(request)
        with _refusing(404):
            wanted = self._state.store.request(int(number))
        if self._state.version(wanted.version).account != account.id:
            raise Refusal(404, f"there is no request {number}")
        if request.method == "DELETE":
            if not self._hub.withdraw(wanted):
                raise Refusal(409, f"request {number} does not wait any more", code="not_waiting")
            wanted = self._state.store.request(wanted.id)
        return json_response(request_document(wanted, self._state.why_waiting(wanted)))

    async def _decisions(self, request: Request, number: str) -> Response:
        account = await self._account(request)
        state = self._state
        with _refusing(404):
            record = state.store.match(int(number))
        labels = state.labels(record)
        versions = map(state.version, record.versions)
        mine = [
            label
            for label, version in zip(labels, versions, strict=True)
            if version.account == account.id
        ]
        leg = parse_qs(request.query).get("leg", ["0"])[0]
        if not mine or record.state == "running" or leg not in ("0", "1"):
            raise Refusal(404, "not found")
        log = state.leg_log(record.id, leg)

        def text() -> str:
            game = state.game(record.game)
            return "".join(f"{line}\n" for name in mine for line in decision_lines(log, game, name))

        with refusing(OSError, 404):
            return Response((await asyncio.to_thread(text)).encode(), CSV)

    async def _seats(self, request: Request, name: str) -> Response:
        account = await self._account(request)
        query = parse_qs(request.query)
        label = printable_text("version", query.get("version", ["1"])[0])
        digest = printable_text("digest", query.get("digest", [""])[0])
        version = self._version(account, name, label, digest)
        channel = self._state.channels[version.id]
        relay = printable_text("relay", query.get("relay", [""])[0])
        if not channel.admit(relay, request.gone):
            text = (
                f"another relay, or a client by HTTP, plays as {version.name}, version {label}; "
                "it can play more matches at once by --jobs, and this one another version"
            )
            raise Refusal(409, text, code="relay_connected")
        seen = request.fields.get("last-event-id", "")
        last = int(seen) if seen.isdecimal() and len(seen) < 16 else None
        self._hub.poke()
        return Response(channel.stream(last), EVENT_STREAM)

    async def _seat(self, request: Request, key: str) -> Response:
        account = await self._account(request)
        offer = self._hub.offer(key, account)
        if offer is None:
            raise Refusal(404, "this seat is not to be taken (any more)", code="no_such_seat")

        if request.method == "DELETE":
            (reason,) = texts_of(request, ["reason"])
            shown = "".join(filter(str.isprintable, reason))[:MOST_LETTERS]
            self._hub.give_up(offer, f"{offer.version.name} left: {shown}")
            return Response(status=204)

        def take(connection: Any, received: bytes) -> None:
            self._hub.take_seat(offer, connection, received)

        response = switching(request, "acpc", take)
        phrase = printable_text("words", parse_qs(request.query).get("words", [""])[0])
        match = int(offer.leg.partition(".")[0])
        with refusing_phrases():
            self._hub.take_phrase(match, offer.version, phrase)
        return response


def _request_values(request: Request) -> dict[str, Any]:
    """Return what is asked for.  Raises Refusal: it makes no sense."""
    try:
        document = json_document(request.body)
    except ValueError as error:
        raise Refusal(400, str(error), code="bad_json") from error
    if not isinstance(document, dict):
        raise Refusal(400, "want an object of JSON", code="bad_json")
    if strange := next((key for key in document if key not in REQUEST_KEYS), None):
        keys = ", ".join(REQUEST_KEYS)
        raise Refusal(400, f"{strange:.40} is no key; there are {keys}", code="bad_key")
    values = {}
    for key, (kind, usual) in REQUEST_KEYS.items():
        value = values[key] = document.get(key, usual)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            what = f"{value!r:.40} will not do" if key in document else "it is missing"
            raise Refusal(400, f"{key}: {what}", code="bad_value")
        if isinstance(value, str):
            printable_text(key, value)
    digest = values["words_sha256"]
    if digest and (values["words"] or digest == _NO_WORDS or not _SHA256.fullmatch(digest)):
        text = "words_sha256: want 64 small hexadecimal digits, those of a text, and no words yet"
        raise Refusal(400, text, code="bad_value")
    return values


@contextlib.contextmanager
def _refusing(status: int) -> Iterator[None]:
    """Make refusals of what the store does not have or take; its faults are the server's."""
    try:
        yield
    except StoreFault:
        raise
    except ServerError as error:
        raise Refusal(status, str(error)) from error


async def _files(files: Sequence[tuple[Path, bytes]]) -> AsyncGenerator[bytes, None]:
    """Yield files piece by piece, and what stands behind each, one after the other."""
    for path, end in files:
        async for piece in _file_and(path, end):
            yield piece


async def _file_and(path: Path, end: bytes) -> AsyncGenerator[bytes, None]:
    """Yield a file piece by piece, and what stands behind it."""
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            yield piece
    yield end


def _there(document: dict[str, Any] | None, reason: str) -> dict[str, Any]:
    if document is None:
        raise Refusal(404, reason, code="no_such_bot")
    return document
