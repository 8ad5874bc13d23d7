"""Where agents come from, and how they become seats that have said which protocol they speak."""

import asyncio
import hmac
import math
import select
import socket
from collections import deque
from collections.abc import Sequence
from functools import partial
from typing import Final, Protocol

from dealer.server.clock import Clock, Timeout
from dealer.server.endings import Ending, MatchEnd, MatchStopped, error_ending
from dealer.server.observers import Observers
from dealer.server.seat import Seat, SeatWatcher
from dealer.server.waits import WaitWatch
from protocol.errors import UnsupportedVersion
from protocol.events import EndOfStream, VersionLine
from protocol.handshake import Version, check_version, read_token

BACKLOG: Final = 8
HANDSHAKE_SECONDS: Final = 10.0
MAX_NEWCOMERS: Final = 16
"""At a seat at a time; of those who have not said their version one more makes the oldest go.  An
agent that belongs here says its version at once, so it is not among the oldest."""
SILENT_GUEST_SECONDS: Final = 3.0
"""With a token to a seat, a silent connection makes room for the next after so long."""


class SeatSource(Protocol):
    """Where the agents of one match come from; seats are seat indices, 0-based."""

    @property
    def ports(self) -> tuple[int, ...]:
        """Port numbers in seat order once it is open; () where agents come in other ways."""

    def open(self) -> None:
        """Let agents come.

        Raises:
            MatchStopped: they cannot.
        """

    async def arrival(self, seat: int) -> Seat:
        """Wait for an agent that wants a seat; its watcher is a `Handshake`.

        Raises:
            OSError: one could not connect.
        """

    def vacant(self, first: int) -> list[int]:
        """Return the seats from `first` on for which nobody has come."""

    def close_seat(self, seat: int) -> None:
        """Let nobody come to a seat any more."""

    def close(self) -> None:
        """Let nobody come any more; idempotent."""


class Ports:
    """A source with listening sockets of its own, one for each seat."""

    def __init__(self, address: str, ports: Sequence[int], seats: int) -> None:
        """Ports that are 0 or missing are chosen by the operating system."""
        self._address = address
        self._wanted = [*ports[:seats], *[0] * (seats - len(ports))]
        self._sockets: list[socket.socket] = []
        self.ports: tuple[int, ...] = ()
        """Port numbers in seat order."""

    def open(self) -> None:
        """Listen.

        Raises:
            MatchStopped: a port is taken, or the address is not this machine's.
        """
        address = self._address
        for seat, port in enumerate(self._wanted):
            try:
                self._sockets.append(_listen(address, port))
            except OSError as error:
                self.close()
                message = f"could not create listen socket for player {seat + 1}"
                reason = MatchEnd(Ending.ERROR, f"{message}: {address}:{port}: {error}", seat)
                raise MatchStopped(reason, f"ERROR: {message}") from error
        self.ports = tuple(sock.getsockname()[1] for sock in self._sockets)

    async def accept(self, seat: int) -> socket.socket:
        """Wait for a connection to a seat's port.  Raises OSError."""
        connection, _ = await asyncio.get_running_loop().sock_accept(self._sockets[seat])
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    async def arrival(self, seat: int) -> Seat:
        """Wait for a connection to a seat's port.  Raises OSError."""
        return await attach(await self.accept(seat), seat)

    def vacant(self, first: int) -> list[int]:
        """Return the seats from `first` on without a connection to their ports."""
        knocks = select.poll()
        for sock in self._sockets[first:]:
            knocks.register(sock, select.POLLIN)
        knocked = {descriptor for descriptor, _ in knocks.poll(0)}
        seats = range(first, len(self._sockets))
        return [seat for seat in seats if self._sockets[seat].fileno() not in knocked]

    def close_seat(self, seat: int) -> None:
        """Stop listening on one seat's port."""
        self._sockets[seat].close()

    def close(self) -> None:
        """Stop listening."""
        for sock in self._sockets:
            sock.close()


