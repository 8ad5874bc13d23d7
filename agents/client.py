"""The socket of a bot: connects, moves bytes between dealer and `Session`, connects again.

One bot, one connection, one thing at a time: a blocking socket is all it takes, and the fastest.

The original dealer says nothing at the end of a match, it just closes.  So an end of stream
between hands is the normal end; an end of stream within a hand, or an error of the socket, is a
loss.  Before the first hand nothing was played, and that is an error too.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from agents.errors import AgentError, ConnectionLost, DealerUnreachable, SentAway
from engine.parallel.own_programs import COMPILING, READY

if TYPE_CHECKING:
    from agents.log import Log
    from agents.session import Session

_READ_BYTES: Final = 1 << 16
_LATE_ANSWER_SECONDS: Final = 1.0
_FIRST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 1.0


@dataclass(frozen=True, slots=True)
class DealerAddress:
    """Where the dealer is, and how patient to be with it."""

    host: str
    port: int
    connect_seconds: float = 30.0
    """How long to keep trying to reach a dealer that is not there yet."""
    reconnect_seconds: float = 0.0
    """The same after a loss in mid-match; 0 takes the first loss as the end."""


class StarterLine:
    """The line to a program that has started the bot before its dealer."""

    def __init__(self, descriptor: int) -> None:
        """Take over a connected socket.

        Raises:
            AgentError: the descriptor is none.
        """
        try:
            self._socket = socket.socket(fileno=descriptor)
            self._socket.set_inheritable(False)
        except OSError as error:
            raise AgentError(f"HOST -: {descriptor} is no socket: {error.strerror}") from error

    def compiling(self) -> None:
        """Say that code is compiled first."""
        with suppress(OSError):
            self._socket.sendall(COMPILING)

    def address(self) -> tuple[str, int]:
        """Say that the bot is ready; return host and port once they are known.

        Raises:
            DealerUnreachable: there will be none.
        """
        try:
            with self._socket, self._socket.makefile("r", encoding="utf-8") as answers:
                self._socket.sendall(READY)
                host, port = answers.readline().split()
                return host, int(port)
        except (OSError, ValueError) as error:
            raise DealerUnreachable("nobody said where the dealer is") from error


def play_match(
    session: Session,
    address: DealerAddress,
    *,
    notice: Callable[[str], None],
    log: Log | None = None,
) -> None:
    """Play until the dealer ends the match.

    Args:
        notice: gets a line of text for the user when there is something to wait for.
        log: gets the connections made and lost.

    Raises:
        DealerUnreachable: no connection within `connect_seconds`.
        ConnectionLost: the connection broke in the middle of a hand and could not be made again.
        SentAway: the dealer closed it before it had sent any state.
        AgentError: what `Session.receive` raises.
    """
    dealer = _connect(address, address.connect_seconds, notice)
    while True:
        if log is not None:
            log.info("connected", host=address.host, port=address.port)
        try:
            with dealer:
                _exchange(session, dealer)
            if session.closed():
                break
            loss = "the dealer closed the connection"
            if (took := session.last_answer_seconds) >= _LATE_ANSWER_SECONDS:
                loss += f" after an answer that took {took:.1f} s"
        except OSError as error:
            loss = error.strerror or str(error)
        where = f"in hand {session.hand_id}" if session.started else "before the first hand"
        if log is not None:
            log.warning("connection_lost", hand=session.hand_id, reason=loss)
        if not address.reconnect_seconds:
            raise ConnectionLost(f"connection lost {where}: {loss}")
        notice(f"connection lost {where}: {loss}; trying to connect again")
        try:
            dealer = _connect(address, address.reconnect_seconds, notice)
        except DealerUnreachable as error:
            raise ConnectionLost(f"connection lost {where}: {loss}; {error}") from error
    if not session.started:
        if log is not None:
            log.warning("sent_away")
        raise SentAway(
            "the dealer closed the connection before the first hand: its seats may be taken, or "
            "its match be over"
        )
    if log is not None:
        log.info("match_over", hands=session.hands, replies=session.replies)


def _exchange(session: Session, dealer: socket.socket) -> None:
    """Move bytes until the dealer closes.  Raises OSError when the connection breaks."""
    dealer.sendall(session.connected())
    receive = _receive if session.wants_time else _receive_untimed
    while True:
        data, waited = receive(dealer)
        if not data:
            return
        if replies := session.receive(data, waited=waited):
            dealer.sendall(replies)


def _receive(dealer: socket.socket) -> tuple[bytes, bool]:
    """Return the next bytes, and whether they had to be waited for.  Raises OSError."""
    try:
        return dealer.recv(_READ_BYTES, socket.MSG_DONTWAIT), False
    except BlockingIOError:
        return dealer.recv(_READ_BYTES), True


def _receive_untimed(dealer: socket.socket) -> tuple[bytes, bool]:
    """Do the same for a bot that does not ask for the time: by one call to the system."""
    return dealer.recv(_READ_BYTES), True


def _connect(
    address: DealerAddress, seconds: float, notice: Callable[[str], None]
) -> socket.socket:
    """Connect, trying again with growing pauses for `seconds`.  Raises DealerUnreachable."""
    target = (address.host, address.port)
    pauses = _pauses(seconds)
    waiting = False
    while True:
        try:
            dealer = socket.create_connection(target, timeout=max(seconds, _LONGEST_PAUSE))
            dealer.settimeout(None)
            dealer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return dealer
        except UnicodeError as error:  # too long a part of it, or none between two dots
            raise DealerUnreachable(f"no host can be called {address.host[:80]!r}") from error
        except OSError as error:
            reason = error.strerror or str(error)
            failure = f"cannot connect to {address.host}:{address.port}: {reason}"
            pause = next(pauses, None)
            if pause is None:
                tried = f" (tried for {seconds:g} s)" if seconds else ""
                raise DealerUnreachable(failure + tried) from error
        if not waiting:
            waiting = True
            notice(f"{failure}; trying for {seconds:g} s")
        time.sleep(pause)


def _pauses(seconds: float) -> Iterator[float]:
    """Yield growing pauses, cut short so that they end when `seconds` have passed from now."""
    end = time.monotonic() + seconds
    pause = _FIRST_PAUSE
    while (remaining := end - time.monotonic()) > 0:
        yield min(pause, remaining)
        pause = min(2 * pause, _LONGEST_PAUSE)
