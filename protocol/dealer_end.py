"""The dealer's end of one connection, without the connection.

Bytes go in with `receive` and `eof`, events come out of `next_event` one at a time, and `ask` and
`tell` make the bytes to send.  No byte sequence makes any of this raise an exception.

Like the original dealer it reads only from the seat that is to act.  While no question is open,
lines stay unread (`pending` says how many bytes that is).  A line that arrived early is judged
against the question that is open when it is taken.
"""

from enum import Enum
from typing import Final

from protocol.errors import MalformedLine, WrongState
from protocol.events import CommentLine, EndOfStream, Event, OtherLine, Reply, VersionLine
from protocol.handshake import parse_version
from protocol.lines import LineBuffer


class DealerState(Enum):
    """What this end of the connection waits for."""

    AWAITING_VERSION = "awaiting version"
    IDLE = "idle"
    """Nothing: no line is taken."""
    ASKED = "asked"
    """A reply."""
    CLOSED = "closed"
    """Nothing any more: the version was unreadable, or a line was wanted and the stream is over."""

    __hash__ = object.__hash__  # Enum's own is Python code, and the table is asked at each message


_AWAITING_VERSION: Final = DealerState.AWAITING_VERSION
_IDLE: Final = DealerState.IDLE
_ASKED: Final = DealerState.ASKED
_CLOSED: Final = DealerState.CLOSED

TRANSITIONS: Final[dict[DealerState, dict[str, DealerState]]] = {
    _AWAITING_VERSION: {"version": _IDLE, "bad version": _CLOSED, "end of stream": _CLOSED},
    _IDLE: {"tell": _IDLE, "ask": _ASKED},
    _ASKED: {"answered": _IDLE, "end of stream": _CLOSED},
    _CLOSED: {},
}

_CRLF: Final = b"\r\n"
_COMMENT_STARTS: Final = (b"#", b";")


class DealerEnd:
    """One seat as the dealer sees it."""

    __slots__ = ("_expected", "_lines", "_state")

    def __init__(self) -> None:
        self._lines = LineBuffer()
        self._expected = b""
        self._state = _AWAITING_VERSION

    @property
    def state(self) -> DealerState:
        """What this end waits for."""
        return self._state

    @property
    def pending(self) -> int:
        """Bytes received and not yet reported as part of an event, for back-pressure."""
        return self._lines.pending

    def receive(self, data: bytes) -> None:
        """Take bytes from the peer, cut anywhere.

        Raises:
            WrongState: after `eof`.
        """
        self._lines.feed(data)

    def take_unread(self) -> bytes:
        """Take all bytes received and not yet used up, see `LineBuffer.take_all`."""
        return self._lines.take_all()

    def put_back(self, data: bytes) -> None:
        """Give back what is left of them."""
        self._lines.put_back(data)

    def eof(self) -> None:
        """Note that the peer sends nothing more.  An unterminated rest is a line.  Idempotent."""
        self._lines.finish()

    def next_event(self) -> Event | None:
        """Take the next line and return it as an event.

        None if no line is wanted in this state, or none is complete. `EndOfStream` comes once,
        after the last line, when another line is wanted.
        """
        state = self._state
        if state is _IDLE or state is _CLOSED:
            return None
        raw = self._lines.next_line()
        if raw is None:
            if not self._lines.finished:
                return None
            self._move("end of stream")
            return EndOfStream()
        if state is _AWAITING_VERSION:
            return self._greeting(raw)
        expected = self._expected
        if raw.startswith(expected):
            action = raw[len(expected) :]
            return Reply(raw, action.partition(b"\0")[0] if b"\0" in action else action)
        if raw.startswith(_COMMENT_STARTS):
            return CommentLine(raw)
        return OtherLine(raw, raw.partition(b"\0")[0])

    def ask(self, state_text: bytes) -> bytes:
        """Open a question and return the bytes to send; from now on lines are taken.

        Args:
            state_text: the match state without terminator.

        Raises:
            WrongState: a question is open already, or the connection is not in play.
        """
        self._move("ask")
        self._expected = state_text + b":"
        return state_text + _CRLF

    def tell(self, state_text: bytes) -> bytes:
        """Return the bytes that show a match state to a seat that is not to act.

        Raises:
            WrongState: a question is open, or the connection is not in play.
        """
        self._move("tell")
        return state_text + _CRLF

    def answered(self) -> None:
        """Close the question: its reply has been accepted.

        Raises:
            WrongState: no question is open.
        """
        self._move("answered")

    def _greeting(self, raw: bytes) -> VersionLine:
        try:
            version = parse_version(raw)
        except MalformedLine as error:
            self._move("bad version")
            return VersionLine(raw, None, str(error))
        self._move("version")
        return VersionLine(raw, version, None)

    def _move(self, what: str) -> None:
        state = TRANSITIONS[self._state].get(what)
        if state is None:
            raise WrongState(f"{what!r} while {self._state.value}")
        self._state = state
