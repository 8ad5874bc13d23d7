"""The agent's end of one connection, without the connection.

Bytes go in with `receive` and `eof`, which return what the dealer sent; `start` and `reply` make
the bytes to send.  Any byte sequence gives events or a ProtocolError, nothing else, and the same
ones however it is cut.  When a bad line follows good ones, the good ones are returned first and the
error is raised by the next call.
"""

from enum import Enum
from typing import Final

from protocol.actions import Action
from protocol.errors import LineTooLong, ProtocolError, WrongState
from protocol.events import CommentLine, EndOfStream, Event, StateReceived
from protocol.handshake import CURRENT, Version, format_version
from protocol.lines import MAX_LINE_BYTES, LineBuffer
from protocol.matchstate import parse_match_state


class AgentState(Enum):
    """How far this end of the connection is."""

    NEW = "new"
    OPEN = "open"
    CLOSED = "closed"
    """The dealer sends nothing more."""
    BROKEN = "broken"
    """The dealer sent something that is not the protocol."""


_OPEN: Final = AgentState.OPEN

TRANSITIONS: Final[dict[AgentState, dict[str, AgentState]]] = {
    AgentState.NEW: {"start": AgentState.OPEN},
    AgentState.OPEN: {
        "receive": AgentState.OPEN,
        "reply": AgentState.OPEN,
        "eof": AgentState.CLOSED,
        "bad line": AgentState.BROKEN,
    },
    # The last events may be handled after the end of the stream was noticed.
    AgentState.CLOSED: {"reply": AgentState.CLOSED},
    AgentState.BROKEN: {"reply": AgentState.BROKEN},
}

_CRLF: Final = b"\r\n"
_COMMENT_STARTS: Final = (b"#", b";")


class AgentEnd:
    """The dealer as one agent sees it."""

    __slots__ = ("_error", "_lines", "_state")

    def __init__(self) -> None:
        self._lines = LineBuffer(MAX_LINE_BYTES)
        self._state = AgentState.NEW
        self._error: ProtocolError | None = None

    @property
    def state(self) -> AgentState:
        """How far this end is."""
        return self._state

    def start(self, version: Version = CURRENT, token: str = "") -> bytes:
        """Return the first bytes to send, the version line, with a token where one is given.

        Raises:
            WrongState: called a second time.
        """
        self._move("start")
        return format_version(version, token) + _CRLF

    def receive(self, data: bytes) -> list[Event]:
        """Take bytes from the dealer, cut anywhere; return a value for each complete line.

        Raises:
            MalformedLine: a line is neither a match state nor a comment.
            LineTooLong: a line has more than `MAX_LINE_BYTES` bytes.
            WrongState: before `start` or after `eof`.
        """
        if self._error is not None:
            self._raise_error()
        if self._state is not _OPEN:
            self._move("receive")
        self._lines.feed(data)
        return self._take_lines()

    def eof(self) -> list[Event]:
        """Record that the dealer sends nothing more; return the event that says so.

        A line that was cut off is not interpreted: half a match state may look like a whole one.

        Raises:
            MalformedLine, LineTooLong: left over from `receive`.
            WrongState: before `start`, or called a second time.
        """
        self._raise_error()
        self._move("eof")
        self._lines.finish()
        return [EndOfStream(self._lines.next_line() or b"")]

    def reply(self, state_text: bytes, action: Action) -> bytes:
        """Return the bytes that answer a match state.

        Args:
            state_text: `StateReceived.text`.

        Raises:
            WrongState: before `start`.
        """
        if self._state is not _OPEN:
            self._move("reply")
        return b"%b:%b\r\n" % (state_text, action.text.encode("ascii"))

    def _take_lines(self) -> list[Event]:
        events: list[Event] = []
        try:
            while (line := self._lines.next_line()) is not None:
                events.append(_interpret(line))
                if not self._lines.pending:  # nearly always: one line came, and in one piece
                    break
        except ProtocolError as error:
            self._error = error
            if not events:
                self._raise_error()
        return events

    def _raise_error(self) -> None:
        if self._error is not None:
            if self._state is AgentState.OPEN:
                self._move("bad line")
            raise self._error

    def _move(self, what: str) -> None:
        state = TRANSITIONS[self._state].get(what)
        if state is None:
            raise WrongState(f"{what!r} while {self._state.value}")
        self._state = state


def _interpret(line: bytes) -> Event:
    if line[-2:] == _CRLF:
        text = line[:-2]
    elif line[-1:] == b"\n":
        text = line[:-1]
    else:
        raise LineTooLong(f"no line end within {MAX_LINE_BYTES} bytes: {line[:80]!r}")
    if line[:1] in _COMMENT_STARTS:
        return CommentLine(line)
    return StateReceived(line, parse_match_state(text), text)
