"""A small web server: connections and their time limits; what is answered is a handler's matter.

Nothing is read while a response is being made or sent, so that a client that asks without reading
holds up itself alone, and no more than one delivery of its bytes is kept.  Between two of anything
the others have their turn: a socket that is ready does its part without waiting, and so a client
that floods would never let go.
"""

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from email.utils import formatdate
from functools import partial
from typing import Final, TypeAlias

from dealer.web.http_requests import Refusal, Request, RequestReader
from dealer.web.http_responses import OutgoingResponse, Response, response_to

Handler: TypeAlias = Callable[[Request], Awaitable[Response]]
"""Answers a request; may raise `Refusal`."""
_RECEIVED_BYTES: Final = 1 << 16
_BACKLOG: Final = 128
_FAULT: Final = Refusal(500, "an error of the server")
_PAUSE_SECONDS: Final = 0.1
"""After a connection that could not be accepted, as for want of descriptors."""


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


def listen_at(address: str, port: int) -> socket.socket:
    """Return a listening socket.

    Args:
        address: a name or an IP address.
        port: 0 is any that is free.

    Raises:
        OSError: the port is taken, or the address is not this machine's.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listening = socket.create_server((address, port), family=family, backlog=_BACKLOG)
    listening.setblocking(False)
    return listening


class WebServer:
    """Serves a handler over TCP."""

    def __init__(
        self,
        handler: Handler,
        fields: Mapping[str, str],
        tell: Callable[[str], None],
        limits: WebLimits | None = None,
    ) -> None:
        """Serve nobody yet.

        Args:
            handler: answers each request.
            fields: of every response.
            tell: hears in one line of responses that failed by an error of ours.
            limits: None are the usual ones.
        """
        self._handler = handler
        self._fields = fields
        self._tell = tell
        self._limits = WebLimits() if limits is None else limits
        self._conversations: set[asyncio.Task[None]] = set()

    async def serve(self, listening: socket.socket, stop: asyncio.Event) -> None:
        """Serve all who connect until `stop` is set; then close all connections."""
        async with asyncio.TaskGroup() as group:
            accepting = group.create_task(self._accept(listening, group))
            await stop.wait()
            for task in (accepting, *self._conversations):
                task.cancel()

    async def _accept(self, listening: socket.socket, group: asyncio.TaskGroup) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(0)
            try:
                connection, _ = await loop.sock_accept(listening)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            except OSError:
                await asyncio.sleep(_PAUSE_SECONDS)
                continue
            if len(self._conversations) == self._limits.connections:
                self._turn_away(connection)
                continue
            task = group.create_task(self._converse(connection))
            self._conversations.add(task)
            task.add_done_callback(self._conversations.discard)

    def _turn_away(self, connection: socket.socket) -> None:
        refusal = Refusal(503, f"{self._limits.connections} connections are open already")
        with connection, contextlib.suppress(OSError):
            connection.send(self._outgoing(response_to(refusal), None).start)

    async def _converse(self, connection: socket.socket) -> None:
        """Answer the requests of one connection, one after the other, and close it."""
        with connection, contextlib.suppress(OSError):
            reader = RequestReader()
            try:
                while request := await self._next_request(connection, reader):
                    if not await self._answer(connection, request):
                        break
            except Refusal as refusal:
                await self._refuse(connection, refusal)
            except OSError:
                raise
            except Exception as error:  # one connection is not to end the others
                self._tell_of(error)
                await self._refuse(connection, _FAULT)
            await self._part(connection)

    async def _refuse(self, connection: socket.socket, refusal: Refusal) -> None:
        await self._send(connection, self._outgoing(response_to(refusal), None).start)

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

    async def _answer(self, connection: socket.socket, request: Request) -> bool:
        """Send the response to a request; return whether another may follow.

        Raises:
            OSError: the client has gone, or does not read.
        """
        try:
            gone = partial(_has_gone, connection)
            response = await self._handler(replace(request, gone=gone))
        except Refusal as refusal:
            response = response_to(refusal)
        except Exception as error:
            response = response_to(_FAULT)
            self._tell_of(error)
        try:
            outgoing = self._outgoing(response, request)
            await self._send(connection, outgoing.start)
            if outgoing.streamed:
                await self._stream(connection, response, outgoing)
            return outgoing.keep_alive
        finally:
            response.close()

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


async def _received(connection: socket.socket) -> bytes:
    """Return the next bytes, b"" at the end of the stream, after others had their turn."""
    await asyncio.sleep(0)
    return await asyncio.get_running_loop().sock_recv(connection, _RECEIVED_BYTES)