def _listen(address: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((address, port))
        sock.listen(BACKLOG)
        sock.setblocking(False)
    except (OSError, OverflowError) as error:
        sock.close()
        raise OSError(str(error)) from error
    return sock


class AcceptedConnections:
    """A source for connections that somebody else has accepted, such as a server that stays up."""

    ports: tuple[int, ...] = ()

    def __init__(self, seats: int) -> None:
        self._arrived: list[deque[Seat]] = [deque() for _ in range(seats)]
        self._news = [asyncio.Event() for _ in range(seats)]
        self._closed = [False] * seats

    def open(self) -> None:
        """Do nothing: agents may come at any time."""

    def give(self, seat: int, transport: asyncio.Transport, received: bytes = b"") -> None:
        """Bring an agent to a seat; from here on the transport, encrypted or not, is the match's.

        While many wait for a seat already, one more is turned away.

        Args:
            received: what the agent has sent already, its VERSION line included.
        """
        agent = Seat(seat, Handshake())
        transport.set_protocol(agent)
        agent.connection_made(transport)
        agent.end.receive(received)
        if self._closed[seat] or len(self._arrived[seat]) == MAX_NEWCOMERS:
            transport.abort()
            return
        self._arrived[seat].append(agent)
        self._news[seat].set()

    async def arrival(self, seat: int) -> Seat:
        """Wait for an agent that is brought to a seat."""
        while not self._arrived[seat]:
            self._news[seat].clear()
            await self._news[seat].wait()
        return self._arrived[seat].popleft()

    def vacant(self, first: int) -> list[int]:
        """Return the seats from `first` on to which nobody was brought."""
        return [seat for seat in range(first, len(self._arrived)) if not self._arrived[seat]]

    def close_seat(self, seat: int) -> None:
        """Drop who waits for a seat, and who will come."""
        self._closed[seat] = True
        while self._arrived[seat]:
            self._arrived[seat].popleft().abort()

    def close(self) -> None:
        """Drop who waits for any seat, and who will come."""
        for seat in range(len(self._arrived)):
            self.close_seat(seat)


class SocketPairs(AcceptedConnections):
    """A source for agents in this very process."""

    async def connect(self, seat: int) -> socket.socket:
        """Bring an agent to a seat; return its end of the connection, which does not block."""
        ours, theirs = socket.socketpair()
        for end in (ours, theirs):
            end.setblocking(False)
        loop = asyncio.get_running_loop()
        transport, _ = await loop.connect_accepted_socket(asyncio.Protocol, ours)
        self.give(seat, transport)
        return theirs


async def attach(connection: socket.socket, seat: int) -> Seat:
    """Return a seat for an accepted connection; its watcher is a `Handshake`."""
    loop = asyncio.get_running_loop()
    _, protocol = await loop.connect_accepted_socket(lambda: Seat(seat, Handshake()), connection)
    return protocol


class Handshake(SeatWatcher):
    """Waits for one seat's VERSION line."""

    def __init__(self) -> None:
        self._news = asyncio.Event()

    def seat_readable(self, seat: Seat) -> None:
        """Wake the waiter."""
        self._news.set()

    seat_lost = seat_readable
    seat_writable = seat_readable

    async def version(self, seat: Seat) -> tuple[Version, bytes]:
        """Return the version and the token in the seat's first line.

        Raises:
            MatchStopped: the line is no VERSION line, or the stream ends without one.
        """
        while True:
            event = seat.end.next_event()
            if isinstance(event, VersionLine):
                if event.version is None:
                    raise _bad_version(seat.index, event.raw)
                return event.version, read_token(event.raw)
            if isinstance(event, EndOfStream):
                message = f"could not read version string from seat {seat.index + 1}"
                raise error_ending(Ending.DISCONNECT, message, seat.index)
            self._news.clear()
            await self._news.wait()


def _bad_version(seat: int, raw: bytes) -> MatchStopped:
    text = raw.partition(b"\0")[0].decode("utf-8", "surrogateescape").removesuffix("\n")
    message = f"invalid version string {text}"
    return MatchStopped(MatchEnd(Ending.MALFORMED, message.rstrip("\r"), seat), f"ERROR: {message}")


async def seat_everybody(
    source: SeatSource,
    seconds: float,
    observers: Observers,
    waits: WaitWatch,
    *,
    keep_listening: bool,
    tokens: Sequence[str],
) -> list[Seat]:
    """Take one agent for each seat, in seat order, then read the VERSION lines in seat order.

    Args:
        seconds: for everything together; `math.inf` is no limit.
        waits: shows whom the dealer waits for; the limit is measured on its clock.
        keep_listening: leave the source open, for seats that come back.
        tokens: in seat order, "" for none; at a seat with one, a connection without it is closed
            and the next one accepted.

    Raises:
        MatchStopped: a seat is late, or starts with something else than a VERSION line.
    """
    clock = waits.clock
    deadline = math.inf if math.isinf(seconds) else clock.monotonic() + max(seconds, 0.0)
    seats: list[Seat] = []
    try:
        for index in range(len(tokens)):
            with waits.during(partial(source.vacant, index), "to connect", deadline):
                seats.append(await _arrival(source, index, deadline, clock))
            if not (keep_listening or tokens[index]):
                source.close_seat(index)
        for index in range(len(seats)):
            late: partial[list[int]] = partial(list, (index,))
            with waits.during(late, "to send its VERSION line", deadline):
                while not await _belongs(seats[index], deadline, clock, observers, tokens):
                    seats[index].abort()
                    seats[index] = await _arrival(source, index, deadline, clock)
            if tokens[index] and not keep_listening:
                source.close_seat(index)
            for tell in observers.seat_connected:
                tell(index)
    except BaseException:
        for seat in seats:
            await seat.aclose(clock, 0.0)
        raise
    return seats


async def _arrival(source: SeatSource, index: int, deadline: float, clock: Clock) -> Seat:
    """Wait for an agent that wants a seat.  Raises MatchStopped."""
    try:
        async with Timeout(clock, deadline):
            return await source.arrival(index)
    except TimeoutError:
        message = f"timed out waiting for seat {index + 1} to connect"
        raise error_ending(Ending.TIMEOUT, message, index) from None
    except OSError as error:
        message = f"seat {index + 1} could not connect"
        raise error_ending(Ending.ERROR, message, index) from error


async def _belongs(
    seat: Seat, deadline: float, clock: Clock, observers: Observers, tokens: Sequence[str]
) -> bool:
    """Return whether this connection may have the seat; False only at a seat with a token.

    Raises:
        MatchStopped: no VERSION line, at a seat without a token.
    """
    index = seat.index
    if not tokens[index]:
        await greet(seat, deadline, clock, observers)
        return True
    try:
        soon = min(deadline, clock.monotonic() + SILENT_GUEST_SECONDS)
        if fits_token(tokens[index], await greet(seat, soon, clock, observers)):
            return True
        reason = f"not the token of seat {index + 1}"
    except MatchStopped as why:
        reason = why.end.detail
    for tell in observers.newcomer_refused:
        tell(index, reason)
    return False


def fits_token(token: str, said: bytes) -> bool:
    """Return whether an agent that said this may sit down where `token` is wanted."""
    return hmac.compare_digest(token.encode(), said)


async def greet(seat: Seat, deadline: float, clock: Clock, observers: Observers) -> bytes:
    """Read a seat's VERSION line and return the token in it.

    Another version than ours is reported, and accepted.

    Raises:
        MatchStopped: no VERSION line by `deadline` (monotonic time), or something else.
    """
    handshake = seat.watcher
    assert isinstance(handshake, Handshake)
    try:
        async with Timeout(clock, deadline):
            version, token = await handshake.version(seat)
    except TimeoutError:
        message = f"could not read version string from seat {seat.index + 1}"
        raise error_ending(Ending.TIMEOUT, message, seat.index) from None
    try:
        check_version(version)
    except UnsupportedVersion:
        for tell in observers.version_unsupported:
            tell(seat.index, version)
    return token
