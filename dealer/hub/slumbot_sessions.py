"""Sessions of Slumbot's clients: who they are, what they have won, and the match that they play.

A session begins with a login, or with the first hand of who has no token.  It plays one match of
the hub after the other, not rated, in which the client has the first seat.  It ends where nothing
is asked for a while, or where others want its room and no hand is open in it.  What is played of
its match counts then; a hand that is open is folded first.  With its token, who comes back gets a
new session of the same account, and a new token; with the former one, the same session again.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final

from dealer.hub.errors import ServerError
from dealer.hub.hub_state import SLUMBOT_GUEST
from dealer.hub.json_player import JsonPlayer, JsonPlayers
from dealer.hub.server_config import SLUMBOT_GAME, SlumbotTable
from dealer.hub.slumbot_match import SessionMatch, SlumbotRefusal
from dealer.hub.store import BotVersion, MatchRequest
from dealer.web.clients import client_key
from dealer.web.server import spread

if TYPE_CHECKING:
    from dealer.hub.hub import Hub

_LABEL: Final = "slumbot"
"""Of the version that clients of this door play as."""
_TOKEN_BYTES: Final = 16
_BEGIN_SECONDS: Final = 20.0
"""For a match to begin; clients wait as long for an answer."""
_FULL_SECONDS: Final = 10.0
_SPARE_SECONDS: Final = 5.0
"""Without a request, after which a session without an open hand makes room for others."""
_MOST_FORMER: Final = 10_000


class SlumbotSession:
    """One client, for as long as it plays."""

    def __init__(self, account: str, address: str) -> None:
        self.token: Final = secrets.token_hex(_TOKEN_BYTES)
        self.account: Final = account
        self.address: Final = address
        self.lock: Final = asyncio.Lock()
        """Is locked while a request of the client is done."""
        self.used = asyncio.get_running_loop().time()
        self.match: SessionMatch | None = None
        self._hands = 0
        self._total = 0
        self._baseline_total = 0

    @property
    def idle_seconds(self) -> float:
        """Since the last request; 0 while one is done."""
        return 0.0 if self.lock.locked() else asyncio.get_running_loop().time() - self.used

    @property
    def has_open_hand(self) -> bool:
        """Whether a hand has been shown that is not over."""
        return self.match is not None and not self.match.hand_over

    async def state(self, settings: SlumbotTable, earlier: str = "") -> dict[str, Any]:
        """Return the hand that is shown, as clients are told it.

        Args:
            earlier: the betting as it was before the client's action.

        Raises:
            SlumbotRefusal: see `SessionMatch.state`.
        """
        match = self.match
        assert match is not None
        state = {"old_action": earlier, **await match.state()}
        if match.hand_over:
            state |= await self._count(match, state["winnings"], settings)
        return {**state, "token": self.token}

    async def end_hand(self, settings: SlumbotTable) -> None:
        """Fold the hand that is open, if any.  Raises SlumbotRefusal: that is not possible."""
        if self.match is not None and self.has_open_hand:
            state = await self.match.fold()
            await self._count(self.match, state["winnings"], settings)

    async def _count(
        self, match: SessionMatch, winnings: int, settings: SlumbotTable
    ) -> dict[str, int]:
        """Add a hand that is over to the session; return what is told of it."""
        baseline = await match.baseline(settings.baseline_seconds)
        self._hands += 1
        self._total += winnings
        self._baseline_total += baseline
        return {
            "session_num_hands": self._hands,
            "baseline_winnings": baseline,
            "session_total": self._total,
            "session_baseline_total": self._baseline_total,
        }


class SlumbotSessions:
    """All sessions."""

    def __init__(self, hub: Hub) -> None:
        """Have none yet; the config of the hub has such a door."""
        self._hub = hub
        self._players = JsonPlayers(hub)
        self._sessions: dict[str, SlumbotSession] = {}
        self._former: OrderedDict[str, SlumbotSession] = OrderedDict()
        """Token of a session that is over -> the session, or the one that came after it."""
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def settings(self) -> SlumbotTable:
        """Those of the door, as they are now."""
        settings = self._hub.state.config.slumbot
        assert settings is not None
        return settings

    async def close(self) -> None:
        """Forget all sessions; their matches end with the server."""
        for timer in self._timers.values():
            timer.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._players.close()

    # Who plays.

    def open(self, account: str, address: str) -> SlumbotSession:
        """Begin a session of an account.  Raises SlumbotRefusal: there is no room."""
        client = client_key(address)
        settings = self.settings
        offered = self._hub.state.bots.offered[self._house().id]
        mine = [session for session in self._sessions.values() if session.address == client]
        self._make_room(mine, settings.address_sessions, "of this address")
        everybody = list(self._sessions.values())
        self._make_room(everybody, min(settings.sessions, offered.at_once), "at once")
        session = SlumbotSession(account, client)
        self._sessions[session.token] = session
        self._watch(session)
        return session

    def of(self, token: str) -> SlumbotSession:
        """Return the session of a token.  Raises SlumbotRefusal: there is none."""
        session = self._sessions.get(token)
        if session is None:
            over = token in self._former
            raise SlumbotRefusal(
                "The session is over: ask for a new hand" if over else "Invalid token"
            )
        return session

    def _make_room(self, sessions: list[SlumbotSession], most: int, of: str) -> None:
        """Have one session fewer than there may be.  Raises SlumbotRefusal."""
        if len(sessions) < most:
            return
        spare = [
            session
            for session in sessions
            if session.idle_seconds > _SPARE_SECONDS and not session.has_open_hand
        ]
        if not spare:
            reason = f"{most} sessions {of} are as many as there may be"
            raise SlumbotRefusal(reason, 503, spread(_FULL_SECONDS))
        self._drop(min(spare, key=lambda session: session.used), "others wanted its room")

    def _forget(self, session: SlumbotSession) -> None:
        del self._sessions[session.token]
        self._timers.pop(session.token).cancel()

    def _drop(self, session: SlumbotSession, reason: str) -> None:
        """End a session, but not that its token is of its account."""
        if session.token not in self._sessions:
            return
        self._forget(session)
        self._former[session.token] = session
        if len(self._former) > _MOST_FORMER:
            self._former.popitem(last=False)
        if session.match is not None:
            session.match.conclude(f"the session ended: {reason}")
            session.match = None

    def _watch(self, session: SlumbotSession) -> None:
        """Look at a session when it may have been idle for too long."""
        left = self.settings.idle_seconds - session.idle_seconds
        if left > 0:
            loop = asyncio.get_running_loop()
            self._timers[session.token] = loop.call_later(left, self._watch, session)
            return
        task = asyncio.create_task(self._expire(session))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _expire(self, session: SlumbotSession) -> None:
        async with session.lock:
            with contextlib.suppress(SlumbotRefusal, ServerError):
                await session.end_hand(self.settings)
            self._drop(session, "nothing was asked")

    # What is played.

    async def new_hand(self, token: str | None, address: str) -> dict[str, Any]:
        """Show the next hand of a session; the one that is shown again, where it has not acted.

        Who has no token, or that of a session that is over, has a new session; once only with
        the same token, since an answer may be lost.

        Raises:
            SlumbotRefusal, ServerError: there is none.
        """
        account = SLUMBOT_GUEST
        if token is not None:
            session = self._former.get(token) or self.of(token)
            async with session.lock:
                if session.token in self._sessions:  # it may have ended meanwhile
                    return await self._next_hand(session)
            account = session.account
        session = self.open(account, address)
        if token is not None:
            self._former[token] = session
        try:
            async with session.lock:
                return await self._next_hand(session)
        except BaseException:
            if session.match is None:  # nobody has its token
                self._forget(session)
            raise

    async def _next_hand(self, session: SlumbotSession) -> dict[str, Any]:
        session.used = asyncio.get_running_loop().time()
        match = session.match
        if match is not None and match.is_played and session.has_open_hand:
            if not match.acted:
                return await session.state(self.settings)
            await session.end_hand(self.settings)
        session.match = match = await self._match_of(session)
        match.deal_next()
        return await session.state(self.settings)

    async def act(self, session: SlumbotSession, text: str) -> dict[str, Any]:
        """Do the one action that a client sends.  Raises SlumbotRefusal, ServerError."""
        if session.lock.locked():  # else one that is sent again would be another action
            raise SlumbotRefusal("Another request of this session is being answered")
        async with session.lock:
            session.used = asyncio.get_running_loop().time()
            if session.match is None:
                raise SlumbotRefusal("There is no hand: ask for a new one")
            earlier = session.match.betting
            session.match.act(text)
            return await session.state(self.settings, earlier)

    async def _match_of(self, session: SlumbotSession) -> SessionMatch:
        """Return the match that a session plays on in, a new one where there is none."""
        match, limits = session.match, self._hub.state.config.limits
        if match is not None:
            age = asyncio.get_running_loop().time() - match.began
            if match.has_next and age < limits.match_seconds:
                return match
            match.conclude("the next match of the session began")
        return await self._begin(session.account)

    async def _begin(self, account: str) -> SessionMatch:
        """Begin a match of an account's bot against the house bot."""
        hub, state = self._hub, self._hub.state
        version, hands = self._version(account)
        player = self._players.attend(version)
        if player is None:
            raise SlumbotRefusal(f"{account} plays as version {_LABEL} through another door")
        house = self._house()
        request = hub.request(
            version,
            MatchRequest(
                id=0,
                version=version.id,
                opponent=house.name,
                game=SLUMBOT_GAME,
                hands=hands,
                pairs=False,
                rated=False,
                words="",
                queued=time.time(),
                state="waiting",
                reason="",
                match=None,
                seating=json.dumps([version.id, house.id]),
            ),
        )
        try:
            async with asyncio.timeout(_BEGIN_SECONDS):
                number = await self._matched(player, request)
        except TimeoutError:
            why = state.why_waiting(state.store.request(request.id))
            reason = f"No match could be begun: {why or 'the house bot did not come'}"
            raise SlumbotRefusal(reason, 503, spread(_FULL_SECONDS)) from None
        finally:
            hub.withdraw(request)  # where it waits still
        return SessionMatch(hub, player, state.store.match(number))

    def _house(self) -> BotVersion:
        """Return the house bot.  Raises SlumbotRefusal: another config has taken it away."""
        house = self._hub.state.house.get(self.settings.bot)
        if house is None:
            raise SlumbotRefusal(f"{self.settings.bot} is no bot of the house any more", 503)
        return house

    def _version(self, name: str) -> tuple[BotVersion, int]:
        """Return as whom an account plays, and how many hands it may begin."""
        state = self._hub.state
        account = state.store.account(name)
        if not account.is_open(time.time()):
            raise SlumbotRefusal(f"{account.name} plays here no more")
        left = state.quota(account, "hands_a_day") - state.hands_today(account)
        hands = min(self.settings.hands, left, state.quota(account, "hands_a_match"))
        if hands < 1:
            raise SlumbotRefusal(f"{account.name} may begin no more hands within 24 hours")
        version = self._hub.version_of(account, account.name, _LABEL, "")
        if version.probation is not None:
            raise SlumbotRefusal(f"{version.name} plays nothing: {version.probation}")
        return version, hands

    async def _matched(self, player: JsonPlayer, request: MatchRequest) -> int:
        """Return the match that a request has become, once its seat is taken."""
        store, running = self._hub.state.store, self._hub.state.running
        while True:
            wanted = store.request(request.id)
            if wanted.match is None and wanted.state != "waiting":
                raise SlumbotRefusal(wanted.reason or wanted.state)
            if wanted.match is not None:
                if player.seats(wanted.match):
                    return wanted.match
                if wanted.match not in running:
                    raise SlumbotRefusal(f"No match: {store.match(wanted.match).detail}")
            await player.channel.news.wait()
