"""A port for clients of the ACPC benchmark server: `bm_widget` and `bm_run_matches`.

Everything goes over it as plain text, passwords included, so it is opened only where that is asked
for, and on this machine alone unless its settings say more.

Users of its config are accounts of the server, of the same name: added where there are none, with
the quotas of accounts, and shut out where the account is revoked or has expired.  A password is of
use here only, and lies in the config only.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import socket
import time
from collections.abc import Callable, Coroutine
from typing import Any, Final

from dealer.hub.acpc_config import AcpcConfig
from dealer.hub.acpc_orders import AcpcOrders, OrderingClient
from dealer.hub.acpc_session import (
    BAD_LOGON,
    FINISHED,
    AcpcSession,
    LoggedOn,
    MatchesAsked,
    QueueAsked,
    SessionEvent,
    SessionReply,
)
from dealer.hub.errors import ServerError, StoreFault
from dealer.hub.hub import Hub
from dealer.web.clients import ClientLimits, Clients
from dealer.web.server import BACKLOG

_LOGON_SECONDS: Final = 30.0
"""From the connection to the end of the first line, however slowly that comes."""
_IDLE_SECONDS: Final = 86_400.0
"""Between two lines of a client for whom nothing is played."""
_STALLED_SECONDS: Final = 60.0
"""Without reading any of what is sent."""
_PARTING_SECONDS: Final = 1.0
"""To take the last line before the connection is closed."""
_READ_BYTES: Final = 1 << 12
_MOST_UNSENT_BYTES: Final = 1 << 20
_BURST_SECONDS: Final = 5
_TRIES: Final = 5
"""Logons of an address that may go wrong in a row; then one more every `_TRY_SECONDS`."""
_TRY_SECONDS: Final = 10.0


class AcpcDoor:
    """The port, and who is connected to it."""

    def __init__(self, hub: Hub, tell: Callable[..., None]) -> None:
        """Let nobody in yet.

        Args:
            hub: its config has such a door, always.
            tell: takes an event for the log, and what belongs to it by name.
        """
        self.hub: Final = hub
        self.tell: Final = tell
        self.orders: Final = AcpcOrders(hub)
        limits = hub.state.config.limits
        most, rate = limits.address_connections, limits.address_rate
        self.clients: Final = Clients(ClientLimits(most, rate, rate * _BURST_SECONDS))
        self._most_connections = limits.connections
        self._wrong = Clients(ClientLimits(most, 1 / _TRY_SECONDS, _TRIES))
        self._tasks: set[asyncio.Task[None]] = set()
        self._connections = 0

    @property
    def _config(self) -> AcpcConfig:
        acpc = self.hub.state.config.acpc
        assert acpc is not None
        return acpc

    def new_session(self, address: str) -> AcpcSession:
        """Return the protocol's end for a client at an address."""

        def is_user(name: str, password: str) -> bool:
            return self._is_user(name, password, address)

        house = {
            game.file: [
                offered.bot.label
                for offered in self.hub.state.config.house
                if offered.games is None or game.name in offered.games
            ]
            for game in self._config.games
        }
        return AcpcSession(self._config, house, is_user)

    def _is_user(self, name: str, password: str, address: str) -> bool:
        """Return whether a client may log on; after too many wrong tries no one may for a while."""
        now = time.monotonic()
        if self._wrong.wait(address, now):
            return False
        wanted = self._config.users.get(name, "")
        right = hmac.compare_digest(password.encode(), wanted.encode()) and bool(wanted)
        if not right:
            self._wrong.ask(address, now)
            return False
        return self.hub.state.store.account(name).is_open(time.time())

    async def serve(self, listening: socket.socket, stop: asyncio.Event) -> None:
        """Serve until `stop` is set; then close all connections."""
        async with await asyncio.start_server(self._accept, sock=listening, backlog=BACKLOG):
            await stop.wait()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something beside what is done, until the door closes; what is wrong is noted."""
        task = asyncio.create_task(self._noting(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _noting(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception as error:  # one client is not to end the others
            self.tell("acpc error", detail=repr(error))

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = writer.get_extra_info("peername")[0]
        if self._connections >= self._most_connections or not self.clients.admit(address):
            writer.transport.abort()
            return
        self._connections += 1
        self.start(_Conversation(self, reader, writer).hold()).add_done_callback(
            lambda _: self._leave(address)
        )

    def _leave(self, address: str) -> None:
        self._connections -= 1
        self.clients.disconnect(address)


class _Conversation:
    """One connection."""

    def __init__(
        self, door: AcpcDoor, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._door = door
        self._reader = reader
        self._writer = writer
        self._address: str = writer.get_extra_info("peername")[0]
        self._client: OrderingClient | None = None
        self._orders: set[asyncio.Task[None]] = set()
        self._logon_ends = asyncio.get_running_loop().time() + _LOGON_SECONDS

    async def hold(self) -> None:
        """Answer what the client says until it goes, or the protocol ends; then close."""
        sock = self._writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        try:
            with contextlib.suppress(OSError):  # TimeoutError is one
                await self._pace()  # not turned away: clients of this protocol do not try again
                await self._talk(self._door.new_session(self._address))
                await self._part()
        finally:
            if self._client is not None:
                self._door.orders.leave(self._client)
            self._writer.transport.abort()

    async def _talk(self, session: AcpcSession) -> None:
        """Answer until the protocol ends.  Raises OSError: the client has gone or is too slow."""
        while not session.over:
            data = await self._read()
            if not data:
                return
            for event in session.receive(data):
                await self._take(event)

    async def _read(self) -> bytes:
        """Return what the client says next; b"" where it has ended."""
        while True:
            idle = asyncio.get_running_loop().time() + _IDLE_SECONDS
            try:
                async with asyncio.timeout_at(self._logon_ends if self._client is None else idle):
                    return await self._reader.read(_READ_BYTES)
            except TimeoutError:
                if not self._orders:
                    raise

    async def _take(self, event: SessionEvent) -> None:
        """Do what an event of the session asks for."""
        if isinstance(event, LoggedOn):
            self._log_on(event.user)
        elif isinstance(event, SessionReply):
            if event.data == BAD_LOGON:
                self._door.tell("acpc logon refused", address=self._address)
            self._say(event.data)
        elif isinstance(event, QueueAsked):
            self._say(self._door.orders.status())
        elif isinstance(event, MatchesAsked):
            await self._play(event)
        await self._pace()

    def _log_on(self, user: str) -> None:
        host = self._writer.get_extra_info("sockname")[0]
        self._client = OrderingClient(user, self._address, host, self._say)
        self._door.tell("acpc logon", user=user, address=self._address)

    async def _play(self, event: MatchesAsked) -> None:
        """Begin an order; wait for its end where that is the client's only one."""
        assert self._client is not None
        task = self._door.start(self._order(event, self._client))
        self._orders.add(task)
        task.add_done_callback(self._orders.discard)
        if event.last:
            gone = asyncio.create_task(self._until_gone())
            try:
                await asyncio.wait((task, gone), return_when=asyncio.FIRST_COMPLETED)
            finally:
                gone.cancel()
            await asyncio.wait((gone,))
            if task.done():
                self._say(FINISHED)

    async def _until_gone(self) -> None:
        with contextlib.suppress(OSError):
            while await self._reader.read(_READ_BYTES):
                pass

    async def _order(self, event: MatchesAsked, client: OrderingClient) -> None:
        try:
            await self._door.orders.play(event.order, client)
        except StoreFault as error:
            self._door.hub.complain(error)
            client.complain(event.order.tag, "the server cannot write or read what it keeps")
        except ServerError as error:
            client.complain(event.order.tag, str(error))

    def _say(self, data: bytes) -> None:
        """Send something; a client that does not read what it asks for is dropped."""
        if self._writer.transport.is_closing():
            return
        self._writer.write(data)
        if self._writer.transport.get_write_buffer_size() > _MOST_UNSENT_BYTES:
            self._writer.transport.abort()

    async def _pace(self) -> None:
        """Wait until the client has read, and may ask again.  Raises OSError."""
        async with asyncio.timeout(_STALLED_SECONDS):
            await self._writer.drain()
        await asyncio.sleep(self._door.clients.ask(self._address, time.monotonic()))

    async def _part(self) -> None:
        """Let the client take all that was sent: closing at once could lose it."""
        self._writer.write_eof()
        async with asyncio.timeout(_PARTING_SECONDS):
            await self._until_gone()
