"""A small web server: connections and their time limits; what is answered is a handler's matter.

Nothing is read while a response is being made or sent, so that a client that asks without reading
holds up itself alone, and no more than one delivery of its bytes is kept.  Between two of anything
the others have their turn: a socket that is ready does its part without waiting, and so a client
that floods would never let go.
"""

import asyncio
import contextlib
import secrets
import socket
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from email.utils import formatdate
from functools import partial
from typing import Final, Protocol, TypeAlias

from dealer.web.clients import ClientLimits, Clients
from dealer.web.http_requests import Refusal, Request, RequestReader
from dealer.web.http_responses import OutgoingResponse, Response, Takeover, response_to

Handler: TypeAlias = Callable[[Request], Awaitable[Response]]
"""Answers a request; may raise `Refusal`."""
_RECEIVED_BYTES: Final = 1 << 16
BACKLOG: Final = 4096
"""Connections that wait to be accepted, as far as the system lets them.  Where a flood has filled a
short queue, the system resets connections of others."""
_ACCEPTED_AT_ONCE: Final = 32
_USER_TIMEOUT: Final[int | None] = getattr(socket, "TCP_USER_TIMEOUT", None)
_SILENT_MS: Final = 45_000
"""A client that acknowledges nothing for so long, as one without power, is gone."""
_FAULT: Final = Refusal(500, "an error of the server")
_PAUSE_SECONDS: Final = 0.1
"""After a connection that could not be accepted, as for want of descriptors."""


class Front(Protocol):
    """What stands between the network and a server, such as encryption."""

    async def plain(self, connection: socket.socket) -> socket.socket:
        """Return a connection that is served in the place of an accepted one.

        The accepted one is the front's from here on, also where this fails or is cancelled.

        Raises:
            OSError: there is none.
        """


@dataclass(frozen=True, slots=True)
class WebLimits:
    """What a client may take of a server."""

    connections: int = 256
    """At a time, of all clients together."""
    request_seconds: float = 10.0
    """From a request's first byte to its last."""
    idle_seconds: float = 60.0
    """Between requests, and before the first one."""
    stalled_seconds: float = 60.0
    """Without reading any of what is sent."""
    parting_seconds: float = 1.0
    """To take the last response before the connection is closed."""
    client: ClientLimits | None = None
    """Of one client; who is turned away is then told when to come back.  None: no such limits."""
    patient: tuple[str, ...] = ()
    """Beginnings of paths whose clients would not come back: they wait for their turn instead.
    Where there are any, so do new connections, since nobody knows yet what they are for."""


