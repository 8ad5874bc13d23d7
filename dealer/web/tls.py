"""TLS between the network and plain connections, by the standard library's ssl module.

Of each connection that comes under TLS one end of a socket pair is left, on which the same bytes go
plain.  So it can be served, handed to another process or joined with a bot as any other.  A pump
between the two waits for whoever is slower, and ends one direction without the other, as TCP does.
It goes on until both directions are over, or either end is gone.
"""

import asyncio
import contextlib
import select
import socket
import ssl
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, cast

_READ_BYTES: Final = 1 << 16
_LOOK_SECONDS: Final = 0.5
"""Between two looks at whether a plain end that sends nothing more still reads."""
_PARTING_SECONDS: Final = 10.0
"""For one end to take the last bytes when the other one is gone."""
_WANT_TLS: Final = (
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
    b"this port speaks TLS: want https://\n"
)
"""For who speaks plain HTTP."""
_KEEP_ALIVE: Final = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}
"""Seconds, seconds and a count: after a minute a peer without power is lost."""


class TlsFilesError(Exception):
    """A file of keys or certificates cannot be used; the text is one clear line."""


def server_context(certificate: Path, key: Path, clients: Path | None = None) -> ssl.SSLContext:
    """Return what a server needs.

    Args:
        certificate: file with its chain of certificates (PEM).
        key: file with its private key, without a password.
        clients: file with the certificates by which clients are known; None: anybody may come.

    Raises:
        TlsFilesError: a file cannot be read, or they do not belong together.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _load_own(context, certificate, key)
    if clients is not None:
        _load_authorities(context, clients)
        context.verify_mode = ssl.CERT_REQUIRED
    return _usual(context)


def client_context(
    authorities: Path | None = None, certificate: Path | None = None, key: Path | None = None
) -> ssl.SSLContext:
    """Return what a client needs.

    Args:
        authorities: file with the certificates by which the server is known; None: the system's.
        certificate: file with the client's own, where the server wants to know it.
        key: of that certificate, in a file; None: it is in the same one.

    Raises:
        TlsFilesError: a file cannot be read, or they do not belong together.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if authorities is None:
        context.load_default_certs()
    else:
        _load_authorities(context, authorities)
    if certificate is not None:
        _load_own(context, certificate, key or certificate)
    return _usual(context)


def _usual(context: ssl.SSLContext) -> ssl.SSLContext:
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_COMPRESSION
    context.set_alpn_protocols(["http/1.1"])
    return context


def _load_own(context: ssl.SSLContext, certificate: Path, key: Path) -> None:
    for path in (certificate, key):
        _check_readable(path)
    try:
        context.load_cert_chain(certificate, key, password=lambda: b"")
    except (ssl.SSLError, ValueError) as error:
        reason = getattr(error, "reason", None) or "not PEM, or the key has a password"
        raise TlsFilesError(f"certificate {certificate} and key {key}: {reason}") from error


def _load_authorities(context: ssl.SSLContext, path: Path) -> None:
    _check_readable(path)
    try:
        context.load_verify_locations(path)
    except ssl.SSLError as error:
        raise TlsFilesError(f"{path}: no certificates in PEM form") from error


def _check_readable(path: Path) -> None:
    try:
        path.open("rb").close()
    except OSError as error:
        raise TlsFilesError(f"{path}: {error.strerror}") from error


class TlsFront:
    """Stands before a `WebServer`; see there."""

    def __init__(self, context: ssl.SSLContext, handshake_seconds: float = 10.0) -> None:
        """Take `context` as `server_context` returns it."""
        self._context = context
        self._seconds = handshake_seconds
        self._pumps: set[asyncio.Task[None]] = set()

    def renew(self, context: ssl.SSLContext) -> None:
        """Take another context, such as one of a newer certificate, for connections to come."""
        self._context = context

    async def plain(self, connection: socket.socket) -> socket.socket:
        """Return the plain end of a connection.  Raises OSError: there is none."""
        line = await secured(connection, self._context, self._seconds)
        task = asyncio.create_task(line.pump())
        self._pumps.add(task)
        task.add_done_callback(self._pumps.discard)
        return line.plain

    async def close(self) -> None:
        """Close all connections, those that were handed on, too."""
        await asyncio.sleep(0)  # a pump that has not begun would close nothing
        pumps = list(self._pumps)
        for task in pumps:
            task.cancel()
        await asyncio.gather(*pumps, return_exceptions=True)


async def secured(
    connection: socket.socket, context: ssl.SSLContext, seconds: float, host: str | None = None
) -> "TlsLine":
    """Return a connection under TLS; it is closed where that fails or is cancelled.

    Args:
        connection: does not block.
        context: of a server or of a client.
        seconds: that the handshake may take.
        host: whose certificate is wanted; None for a server.

    Raises:
        OSError: the handshake failed.
    """
    with contextlib.ExitStack() as undo:
        undo.enter_context(connection)
        _notice_dead_peer(connection)
        line = TlsLine(connection, context, host)
        async with asyncio.timeout(seconds):
            await line.shake_hands()
        line.make_pair()
        undo.pop_all()
    return line


