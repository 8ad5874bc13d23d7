"""One seat's connection: bytes in and out, without decisions.

The asyncio side of `protocol.dealer_end.DealerEnd`.  A seat's unread bytes are bounded by pausing
its transport; its unsent bytes by telling the match to hold until they are gone.  All bytes go
through the transport, which may encrypt them; only the fast lane reads and writes the socket of one
that does not.
"""

import asyncio
import contextlib
import os
import socket
import struct
from asyncio.trsock import TransportSocket
from typing import Final, Protocol, cast

from dealer.server.clock import Clock, Timeout
from protocol.dealer_end import DealerEnd

READ_BYTES: Final = 65536
MAX_UNREAD_BYTES: Final = 65536
_TCP_FAMILIES: Final = (socket.AF_INET, socket.AF_INET6)
"""Of sockets that may hold back what is sent; those of pairs send at once."""
_PROBE_OPTIONS: Final = {
    "TCP_KEEPIDLE": 1,
    "TCP_KEEPINTVL": 1,
    "TCP_KEEPCNT": 3,
    "TCP_USER_TIMEOUT": 4000,
}
"""The system wants seconds, seconds, a count and milliseconds."""


class SeatWatcher(Protocol):
    """Receives a seat's events: the match it plays in, or the wait for its handshake."""

    def seat_readable(self, seat: "Seat") -> None:
        """New bytes, or the end of the stream."""

    def seat_lost(self, seat: "Seat") -> None:
        """The connection is gone in both directions."""

    def seat_writable(self, seat: "Seat") -> None:
        """The bytes held back by a slow reader have been sent."""


class Seat(asyncio.BufferedProtocol):
    """A connected agent: the protocol of its transport; replaced when the agent reconnects."""

    def __init__(self, index: int, watcher: SeatWatcher) -> None:
        self.index = index
        """Seat index, 0-based."""
        self.watcher = watcher
        self.end = DealerEnd()
        self.lost = False
        """True once the connection is gone in both directions."""
        self.departure = asyncio.Event()
        """Set once the agent sends nothing more."""
        self.congested = False
        """True while the agent does not read what it was sent."""
        self._buffer = bytearray(READ_BYTES)
        self._view = memoryview(self._buffer)
        self.paused = False
        """True while it is not read because too much lies unused."""
        self._since_check = 0
        self._transport: asyncio.Transport | None = None
        self._socket: TransportSocket | None = None
        """Where what is sent leaves as it is; None under encryption."""
        self._closed = asyncio.Event()

    def send(self, message: bytes) -> bool:
        """Send whole lines; return False when the connection cannot take them any more."""
        if self.lost or self._transport is None:
            return False
        self._transport.write(message)
        return not self._transport.is_closing()

    def resume(self) -> None:
        """Read on after a pause, if enough of what was read has been used up."""
        if self.end.pending < MAX_UNREAD_BYTES and self._transport is not None:
            self.paused = False
            self._since_check = self.end.pending
            self._transport.resume_reading()

    def _check_unread(self) -> None:
        """Stop reading when too much is unread; called only after that many more bytes came."""
        self._since_check = self.end.pending
        if self._since_check >= MAX_UNREAD_BYTES and self._transport is not None:
            self.paused = True
            self._transport.pause_reading()

    @property
    def fits_lane(self) -> bool:
        """Whether the socket can be taken out of the event loop and brought back."""
        return not (
            self.lost
            or self.paused
            or self.congested
            or self._socket is None
            or self._transport is None
            or self._transport.is_closing()
            or self._transport.get_write_buffer_size() > 0
        )

    def leave_loop(self, patience: float) -> tuple[int, bytes]:
        """Take the socket out of the event loop, for a caller that blocks in system calls.

        Args:
            patience: how long a read may block, seconds.

        Returns:
            The socket's descriptor, and the bytes that were received and not used yet.
        """
        assert self._socket is not None
        assert self._transport is not None
        if not self.departure.is_set():
            self._transport.pause_reading()
        microseconds = round(patience * 1e6)
        limit = struct.pack("@ll", microseconds // 1_000_000, microseconds % 1_000_000)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
        os.set_blocking(self._socket.fileno(), True)
        return self._socket.fileno(), self.end.take_unread()

    def join_loop(self, unused: bytes) -> None:
        """Bring the socket back, and what was read and not used up."""
        assert self._socket is not None
        assert self._transport is not None
        os.set_blocking(self._socket.fileno(), False)
        if self._socket.family in _TCP_FAMILIES:
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # sends what is held
        self.end.put_back(unused)
        if not self.departure.is_set():
            self._transport.resume_reading()
        self._check_unread()

    def probe(self) -> None:
        """Make the operating system check that the peer still reads.

        A connection to a peer that does not, such as a machine without power, is lost seconds
        later.
        """
        if self._transport is None:
            return
        connection = self._transport.get_extra_info("socket")
        with contextlib.suppress(OSError):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for name, value in _PROBE_OPTIONS.items():
                if (option := getattr(socket, name, None)) is not None:
                    connection.setsockopt(socket.IPPROTO_TCP, option, value)

    def abort(self) -> None:
        """Drop the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    async def aclose(self, clock: Clock, seconds: float) -> None:
        """Close after sending what is still unsent, at most for `seconds`; idempotent."""
        if self._transport is None or self.lost:
            return
        self._transport.close()
        try:
            async with Timeout(clock, clock.monotonic() + seconds):
                await self._closed.wait()
        except TimeoutError:
            self._transport.abort()

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast(asyncio.Transport, transport)
        if transport.get_extra_info("sslcontext") is None:
            self._socket = transport.get_extra_info("socket")

    def get_buffer(self, sizehint: int) -> bytearray:
        """Return the one read buffer."""
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Take what arrived."""
        self.end.receive(bytes(self._view[:nbytes]))
        self.watcher.seat_readable(self)
        self._since_check += nbytes
        if self._since_check >= MAX_UNREAD_BYTES:
            self._check_unread()

    def eof_received(self) -> bool:
        """Note that the agent sends nothing more; it is still sent to."""
        self.end.eof()
        self.departure.set()
        self.watcher.seat_readable(self)
        return self._socket is not None  # an encrypted connection cannot be half closed

    def pause_writing(self) -> None:
        """Hold the match: the agent does not read."""
        self.congested = True

    def resume_writing(self) -> None:
        """Release the match."""
        self.congested = False
        self.watcher.seat_writable(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the connection is gone."""
        self.lost = True
        self.congested = False
        self._closed.set()
        self.departure.set()
        self.end.eof()
        self.watcher.seat_lost(self)
