"""What becomes of the matches that clients of the benchmark server's protocol ask for.

An order is played match by match: each is a request in the hub's queue, with seats and seed as the
client has them, and never rated, since the client can know the cards.  For each LOCAL seat the
client is told a port, and whoever connects there from the client's address has the seat.

A client that has gone gets no further match of an order with a LOCAL seat; the one that is being
played goes on, and so do orders of bots alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from dealer.hub.acpc_config import LOCAL
from dealer.hub.acpc_session import MatchOrder
from dealer.hub.hub import Hub, OfferedSeat
from dealer.hub.store import Account, BotVersion, MatchRequest
from dealer.web.server import listen_at

_MOST_ORDERS: Final = 64
"""Of a user, at a time."""
_NEW_SEED_BITS: Final = 32


@dataclass(eq=False, slots=True)
class OrderingClient:
    """The other end of a client's connection."""

    user: str
    address: str
    """IP address of the client."""
    host: str
    """IP address of ours that it has connected to."""
    say: Callable[[bytes], None]
    """Sends something, or does nothing where the client has gone."""
    gone: bool = False

    def complain(self, tag: str, text: str) -> None:
        """Say what is wrong with an order, in a line that clients show."""
        shown = "".join(filter(str.isprintable, text))
        self.say(f"# {self.user}.{tag}: {shown}\n".encode())


@dataclass(eq=False, slots=True)
class _QueuedOrder:
    """An order until its last match is over."""

    order: MatchOrder
    client: OrderingClient
    version: BotVersion
    """Of the user's bot, by the order's tag."""
    runs_left: int
    running: bool = False
    ports: dict[str, _SeatPort] = field(default_factory=dict)
    """By key of the seat."""

    @property
    def line(self) -> str:
        """What QSTAT says of it."""
        state = "R" if self.running else "Q"
        tag, file = self.order.tag, self.order.game.file
        return f"{self.client.user} {tag} {file} * {self.runs_left} {state}\n"

    @property
    def abandoned(self) -> bool:
        """Whether nobody is there any more to play its LOCAL seats."""
        return self.client.gone and LOCAL in self.order.players

    def complain(self, text: str) -> None:
        """Tell the client what is wrong."""
        self.client.complain(self.order.tag, text)


