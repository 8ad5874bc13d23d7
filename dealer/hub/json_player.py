"""Seats of bots whose owners play by HTTP: they are taken here, in the server.

Whoever asks for the state of a request counts as there for a while, as a relay does that is
connected, and so the request can become a match.  From then on its seats are taken as soon as they
are offered, and the time limits of the match do the rest: of who does not come back, a decision
runs out of time.  After a restart the seats are taken when the client asks again.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import partial
from itertools import starmap
from typing import Any, Final, NamedTuple

from dealer.hub.hub import Hub, OfferedSeat
from dealer.hub.json_seat import JsonSeat, NotAsked, SeatFacts, SentAnswer, TakenAnswers
from dealer.hub.offers import RelayChannel
from dealer.hub.store import BotVersion
from protocol.errors import ProtocolError

_PRESENCE_SECONDS: Final = 30.0
"""Behind the end of an answer, until a client counts as gone."""
_AGAIN_SECONDS: Final = 0.5
_MOST_MATCHES: Final = 4
"""That are over and still told."""


class OpenDecision(NamedTuple):
    """A decision that waits for an answer."""

    match: int
    document: dict[str, Any]


class _SeatLine(asyncio.Protocol):
    """A seat's end of its line to the match, which closes it."""

    def __init__(self, seat: JsonSeat, count: Callable[[], int], lost: Callable[[], None]) -> None:
        self._seat = seat
        self._count = count
        self._lost = lost
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Have it."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Tell the seat, and tell clients that there is something new."""
        try:
            self.send(self._seat.receive(data, time.time(), self._count()))
        except ProtocolError:  # the host of the match is broken
            self.close()

    def connection_lost(self, _error: Exception | None) -> None:
        """Tell of it."""
        self._lost()

    def send(self, data: bytes) -> None:
        """Send something to the match."""
        if data and self._transport is not None:
            self._transport.write(data)

    def close(self) -> None:
        """Close it at once."""
        if self._transport is not None:
            self._transport.abort()


class JsonMatch:
    """The seats of a version in one match."""

    def __init__(self) -> None:
        self.seats: Final[dict[int, JsonSeat]] = {}
        """By leg."""
        self.answers: Final = TakenAnswers()
        self.keys: Final[dict[str, int]] = {}
        """Key of a seat that is offered -> leg."""
        self.lines: Final[dict[int, _SeatLine]] = {}
        """By leg, of seats that are connected."""
        self.event = 0
        """Number of what has happened here last."""


