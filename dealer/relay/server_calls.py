"""Calls of a server: a connection for each, plain or under TLS, with the token in a field.

What goes wrong is one of two things.  `ServerUnreachable` is for another time: no connection, no
answer, an overloaded server.  `ServerRefusal` is the server's last word on a call.
"""

import asyncio
import contextlib
import json
import os
import re
import socket
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

from dealer.relay.http_replies import (
    EventReader,
    NoHttpError,
    ReplyError,
    ReplyHead,
    ReplyReader,
    ServerEvent,
    format_request,
)
from dealer.web.tls import TlsLine, reason_of, secured
from engine.console.version import program_version
from engine.storage.documents import json_document

CALL_SECONDS: Final = 30.0
SILENCE_SECONDS: Final = 45.0
"""Three heartbeats of a stream that did not come."""
_READ_BYTES: Final = 1 << 16
_MOST_BODY_BYTES: Final = 1 << 20
_MOST_WAIT: Final = 86400.0
_PROTOCOL: Final = "acpc"
_EVENTS: Final = "text/event-stream"
_MOST_MESSAGE_LETTERS: Final = 300
_TOO_MANY: Final = 429
_SWITCHED: Final = 101
_PLAIN_REASONS: Final = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "PACKET_LENGTH_TOO_LONG")
"""What OpenSSL calls an answer that is not TLS."""
_PORTS: Final = {"http": 80, "https": 443}


class ServerUnreachable(Exception):
    """A server cannot be reached now, or wants to be asked later."""

    def __init__(
        self,
        reason: str,
        retry_after: float = 0.0,
        *,
        answered: bool = False,
        lasting: bool = False,
    ) -> None:
        super().__init__(reason)
        self.retry_after: Final = retry_after
        """Seconds that the server wants to be left alone."""
        self.answered: Final = answered
        """Whether it is there, and said so."""
        self.lasting: Final = lasting
        """Whether it stays so until somebody changes something here or there."""


class ServerRefusal(Exception):
    """A server does not do what it was asked for, now or later."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status: Final = status
        self.code: Final = code
        """A word for programs, "" where there is none."""


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where a server is."""

    scheme: str
    host: str
    port: int
    path: str = ""
    """Before that of each call; no "/" at its end."""

    @property
    def url(self) -> str:
        """Its address in one word."""
        return f"{self.scheme}://{self.authority}{self.path}"

    @property
    def authority(self) -> str:
        """The field Host."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def link(self) -> str:
        """Where its pages begin."""
        return f"{self.scheme}://{self.authority}{self.path}/"


def parse_url(text: str) -> ServerAddress:
    """Return the address in http://HOST[:PORT][/PATH] or https://...  Raises ValueError."""
    parts = urlsplit(text)
    if parts.scheme not in _PORTS or not parts.hostname:
        raise ValueError("want http://HOST[:PORT] or https://HOST[:PORT]")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ValueError("want no user, password, query or fragment in it: the token has its file")
    if re.search(r"[^!-~]", text):
        raise ValueError("want ASCII letters without blanks")
    port = parts.port or _PORTS[parts.scheme]
    return ServerAddress(parts.scheme, parts.hostname, port, parts.path.rstrip("/"))