def listen_at(address: str, port: int) -> socket.socket:
    """Return a listening socket.

    Args:
        address: a name or an IP address.
        port: 0 is any that is free.

    Raises:
        OSError: the port is taken, or the address is not this machine's.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listening = socket.create_server((address, port), family=family, backlog=BACKLOG)
    listening.setblocking(False)
    return listening


def spread(seconds: float) -> float:
    """Return up to twice the time: who is refused together is not to come back together."""
    return seconds * (1 + secrets.randbelow(1024) / 1024)


class WebServer:
    """Serves a handler over TCP."""

    def __init__(
        self,
        handler: Handler,
        fields: Mapping[str, str],
        tell: Callable[[str], None],
        limits: WebLimits | None = None,
        *,
        front: Front | None = None,
        refuse: Callable[[Refusal], Response] = response_to,
    ) -> None:
        """Serve nobody yet.

        Args:
            handler: answers each request.
            fields: of every response.
            tell: hears in one line of responses that failed by an error of ours.
            limits: None are the usual ones.
            front: that connections come through; None: they come as they are.
            refuse: returns the response to a refusal.
        """
        self._handler = handler
        self._fields = fields
        self._tell = tell
        self._limits = WebLimits() if limits is None else limits
        self._clients = None if self._limits.client is None else Clients(self._limits.client)
        self._front = front
        self._response_to = refuse
        self._conversations: set[asyncio.Task[None]] = set()
        self._group: asyncio.TaskGroup | None = None

    async def serve(self, listening: socket.socket | None, stop: asyncio.Event) -> None:
        """Serve until `stop` is set; then close all connections.

        Args:
            listening: all who connect there are served; None: only who is brought, see `take`.
            stop: is set by whoever ends it.
        """
        async with asyncio.TaskGroup() as self._group:
            accepting = (
                [] if listening is None else [self._group.create_task(self._accept(listening))]
            )
            await stop.wait()
            for task in accepting:
                task.cancel()
            await asyncio.sleep(0)  # a task that has not begun would not close its connection
            for task in self._conversations:
                task.cancel()
        self._group = None

    def take(self, connection: socket.socket, address: str) -> None:
        """Serve a connection that somebody has accepted, or turn it away; it is the server's now.

        While nothing is served it is closed.

        Args:
            connection: does not block.
            address: IP address of its other end, "" for none.
        """
        if self._group is None:
            connection.close()
        elif len(self._conversations) == self._limits.connections:
            reason = f"{self._limits.connections} connections are open already"
            wait = None if self._clients is None else spread(1.0)
            self._turn_away(connection, Refusal(503, reason, seconds=wait))
        elif self._clients and (wait := self._too_early(self._clients, address)):
            refusal = Refusal(
                429, "too many connections", code="too_many_connections", seconds=spread(wait)
            )
            self._turn_away(connection, refusal)
        else:
            task = self._group.create_task(self._converse(connection, address))
            self._conversations.add(task)
            task.add_done_callback(partial(self._leave, address))

    def _too_early(self, clients: Clients, address: str) -> float:
        """Count a new connection and return 0, or in how many seconds it may come."""
        if self._limits.patient:
            return 0.0 if clients.admit(address) else 1.0
        return clients.connect(address, time.monotonic())

    def _leave(self, address: str, task: asyncio.Task[None]) -> None:
        self._conversations.discard(task)
        if self._clients is not None:
            self._clients.disconnect(address)

    async def _accept(self, listening: socket.socket) -> None:
        while True:
            await asyncio.sleep(0)
            await _readable(listening)
            try:
                for _ in range(_ACCEPTED_AT_ONCE):
                    connection, address = listening.accept()
                    connection.setblocking(False)
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    if _USER_TIMEOUT is not None:
                        connection.setsockopt(socket.IPPROTO_TCP, _USER_TIMEOUT, _SILENT_MS)
                    self.take(connection, address[0])
            except BlockingIOError:
                continue
            except OSError:
                await asyncio.sleep(_PAUSE_SECONDS)

    def _turn_away(self, connection: socket.socket, refusal: Refusal) -> None:
        with connection, contextlib.suppress(OSError):
            if self._front is None:
                connection.send(self._outgoing(self._response_to(refusal), None).start)

    async def _converse(self, connection: socket.socket, address: str) -> None:
        """Answer the requests of one connection, one after the other, and close it."""
        if self._front is not None:
            try:
                connection = await self._front.plain(connection)
            except OSError:
                return
        with connection, contextlib.suppress(OSError):
            if self._limits.patient and self._clients is not None:
                await asyncio.sleep(self._clients.reserve(address, time.monotonic(), needed=2))
            reader = RequestReader()
            try:
                while request := await self._next_request(connection, reader):
                    gone = partial(_has_gone, connection)
                    request = replace(request, gone=gone, client=address)
                    if not await self._answer(connection, reader, request):
                        break
            except Refusal as refusal:
                await self._refuse(connection, refusal)
            except OSError:
                raise
            except Exception as error:  # one connection is not to end the others
                self._tell_of(error)
                await self._refuse(connection, _FAULT)
            if connection.fileno() >= 0:
                await self._part(connection)

    async def _refuse(self, connection: socket.socket, refusal: Refusal) -> None:
        await self._send(connection, self._outgoing(self._response_to(refusal), None).start)

    async def _next_request(
        self, connection: socket.socket, reader: RequestReader
    ) -> Request | None:
        """Return the next request; None where none comes any more.  Raises Refusal, OSError."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._limits.idle_seconds
        begun = False
        while (request := reader.next_request()) is None and not reader.over:
            if reader.begun and not begun:
                begun = True
                deadline = loop.time() + self._limits.request_seconds
            await self._send(connection, reader.reply_due())
            timeout = asyncio.timeout_at(deadline)
            try:
                async with timeout:
                    data = await _received(connection)
            except TimeoutError:
                if begun and timeout.expired():
                    raise Refusal(408, "the request took too long to come") from None
                return None
            if data:
                reader.feed(data)
            else:
                reader.finish()
        return request

    async def _answer(
        self, connection: socket.socket, reader: RequestReader, request: Request
    ) -> bool:
        """Send the response to a request; return whether another may follow.

        Raises:
            OSError: the client has gone, or does not read.
        """
        try:
            response = await self._handler(await self._counted(request))
        except Refusal as refusal:
            response = self._response_to(refusal)
        except Exception as error:
            response = self._response_to(_FAULT)
            self._tell_of(error)
        try:
            outgoing = self._outgoing(response, request)
            await self._send(connection, outgoing.start)
            if outgoing.streamed:
                await self._stream(connection, response, outgoing)
            if response.takeover is not None:
                _hand_over(connection, response.takeover, reader.take_rest())
                return False
            return outgoing.keep_alive
        finally:
            response.close()

    async def _counted(self, request: Request) -> Request:
        """Return a request with the address of who asks.  Raises Refusal: it asks too often."""
        if self._clients is None:
            return request
        forwarded = request.fields.get("x-forwarded-for", "")
        client = self._clients.asking(request.client, forwarded)
        if request.path.startswith(self._limits.patient):
            await asyncio.sleep(self._clients.reserve(client, time.monotonic()))
        elif wait := self._clients.ask(client, time.monotonic()):
            raise Refusal(429, "too many requests", seconds=spread(wait))
        return replace(request, client=client)

    async def _stream(
        self, connection: socket.socket, response: Response, outgoing: OutgoingResponse
    ) -> None:
        """Send a body while it is made.  Raises OSError: it was not sent to its end."""
        assert not isinstance(response.body, bytes)
        async with contextlib.aclosing(response.body) as pieces:
            while True:
                try:
                    piece = await anext(pieces, None)
                except Exception as error:
                    self._tell_of(error)
                    raise ConnectionAbortedError from error
                if piece is None:
                    break
                await self._send(connection, outgoing.piece(piece))
        await self._send(connection, outgoing.end)

    def _outgoing(self, response: Response, request: Request | None) -> OutgoingResponse:
        fields = {"Date": formatdate(usegmt=True), **self._fields}
        return OutgoingResponse(response, request, fields)

    async def _send(self, connection: socket.socket, data: bytes) -> None:
        if data:
            await asyncio.sleep(0)
            async with asyncio.timeout(self._limits.stalled_seconds):
                await asyncio.get_running_loop().sock_sendall(connection, data)

    async def _part(self, connection: socket.socket) -> None:
        """Let the client take all that was sent: closing at once could lose it."""
        connection.shutdown(socket.SHUT_WR)
        async with asyncio.timeout(self._limits.parting_seconds):
            while await _received(connection):
                pass

    def _tell_of(self, error: Exception) -> None:
        self._tell(f"{type(error).__name__}: {error}")


def _has_gone(connection: socket.socket) -> bool:
    """Return whether a client has closed its end, and nothing of it is left to read."""
    try:
        return not connection.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    except OSError:
        return True


def _hand_over(connection: socket.socket, takeover: Takeover, received: bytes) -> None:
    """Give a connection away; what it was until now is closed."""
    given = socket.socket(fileno=connection.detach())
    try:
        given.setblocking(False)
        takeover(given, received)
    except BaseException:
        given.close()
        raise


async def _received(connection: socket.socket) -> bytes:
    """Return the next bytes, b"" at the end of the stream, after others had their turn."""
    await asyncio.sleep(0)
    return await asyncio.get_running_loop().sock_recv(connection, _RECEIVED_BYTES)


async def _readable(listening: socket.socket) -> None:
    """Wait for a connection; a loop's `sock_accept` loses one that comes as it is cancelled."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(listening, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(listening)