class TlsLine:
    """One connection under TLS, and the plain end that stands for it."""

    def __init__(
        self, connection: socket.socket, context: ssl.SSLContext, host: str | None
    ) -> None:
        self.plain: socket.socket
        """The end for others; it does not block, and they have to close it."""
        self.failure = ""
        """For what the peer has given the connection up, where it said that in TLS."""
        self._connection = connection
        self._pumped: socket.socket
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(
            self._incoming, self._outgoing, server_side=host is None, server_hostname=host
        )
        self._network: _TlsEnd
        self._inside: _TlsEnd
        self._loop = asyncio.get_running_loop()

    async def shake_hands(self) -> None:
        """Agree on keys.  Raises OSError."""
        while True:
            try:
                self._tls.do_handshake()
            except ssl.SSLWantReadError:
                await self._flush()
                await self._fill()
            except ssl.SSLError as error:
                with contextlib.suppress(OSError):
                    await self._flush()  # it says why
                    if error.reason == "HTTP_REQUEST":
                        await self._loop.sock_sendall(self._connection, _WANT_TLS)
                raise
            else:
                return await self._flush()

    def make_pair(self) -> None:
        """Make the plain end.  Raises OSError."""
        self.plain, self._pumped = socket.socketpair()
        for end in (self.plain, self._pumped):
            end.setblocking(False)

    async def pump(self) -> None:
        """Carry bytes both ways, until there are none any more; then close the connection."""
        network, inside = _TlsEnd(self._from_network), _TlsEnd(self._from_inside)
        network.other, inside.other = inside, network
        self._network, self._inside = network, inside
        try:
            for end, connection in ((network, self._connection), (inside, self._pumped)):
                await self._loop.connect_accepted_socket(partial(_itself, end), connection)
            self._from_network(None)  # what came with the handshake
            for end in (network, inside):
                end.transport.resume_reading()
            await asyncio.wait([network.lost, inside.lost], return_when=asyncio.FIRST_COMPLETED)
            for end in (network, inside):
                end.transport.close()
            await asyncio.wait([network.lost, inside.lost], timeout=_PARTING_SECONDS)
        finally:
            for end in (network, inside):
                end.abort()
            await asyncio.sleep(0)
            self._pumped.close()
            self._connection.close()

    def _from_network(self, data: bytes | None) -> None:
        """Take bytes of the network, b"" for its end, None for those that are here already."""
        if data:
            self._incoming.write(data)
        elif data is not None:
            self._incoming.write_eof()
        try:
            while plain := self._tls.read(_READ_BYTES):
                self._inside.write(plain)
            self._end(self._inside)
        except ssl.SSLWantReadError:
            pass
        except (ssl.SSLEOFError, ssl.SSLZeroReturnError):
            self._end(self._inside)
        except ssl.SSLError as error:
            self.failure = reason_of(error)
            self._send()
            self._network.transport.close()
        self._send()

    def _from_inside(self, data: bytes) -> None:
        """Take bytes of the plain end, b"" for its end."""
        if data:
            self._tls.write(data)
            self._send()
            return
        with contextlib.suppress(ssl.SSLError):
            self._tls.unwrap()
        self._send()
        self._end(self._network)
        self._look()

    def _send(self) -> None:
        if data := self._outgoing.read():
            self._network.write(data)

    def _end(self, end: "_TlsEnd") -> None:
        """End one direction; after both the connection is over."""
        end.write_eof()
        if end.other.ended:
            self._network.transport.close()

    def _look(self) -> None:
        """End the connection once nobody reads at the plain end any more."""
        if not self._inside.lost.done():
            if _is_closed(self._pumped):
                self._inside.transport.close()
            else:
                self._loop.call_later(_LOOK_SECONDS, self._look)

    async def _fill(self) -> None:
        """Wait for bytes of the network, after others had their turn."""
        await asyncio.sleep(0)
        if data := await self._loop.sock_recv(self._connection, _READ_BYTES):
            self._incoming.write(data)
        else:
            self._incoming.write_eof()

    async def _flush(self) -> None:
        """Send what is ready."""
        if data := self._outgoing.read():
            await self._loop.sock_sendall(self._connection, data)


class _TlsEnd(asyncio.Protocol):
    """One end of a pump; it is not read while the other one cannot send."""

    def __init__(self, take: Callable[[bytes], None]) -> None:
        self.transport: asyncio.Transport
        self.other: _TlsEnd
        self.ended = False
        """Whether nothing more is sent here."""
        self.lost: Final = asyncio.get_running_loop().create_future()
        self._take = take
        self._over = False

    def write(self, data: bytes) -> None:
        """Send bytes, if anybody is there."""
        if not (self.ended or self.transport.is_closing()):
            self.transport.write(data)

    def write_eof(self) -> None:
        """Send nothing more; idempotent."""
        if not (self.ended or self.transport.is_closing()):
            self.transport.write_eof()
        self.ended = True

    def abort(self) -> None:
        """Close the connection at once, if there is one."""
        if hasattr(self, "transport"):
            self.transport.abort()

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport; it is read once the other one is there, too."""
        self.transport = cast(asyncio.Transport, transport)
        self.transport.pause_reading()

    def data_received(self, data: bytes) -> None:
        """Hand on what has come."""
        self._take(data)

    def eof_received(self) -> bool:
        """Hand on that nothing more comes; the connection stays."""
        if not self._over:
            self._over = True
            self._take(b"")
        return True

    def pause_writing(self) -> None:
        """Hold the other end up."""
        self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        """Let the other end go on."""
        self.other.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the connection is closed."""
        if not self.lost.done():
            self.lost.set_result(None)


def _itself(end: _TlsEnd) -> _TlsEnd:
    return end


def reason_of(error: ssl.SSLError) -> str:
    """Return what OpenSSL says is wrong, in small letters."""
    return str(getattr(error, "reason", "") or error).replace("_", " ").lower()


def _is_closed(plain: socket.socket) -> bool:
    """Return whether the other end of a pair is closed, and not only says nothing more."""
    poll = select.poll()
    poll.register(plain, 0)
    return any(event & select.POLLHUP for _, event in poll.poll(0))


def _notice_dead_peer(connection: socket.socket) -> None:
    """Have the system ask now and then whether a silent peer is there."""
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _KEEP_ALIVE.items():
            if (option := getattr(socket, name, None)) is not None:
                connection.setsockopt(socket.IPPROTO_TCP, option, value)