class ServerStream:
    """One connection to a server, after its request: a head has come, the rest is to be read."""

    def __init__(self, plain: socket.socket, line: TlsLine | None) -> None:
        self.reader: asyncio.StreamReader
        self.writer: asyncio.StreamWriter
        self.rest = b""
        """After a switch of protocols: what has come already."""
        self.replies: Final = ReplyReader()
        self._plain = plain
        self._line = line
        self._pump = None if line is None else asyncio.create_task(line.pump())

    async def open(self) -> None:
        """Make it readable and writable."""
        self.reader, self.writer = await asyncio.open_connection(sock=self._plain)

    async def read(self, seconds: float) -> bytes:
        """Return the next bytes.  Raises ServerUnreachable: none come."""
        try:
            async with asyncio.timeout(seconds):
                data = await self.reader.read(_READ_BYTES)
        except TimeoutError:
            raise ServerUnreachable(f"the server said nothing for {seconds:g} seconds") from None
        except OSError as error:
            raise ServerUnreachable(f"the connection was lost: {error}") from error
        if not data and self._line is not None and self._pump is not None:
            await asyncio.wait([self._pump], timeout=1.0)
            if self._line.failure:
                raise ServerUnreachable(_tls_fault(self._line.failure), lasting=True)
        return data

    async def close(self) -> None:
        """Close the connection."""
        self.writer.close()
        with contextlib.suppress(OSError):
            await self.writer.wait_closed()
        if self._pump is not None:
            await asyncio.wait([self._pump], timeout=1.0)
            self._pump.cancel()


