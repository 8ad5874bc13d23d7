"""Lines a dealer writes beside the match log <-> records: its stderr and the transaction file.

    TO <seat> at <time> MATCHSTATE:...          a state went to a seat
    FROM <seat> at <time> <line>                a line came from a seat, whatever it was
    STARTED at <time>
    FINISHED at <time>
    Seconds cumulatively spent in match for seat <seat - 1>: <seconds>
    <seconds> seconds spent waiting; timeout <seconds>
    WARNING: <text>
    ERROR: <text>
    <action> <hand_id> <sent time> <received time>       transaction file

Times are texts, seconds since 1970 as printed, so that nothing is lost to rounding.  `handlog`
reads these together with the lines of a match log.
"""

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from protocol.actions import Action
from protocol.betting import parse_betting
from protocol.errors import MalformedBetting, MalformedLogLine

HANDS_BETWEEN_TIMES: Final = 100
TIME_PATTERN: Final = r"[0-9]{1,12}(?:\.[0-9]{1,9})?"


@dataclass(frozen=True, slots=True)
class Sent:
    """A match state went to a seat."""

    seat: int
    """Seat index, 0-based (printed from 1)."""
    time: str
    text: str
    """The match state without terminator."""


@dataclass(frozen=True, slots=True)
class Received:
    """A line came from a seat; comments and rejected lines are among them."""

    seat: int
    """Seat index, 0-based (printed from 1)."""
    time: str
    text: str
    """The line without terminator.  An agent that sends no line end glues to it whatever the
    dealer wrote next."""


@dataclass(frozen=True, slots=True)
class Started:
    """All seats have sent their version."""

    time: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The last hand is over."""

    time: str


@dataclass(frozen=True, slots=True)
class TimeSpent:
    """The time a seat has used so far, printed every hundred hands."""

    seat: int
    """Seat index, 0-based (printed from 0)."""
    seconds: int


@dataclass(frozen=True, slots=True)
class Waited:
    """How long the dealer waited for the reply that did not come."""

    seconds: str
    timeout: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A warning or an error."""

    level: str
    """"WARNING" or "ERROR"."""
    text: str


@dataclass(frozen=True, slots=True)
class Transaction:
    """One applied action, as kept for resuming a match."""

    action: Action
    hand_id: int
    sent: str
    """Time the state went out."""
    received: str
    """Time the reply came in."""


TranscriptLine: TypeAlias = (
    Sent | Received | Started | Finished | TimeSpent | Waited | Diagnostic | Transaction
)

_TRAFFIC: Final = re.compile(rf"(TO|FROM) ([1-9][0-9]?) at ({TIME_PATTERN}) (.*)")
_MARK: Final = re.compile(rf"(STARTED|FINISHED) at ({TIME_PATTERN})")
_TIME_SPENT: Final = re.compile(
    r"Seconds cumulatively spent in match for seat ([0-9]{1,2}): ([0-9]{1,12})"
)
_WAITED: Final = re.compile(rf"({TIME_PATTERN}) seconds spent waiting; timeout (-?{TIME_PATTERN})")
_DIAGNOSTIC: Final = re.compile(r"(WARNING|ERROR): (.*)")
_STAMP: Final = re.compile(rf"([0-9]{{1,10}}) ({TIME_PATTERN}) ({TIME_PATTERN})")


def parse_transcript_line(line: str) -> TranscriptLine:
    """Parse one line, terminator already removed.

    Raises:
        MalformedLogLine: none of the forms above.
    """
    if (match := _TRAFFIC.fullmatch(line)) is not None:
        direction, seat, time, text = match.groups()
        if direction == "FROM":
            return Received(int(seat) - 1, time, text)
        if text.startswith("MATCHSTATE:"):
            return Sent(int(seat) - 1, time, text)
    elif (match := _MARK.fullmatch(line)) is not None:
        return Started(match[2]) if match[1] == "STARTED" else Finished(match[2])
    elif (match := _TIME_SPENT.fullmatch(line)) is not None:
        return TimeSpent(int(match[1]), int(match[2]))
    elif (match := _WAITED.fullmatch(line)) is not None:
        return Waited(match[1], match[2])
    elif (match := _DIAGNOSTIC.fullmatch(line)) is not None:
        return Diagnostic(match[1], match[2])
    elif line[:1] in ("f", "c", "r"):
        return parse_transaction(line)
    raise MalformedLogLine(line, "not a line of a match log")


def parse_transaction(line: str) -> Transaction:
    """Parse one line of a transaction file, terminator already removed.

    Raises:
        MalformedLogLine: the reason tells a bad action from a bad stamp, as the original does.
    """
    action_text, _, stamp = line.partition(" ")
    try:
        ((action,),) = parse_betting(action_text)
    except (MalformedBetting, ValueError):
        raise MalformedLogLine(line, "could not parse transaction action") from None
    match = _STAMP.fullmatch(stamp)
    if match is None:
        raise MalformedLogLine(line, "could not parse transaction stamp")
    return Transaction(action, int(match[1]), match[2], match[3])


def format_transcript_line(line: TranscriptLine) -> str:
    """Inverse of `parse_transcript_line`; no terminator."""
    match line:
        case Sent(seat, time, text):
            return f"TO {seat + 1} at {time} {text}"
        case Received(seat, time, text):
            return f"FROM {seat + 1} at {time} {text}"
        case Started(time):
            return f"STARTED at {time}"
        case Finished(time):
            return f"FINISHED at {time}"
        case TimeSpent(seat, seconds):
            return f"Seconds cumulatively spent in match for seat {seat}: {seconds}"
        case Waited(waited, timeout):
            return f"{waited} seconds spent waiting; timeout {timeout}"
        case Diagnostic(level, text):
            return f"{level}: {text}"
        case Transaction():
            return format_transaction(line)


def format_transaction(line: Transaction) -> str:
    """Inverse of `parse_transaction`; no terminator."""
    return f"{line.action.text} {line.hand_id} {line.sent} {line.received}"