class JsonPlayer:
    """One version of a bot."""

    def __init__(self, hub: Hub, version: BotVersion) -> None:
        """Sit nowhere yet."""
        self.version: Final = version
        self.channel: Final[RelayChannel] = hub.state.channels[version.id]
        self._hub = hub
        self._name = secrets.token_urlsafe()
        self._until = 0.0
        self._matches: OrderedDict[int, JsonMatch] = OrderedDict()

    @property
    def _gone(self) -> bool:
        return not self._plays and asyncio.get_running_loop().time() > self._until

    @property
    def _plays(self) -> bool:
        return any(starmap(self._is_played, self._matches.items()))

    def _is_played(self, number: int, match: JsonMatch) -> bool:
        """Return whether a match is played, although no seat may be offered for a while."""
        return bool(match.keys) or number in self._hub.state.running

    def attend(self, seconds: float = 0.0) -> bool:
        """Count the client as there, for so long and a while; return False: a relay plays."""
        if not self.channel.admit(self._name, lambda: self._gone):
            return False
        now = asyncio.get_running_loop().time()
        self._until = max(self._until, now + seconds + _PRESENCE_SECONDS)
        return True

    async def run(self) -> None:
        """Take the seats that are offered, until the client has gone and no match is played."""
        try:
            with self.channel.attended():
                self._hub.poke()
                while not self._gone:
                    while vacant := self._vacant():  # others may be offered meanwhile
                        await self._take(*vacant)
                    self._drop_withdrawn()
                    await self._news()
        finally:
            for match in self._matches.values():
                for line in match.lines.values():
                    line.close()
            self._matches.clear()  # whoever comes later has another player

    async def _news(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(None if self._plays else self._until):
                await self.channel.news.wait()

    def _vacant(self) -> tuple[OfferedSeat, dict[str, Any]] | None:
        """Return a seat that is offered and not taken, and what is told of it; None: none."""
        for key, document in self.channel.seats.items():
            match = self._matches.setdefault(document["match"], JsonMatch())
            offer = self._hub.offer_of(key)
            if offer is not None and key not in match.keys:
                return offer, document
        return None

    async def _take(self, offer: OfferedSeat, document: dict[str, Any]) -> None:
        """Sit down at a seat; where that fails it is tried again a little later."""
        match, leg = self._matches[document["match"]], document["leg"]
        match.keys[offer.key] = leg
        try:
            ours, theirs = socket.socketpair()
        except OSError:  # for want of descriptors
            self._retry(match, offer.key)
            return
        if leg not in match.seats:
            game = self._hub.state.game(document["game"])
            match.seats[leg] = JsonSeat(game, _facts(document))
        elif leg in match.lines:
            match.lines.pop(leg).close()
        seat = match.seats[leg]
        for end in (ours, theirs):
            end.setblocking(False)
        line = _SeatLine(
            seat, lambda: self._count(match), lambda: self._lose(match, offer.key, line)
        )
        match.lines[leg] = line
        self._hub.take_seat(offer, theirs, seat.connected())
        self._count(match)
        await asyncio.get_running_loop().connect_accepted_socket(lambda: line, ours)

    def _lose(self, match: JsonMatch, key: str, line: _SeatLine) -> None:
        """Note that a line is closed; where the seat is still offered a little later, sit down."""
        for leg in [leg for leg, current in match.lines.items() if current is line]:
            del match.lines[leg]
            match.seats[leg].disconnected()
        self._retry(match, key)

    def _retry(self, match: JsonMatch, key: str) -> None:
        def again() -> None:
            match.keys.pop(key, None)
            self.channel.news.tell()

        asyncio.get_running_loop().call_later(_AGAIN_SECONDS, again)

    def _drop_withdrawn(self) -> None:
        """Forget seats that are not offered any more; the match closes their lines."""
        offered = self.channel.seats
        for match in self._matches.values():
            for key in [key for key in match.keys if key not in offered]:
                del match.keys[key]
        over = [
            number for number, match in self._matches.items() if not self._is_played(number, match)
        ]
        for number in over[:-_MOST_MATCHES]:
            del self._matches[number]

    def _count(self, match: JsonMatch) -> int:
        """Give a number to something that has happened in a match, and wake who waits for it."""
        match.event = self.channel.count()
        return match.event

    # What clients are told and say.

    def event(self, match: int | None) -> int:
        """Return the number of what has happened last to requests or, if not None, in a match."""
        played = None if match is None else self._matches.get(match)
        return max(self.channel.told, 0 if played is None else played.event)

    def seats(self, match: int) -> list[JsonSeat]:
        """Return the seats in a match that were taken here, by leg."""
        played = self._matches.get(match)
        return [] if played is None else [seat for _, seat in sorted(played.seats.items())]

    def open_decisions(self, match: int | None = None) -> list[OpenDecision]:
        """Return what waits for an answer, in one match or in all."""
        return list(self._open(match))

    def _open(self, match: int | None) -> Iterator[OpenDecision]:
        now = time.time()
        for number, played in self._matches.items():
            if match in (None, number):
                for seat in played.seats.values():
                    if (document := seat.decision(now)) is not None:
                        yield OpenDecision(number, document)

    def answer(self, match: int, answer: SentAnswer) -> dict[str, Any]:
        """Take an answer to a decision in a match; return what its sender is told.

        Raises:
            OtherPayload, NotAsked, WrongAnswer: it is not taken.
        """
        played = self._matches.get(match, JsonMatch())
        if (response := played.answers.stored(answer)) is not None:
            return response
        leg, seat = self._asking(match, answer.decision)
        data, action = seat.answer(answer, time.time())
        response = {"taken": answer.decision, "action": action.text}
        played.answers.store(answer, response)
        played.lines[leg].send(data)
        self._count(played)
        return response

    def folding(self, match: int, number: int) -> str:
        """Return the word that folds an open decision, see `JsonSeat.folding`.  Raises NotAsked."""
        return self._asking(match, number)[1].folding(number)

    def _asking(self, match: int, number: int) -> tuple[int, JsonSeat]:
        played = self._matches.get(match, JsonMatch())
        for leg, seat in played.seats.items():
            if leg in played.lines and seat.asks(number):
                return leg, seat
        raise NotAsked(f"decision {number} is not open, or not any more")

    def leave(self, match: int) -> bool:
        """Leave a match for good; return whether a seat in it was offered."""
        seats = list(self.channel.seats_of(match))
        for key in seats:
            offer: OfferedSeat | None = self._hub.offer_of(key)
            if offer is not None:
                self._hub.give_up(offer, f"{offer.version.name} left")
                return True
        return False


class JsonPlayers:
    """The players of all versions that are played through one door."""

    def __init__(self, hub: Hub) -> None:
        """Have none yet."""
        self._hub = hub
        self._players: dict[int, JsonPlayer] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def __iter__(self) -> Iterator[JsonPlayer]:
        return iter(self._players.values())

    def attend(self, version: BotVersion) -> JsonPlayer | None:
        """Return who sits in the seats of a version, and count its client as there for a while.

        None: a relay plays as that version, or a client through another door.
        """
        number = version.id
        player, task = self._players.get(number), self._tasks.get(number)
        if player is None or task is None or task.done():  # it may not be forgotten yet
            player = JsonPlayer(self._hub, version)
        if not player.attend():
            return None
        if player is not self._players.get(number):
            self._players[number] = player
            task = self._tasks[number] = asyncio.create_task(player.run())
            task.add_done_callback(partial(self._forget, number))
        return player

    def _forget(self, number: int, task: asyncio.Task[None]) -> None:
        if self._tasks.get(number) is task:
            del self._tasks[number], self._players[number]

    async def close(self) -> None:
        """Leave all seats; their matches are paused, or wait for the client to come back."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)


def _facts(document: dict[str, Any]) -> SeatFacts:
    """Return what is told of an offered seat."""
    limits = document["limits"]
    seconds = [
        limits[name] / 1000 if limits[name] >= 0 else float("inf")
        for name in ("t_response", "t_per_hand")
    ]
    return SeatFacts(
        document["match"],
        document["leg"],
        document["position"],
        tuple(document["names"]),
        document["game"],
        document["hands"],
        *seconds,
    )
