"""A door for clients of slumbot.com: they play a house bot as they play Slumbot.

    POST api/login       {"username", "password"}     -> {"token"}; an account and its token
    POST api/new_hand    {"token"}, {} the first time -> the hand, and the token from now on
    POST api/act         {"token", "incr"}            -> the hand behind an action, and the bot's

The same stands under slumbot/api.  A hand is old_action, action, client_pos, hole_cards, board; of
one that is over besides bot_hole_cards, winnings, won_pot, session_num_hands, baseline_winnings,
session_total and session_baseline_total, in this order, which a client reads by a regular
expression.  What is refused is {"error_msg": one line}, with status 200 but where the body is no
such object (400), or the server is full or cannot write (503).

Sources: see `protocol.slumbot`; robopoker's and aipoker-bot's clients, slumbot2019's issue 23.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from dealer.hub.errors import ServerError
from dealer.hub.slumbot_match import SlumbotRefusal
from dealer.hub.slumbot_sessions import SlumbotSessions
from dealer.hub.tokens import account_name
from dealer.web.http_requests import Refusal
from dealer.web.http_responses import JSON, Response
from dealer.web.router import WRITE, Route
from dealer.web.server import spread
from engine.storage.documents import json_document

if TYPE_CHECKING:
    from dealer.hub.hub import Hub
    from dealer.hub.token_gate import TokenGate
    from dealer.web.http_requests import Request

SLUMBOT_HOSTS: Final = ("slumbot.com", "www.slumbot.com")
"""Names under which its clients ask."""
_PREFIXES: Final = ("api", "slumbot/api")
_ENDPOINTS: Final = ("login", "new_hand", "act")
SLUMBOT_PATHS: Final = tuple(f"{prefix}/{name}" for prefix in _PREFIXES for name in _ENDPOINTS)
_Work: TypeAlias = Callable[[dict[str, Any], str], Awaitable[dict[str, Any]]]
"""Takes the object of a request, and the address of its client."""
_RETRY_SECONDS: Final = 20.0
_MOST_LETTERS: Final = 300
"""Of a text in a request."""


class SlumbotDoor:
    """Handlers of these addresses."""

    def __init__(self, hub: Hub, tokens: TokenGate) -> None:
        """Have no client yet; the config of the hub has such a door.

        Args:
            tokens: looks at passwords.
        """
        self._hub = hub
        self._sessions = SlumbotSessions(hub)
        self._tokens = tokens
        works: tuple[_Work, ...] = (self._login, self._new_hand, self._act)
        self.routes: Final[list[Route]] = [
            (WRITE, f"{prefix}/{name}", partial(self._answer, work))
            for prefix in _PREFIXES
            for name, work in zip(_ENDPOINTS, works, strict=True)
        ]

    async def close(self) -> None:
        """Forget all sessions."""
        await self._sessions.close()

    async def _answer(self, work: _Work, request: Request) -> Response:
        try:
            return _response(await work(_object(request.body), request.client))
        except SlumbotRefusal as refusal:
            return _response({"error_msg": str(refusal)}, refusal.status, refusal.seconds)
        except ServerError as error:
            self._hub.complain(error)
            text = "The server cannot write or read what it keeps"
            return _response({"error_msg": text}, 503, spread(_RETRY_SECONDS))

    async def _login(self, body: dict[str, Any], address: str) -> dict[str, Any]:
        name, password = _text(body, "username"), _text(body, "password")
        store = self._hub.state.store
        accounts = {account.name.lower(): account for account in store.accounts()}
        account = accounts.get((name or "").lower())
        stored = None if account is None else account.token_hash
        try:
            right = await self._tokens.is_right(password or "", stored, address)
        except Refusal as refusal:
            raise SlumbotRefusal("Too many wrong passwords", 503, refusal.seconds) from refusal
        mine = account is not None and account_name(password or "").lower() == account.name.lower()
        if account is None or not (right and mine and account.is_open(time.time())):
            raise SlumbotRefusal("Invalid username or password: it is an account and its token")
        return {"token": self._sessions.open(account.name, address).token}

    async def _new_hand(self, body: dict[str, Any], address: str) -> dict[str, Any]:
        return await self._sessions.new_hand(_text(body, "token"), address)

    async def _act(self, body: dict[str, Any], _address: str) -> dict[str, Any]:
        session = self._sessions.of(_text(body, "token") or "")
        return await self._sessions.act(session, _text(body, "incr") or "")


def _object(body: bytes) -> dict[str, Any]:
    """Return the object in the body of a request; nothing is an empty one."""
    try:
        document = json_document(body or b"{}")
    except ValueError as error:
        raise SlumbotRefusal(str(error), 400) from error
    if not isinstance(document, dict):
        raise SlumbotRefusal("want an object of JSON", 400)
    return document


def _text(body: dict[str, Any], key: str) -> str | None:
    """Return a text of a request, None where it has none."""
    text = body.get(key)
    if text is not None and (not isinstance(text, str) or len(text) > _MOST_LETTERS):
        raise SlumbotRefusal(f"{key}: want a text", 400)
    return text or None


def _response(
    document: dict[str, Any], status: int = 200, seconds: float | None = None
) -> Response:
    fields = {} if seconds is None else {"Retry-After": str(math.ceil(seconds))}
    return Response(json.dumps(document).encode(), JSON, status, fields)