@dataclass(frozen=True, slots=True)
class Server:
    """A server and who calls it."""

    address: ServerAddress
    token: str = field(repr=False)
    context: ssl.SSLContext | None = None
    """For https."""
    call_seconds: float = CALL_SECONDS
    silence_seconds: float = SILENCE_SECONDS

    async def call(
        self,
        method: str,
        *path: str,
        document: object = None,
        query: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        """Return what a call is answered with, {} for nothing.

        Args:
            path: its parts behind that of the address, as they are.
            document: goes along; None: nothing does.
            query: stands behind "?".

        Raises:
            ServerUnreachable, ServerRefusal.
        """
        async with self._asked(method, path, {}, document, query) as (stream, _):
            with _as_unreachable():
                async with asyncio.timeout(self.call_seconds):
                    return _object(await self._body(stream))

    async def events(
        self, *path: str, query: Mapping[str, str]
    ) -> AsyncGenerator[ServerEvent | None, None]:
        """Yield None once a stream of events is there, then its events.

        Raises:
            ServerUnreachable: the stream has ended, or nothing came for too long.
            ServerRefusal: there is no such stream.
        """
        reader = EventReader()
        async with self._asked("GET", path, {"Accept": _EVENTS}, query=query) as (stream, _):
            yield None
            while not stream.replies.over:
                with _as_unreachable():
                    events = list(reader.read(stream.replies.read_body()))
                for event in events:
                    yield event
                stream.replies.feed(await stream.read(self.silence_seconds))
        raise ServerUnreachable("the server has ended the stream")

    @contextlib.asynccontextmanager
    async def switched(
        self, *path: str, query: Mapping[str, str] | None = None
    ) -> AsyncIterator[ServerStream]:
        """Yield a connection that speaks ACPC.

        Raises:
            ServerUnreachable, ServerRefusal.
        """
        fields = {"Connection": "Upgrade", "Upgrade": _PROTOCOL}
        async with self._asked("GET", path, fields, query=query) as (stream, head):
            if head.status != _SWITCHED:
                raise ServerRefusal(head.status, "", "it, or a proxy, does not switch protocols")
            stream.rest = stream.replies.take_rest()
            yield stream

    @contextlib.asynccontextmanager
    async def _asked(
        self,
        method: str,
        path: tuple[str, ...],
        fields: dict[str, str],
        document: object = None,
        query: Mapping[str, str] | None = None,
    ) -> AsyncIterator[tuple[ServerStream, ReplyHead]]:
        """Yield a connection and the head of a response that is no refusal."""
        target = "/".join((self.address.path, *(quote(part, safe="") for part in path)))
        if query is not None:
            target += f"?{urlencode(query)}"
        body = b"" if document is None else json.dumps(document).encode()
        usual = {
            "Host": self.address.authority,
            "User-Agent": f"acpc-arena/{program_version()}",
            "Authorization": f"Bearer {self.token}",
            "Connection": "close",
        }
        request = format_request(method, target, {**usual, **fields}, body)
        with _as_unreachable():
            async with asyncio.timeout(self.call_seconds):
                stream = await self._connected()
        try:
            with _as_unreachable():
                async with asyncio.timeout(self.call_seconds):
                    stream.writer.write(request)
                    while (head := stream.replies.read_head()) is None:
                        stream.replies.feed(await stream.read(self.call_seconds))
                    if head.status >= 300:
                        raise _refusal(head, await self._body(stream))
            yield stream, head
        finally:
            await stream.close()

    async def _connected(self) -> ServerStream:
        """Return a connection.  Raises OSError."""
        address, loop = self.address, asyncio.get_running_loop()
        failure = OSError(f"no address of {address.host} is known")
        kind = socket.SOCK_STREAM
        for family, _, _, _, sockaddr in await loop.getaddrinfo(
            address.host, address.port, type=kind
        ):
            plain = socket.socket(family, kind)
            try:
                plain.setblocking(False)
                await loop.sock_connect(plain, sockaddr)
                plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                line = None
                if self.context is not None:
                    line = await secured(plain, self.context, self.call_seconds, address.host)
                    plain = line.plain
            except OSError as error:
                plain.close()
                failure = error
                continue
            except BaseException:
                plain.close()
                raise
            stream = ServerStream(plain, line)
            await stream.open()
            return stream
        raise failure

    async def _body(self, stream: ServerStream) -> bytes:
        """Return the whole body.  Raises ReplyError, ServerUnreachable."""
        body = stream.replies.read_body()
        while not stream.replies.over:
            if len(body) > _MOST_BODY_BYTES:
                raise ReplyError("the response is too long")
            stream.replies.feed(await stream.read(self.call_seconds))
            body += stream.replies.read_body()
        return body


@contextlib.contextmanager
def _as_unreachable() -> Iterator[None]:
    """Make one exception of all that can go wrong on the way."""
    try:
        yield
    except TimeoutError as error:
        raise ServerUnreachable("no answer in time") from error
    except NoHttpError as error:
        raise ServerUnreachable(str(error), lasting=True) from error
    except ssl.SSLCertVerificationError as error:
        reason = f"its certificate is not trusted: {error.verify_message}"
        raise ServerUnreachable(reason, lasting=True) from error
    except (ssl.SSLEOFError, ssl.SSLSyscallError) as error:
        raise ServerUnreachable("the connection was lost") from error
    except ssl.SSLError as error:
        plain = error.reason in _PLAIN_REASONS
        reason = (
            "what answers does not speak TLS: want http://"
            if plain
            else _tls_fault(reason_of(error))
        )
        raise ServerUnreachable(reason, lasting=True) from error
    except (OSError, ReplyError) as error:
        number = error.errno if isinstance(error, ConnectionError) else None
        reason = os.strerror(number) if number else str(error)
        raise ServerUnreachable(reason or "no connection") from error


def _tls_fault(reason: str) -> str:
    """Return what is wrong with TLS, and what helps where that is known."""
    wanted = "certificate required" in reason
    return f"TLS: {reason}" + (": the server wants to see one, by --cert FILE" if wanted else "")


def _refusal(head: ReplyHead, body: bytes) -> ServerUnreachable | ServerRefusal:
    """Return what a response of another status than 2xx means."""
    code, message = "", body.decode("utf-8", "replace").strip().partition("\n")[0]
    with contextlib.suppress(ReplyError):
        document = _object(body)
        code, message = str(document.get("error", "")), str(document.get("message", ""))
    message = f"{message[:_MOST_MESSAGE_LETTERS] or 'no reason'} ({head.status})"
    if head.status >= 500 or head.status == _TOO_MANY:
        wait = head.fields.get("retry-after", "")
        seconds = min(_MOST_WAIT, float(wait)) if wait.isascii() and wait.isdigit() else 0.0
        return ServerUnreachable(message, seconds, answered=True)
    return ServerRefusal(head.status, code, message)


def _object(body: bytes) -> dict[str, Any]:
    """Return the JSON object in a body, {} in none.  Raises ReplyError."""
    try:
        document = json_document(body) if body else {}
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise ReplyError("the response is no JSON object")
    return document