class AcpcOrders:
    """All orders."""

    def __init__(self, hub: Hub) -> None:
        """Have none yet."""
        self._hub = hub
        self._queued: list[_QueuedOrder] = []
        """The newest one first."""

    def status(self) -> bytes:
        """Return the answer to QSTAT."""
        lines = [queued.line for queued in self._queued]
        return "".join(lines or ["Queue empty\n"]).encode()

    def leave(self, client: OrderingClient) -> None:
        """Take note that a client has gone."""
        client.gone = True
        for queued in self._queued:
            if queued.client is client:
                self._hub.state.channels[queued.version.id].news.tell()

    async def play(self, order: MatchOrder, client: OrderingClient) -> None:
        """Play the matches of an order, one after the other.

        Raises:
            ServerError: the user's bot is somebody else's, or the store has a fault.
        """
        if sum(queued.client.user == client.user for queued in self._queued) >= _MOST_ORDERS:
            client.complain(order.tag, f"{_MOST_ORDERS} requests wait or are played already")
            return
        account = self._hub.state.store.account(client.user)
        version = self._hub.version_of(account, client.user, order.tag, "")
        queued = _QueuedOrder(order, client, version, order.runs)
        self._queued.insert(0, queued)
        try:
            for seed in order.seeds(secrets.randbits(_NEW_SEED_BITS)):
                if queued.abandoned or not await self._run(queued, account, seed):
                    break
        finally:
            self._queued.remove(queued)

    async def _run(self, queued: _QueuedOrder, account: Account, seed: int) -> bool:
        """Play a match; return whether another one is of use.  Raises ServerError."""
        refusal = self._refusal(queued, account)
        if refusal:
            queued.complain(refusal)
            return False
        channel = self._hub.state.channels[queued.version.id]
        with channel.attended():
            request = self._hub.request(queued.version, self._request(queued, seed))
            try:
                while (request := self._hub.state.store.request(request.id)).match is None:
                    if request.state != "waiting":
                        queued.complain(request.reason or request.state)
                        return False
                    if queued.abandoned:
                        return False
                    await channel.news.wait()
                queued.runs_left -= 1
                queued.running = True
                while not self._is_over(queued, request.match):
                    self._open_ports(queued, request.match)
                    await channel.news.wait()
            finally:
                queued.running = False
                self._close_ports(queued, set())
                if request.match is None:
                    self._hub.withdraw(request)
        return True

    def _refusal(self, queued: _QueuedOrder, account: Account) -> str:
        """Return why an account may not play the next match of an order, "" where it may."""
        state, version = self._hub.state, self._hub.state.version_now(queued.version)
        acpc = state.config.acpc
        account = state.store.account(account.name)
        if acpc is None or account.name not in acpc.users or not account.is_open(time.time()):
            return f"{account.name} plays here no more"
        if version.probation is not None:
            return f"{version.name} plays nothing: {version.probation}"
        for player in queued.order.players:
            if self._version(queued, player) is None:
                return f"{player} is no bot of the server any more"
        hands = state.quota(account, "hands_a_day") - state.hands_today(account)
        if queued.order.game.hands > hands:
            return f"{account.name} may begin {max(hands, 0):,} more hands within 24 hours"
        return ""

    def _request(self, queued: _QueuedOrder, seed: int) -> MatchRequest:
        order = queued.order
        seating = [self._version(queued, player) for player in order.players]
        assert None not in seating
        return MatchRequest(
            id=0,
            version=queued.version.id,
            opponent=next((player for player in order.players if player != LOCAL), None),
            game=order.game.name,
            hands=order.game.hands,
            pairs=False,
            rated=False,
            words="",
            queued=time.time(),
            state="waiting",
            reason="",
            match=None,
            seating=json.dumps(seating),
            seed=seed,
            keyed=order.seed is None,
        )

    def _version(self, queued: _QueuedOrder, player: str) -> int | None:
        """Return the number of a player's version; None: the config does not have it any more."""
        if player == LOCAL:
            return queued.version.id
        bots = self._hub.state.bots
        version = bots.programs.get((queued.order.game.file, player)) or bots.house.get(player)
        return None if version is None else version.id

    def _is_over(self, queued: _QueuedOrder, number: int) -> bool:
        """Return whether a match is over; the client is told where that is too early."""
        match = self._hub.state.store.match(number)
        if match.state in ("forfeited", "void"):
            queued.complain(match.detail)
        return match.state != "running"

    def _open_ports(self, queued: _QueuedOrder, match: int) -> None:
        """Open a port for each seat that waits for the client's bot, and tell the client."""
        state, client = self._hub.state, queued.client
        seats = state.channels[queued.version.id].seats_of(match)
        self._close_ports(queued, set(seats))
        for key in seats:
            offer = self._hub.offer_of(key)
            if key in queued.ports or offer is None:
                continue
            try:
                port = _SeatPort(self._hub, offer, client)
            except OSError as error:
                queued.complain(f"no port can be opened: {error.strerror or error}")
                self._hub.give_up(offer, "no port could be opened")
                return
            queued.ports[key] = port
            name = f"{client.user}.{queued.order.tag}"
            client.say(f"# RUNNING {name}\nRUN {client.host} {port.number}\n".encode())

    def _close_ports(self, queued: _QueuedOrder, still_offered: set[str]) -> None:
        for key in set(queued.ports) - still_offered:
            queued.ports.pop(key).close()


class _SeatPort:
    """A port at which a client's bot sits down."""

    def __init__(self, hub: Hub, offer: OfferedSeat, client: OrderingClient) -> None:
        """Open it.  Raises OSError."""
        self._hub = hub
        self._offer = offer
        self._client = client
        self._listening = listen_at(client.host, 0)
        self.number: int = self._listening.getsockname()[1]
        self._waiting = asyncio.create_task(self._accept())
        self._waiting.add_done_callback(lambda _: self._listening.close())

    def close(self) -> None:
        """Close it; a bot that has sat down stays."""
        self._waiting.cancel()

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        with contextlib.suppress(OSError):
            while True:
                connection, address = await loop.sock_accept(self._listening)
                if address[0] != self._client.address:
                    connection.close()
                    continue
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._hub.take_seat(self._offer, connection, b"")
                return
