"""Lines of a match log <-> records.

    # name/game/hands/seed <name> <game file> <hands> <seed>
    # name/game <name> <game>              of hands that were dealt elsewhere
    #--t_response <ms>                    likewise t_hand and t_per_hand
    STATE:<hand_id>:<betting>:<cards>:<value>|<value>...:<name>|<name>...
    SCORE:<value>|<value>...:<name>|<name>...

Values and names of a STATE line go by position, those of a SCORE line by seat.  Other dialects
that are read: " # <unix time>" behind a STATE line; the stacks and the blinds of a hand by
position, two fields more, before its betting; a SCORE line without the ":" before the names (the
original's summing script writes that); comments; empty lines; CRLF; a file without header; and
everything `protocol.transcript` reads.

Names stand last because they may hold any character.  A ":" in a name is read correctly; of names
with a "|" the first gets the surplus.  A line in which two records have run together is refused.
Read files as UTF-8 with surrogateescape to keep foreign bytes in names.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from protocol.betting import BETTING_PATTERN
from protocol.errors import MalformedLogLine
from protocol.matchstate import CARDS_PATTERN
from protocol.transcript import (
    TIME_PATTERN,
    Diagnostic,
    Finished,
    Received,
    Sent,
    Started,
    TimeSpent,
    Transaction,
    TranscriptLine,
    Waited,
    format_transcript_line,
    parse_transcript_line,
)

__all__ = [
    "HAND_LINE",
    "Blank",
    "Comment",
    "Diagnostic",
    "Finished",
    "HandRecord",
    "Header",
    "LogLine",
    "Received",
    "Score",
    "Sent",
    "Stakes",
    "Started",
    "TimeLimit",
    "TimeSpent",
    "Transaction",
    "Waited",
    "find_hands",
    "format_chips",
    "format_hand",
    "format_header",
    "format_log_line",
    "format_score",
    "format_time_limit",
    "parse_log_line",
]


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a match log."""

    name: str
    """Match name."""
    game: str
    """Game file as given on the command line, or a game as `protocol.spelled_games` has it."""
    hands: int | None = None
    """Hands to be played; None, with the seed, where another program dealt them."""
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """One of the three header lines that state time limits."""

    option: str
    """"t_response", "t_hand" or "t_per_hand"."""
    milliseconds: int


@dataclass(frozen=True, slots=True)
class Stakes:
    """Chips of one hand, by position, in the dialect that states them."""

    stacks: tuple[int, ...]
    """Before the blinds."""
    blinds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One finished hand; texts as printed, tuples by position."""

    hand_id: int
    betting: str
    cards: str
    """Everybody's hole cards and the board; see `protocol.matchstate.parse_card_text`."""
    values: tuple[str, ...]
    """Chips won."""
    names: tuple[str, ...]
    stamp: str | None = None
    """Unix time in seconds, as printed in the dialect that has it."""
    stakes: Stakes | None = None
    """None where they are those of the game, as in most logs."""


@dataclass(frozen=True, slots=True)
class Score:
    """The totals of a match; texts as printed, tuples by seat."""

    values: tuple[str, ...]
    """Chips won."""
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comment:
    """A line that starts with "#" and is no part of the header."""

    text: str
    """The whole line, "#" included."""


@dataclass(frozen=True, slots=True)
class Blank:
    """An empty line."""


LogLine: TypeAlias = Header | TimeLimit | HandRecord | Score | Comment | Blank | TranscriptLine

LEFT_OUT: Final = "STATE:!"
"""It stands for a hand of another format that could not be read; the reason follows."""
_HEADER: Final = "# name/game/hands/seed "
_SHORT_HEADER: Final = "# name/game "
_VALUE: Final = r"-?[0-9]{1,18}(?:\.[0-9]{1,18})?(?:e[+-][0-9]{2,3})?"
_VALUES: Final = rf"{_VALUE}(?:\|{_VALUE})*+"
_COUNT: Final = re.compile(r"[0-9]{1,10}")
_TIME_LIMIT: Final = re.compile(r"#--(t_response|t_hand|t_per_hand) ([0-9]{1,20})")
_CHIPS: Final = r"[0-9]{1,10}(?:\|[0-9]{1,10}){1,9}"
_HAND: Final = re.compile(
    rf"STATE:([0-9]{{1,10}})(?::({_CHIPS}):({_CHIPS}))?"
    rf":({BETTING_PATTERN}):({CARDS_PATTERN}):({_VALUES}):(.*)"
)
HAND_LINE: Final = re.compile(
    rf"STATE:([0-9]{{1,10}})(?::{_CHIPS}:{_CHIPS})?"
    rf":({BETTING_PATTERN}):({CARDS_PATTERN}):({_VALUES}):(.*)".encode()
)
"""A STATE line as bytes: hand, betting, cards, values, names and what is behind them.  It does not
say whether there are as many of each."""
_SCORE: Final = re.compile(rf"SCORE:({_VALUES}):(.*)")
_VALUE_THEN_NAME: Final = re.compile(rf"({_VALUE})(.+)")
_ONE_VALUE: Final = re.compile(_VALUE)
_TIME: Final = re.compile(TIME_PATTERN)
_HAND_START: Final = re.compile(r"(?<!MATCH)STATE:")
_NEXT_RECORD: Final = re.compile(
    rf"STATE:[0-9]|SCORE:-?[0-9]|# name/game|#--t_\w+ [0-9]|:{_VALUE}(?:\|{_VALUE})++:"
)
"""Names that contain it belong to a line that has lost its end."""
_WRAPPED_AT: Final = 80


def parse_log_line(line: str) -> LogLine:
    """Parse one line of a match log, a dealer's stderr or a transaction file.

    Args:
        line: with or without its terminator (LF, CRLF or CR).

    Raises:
        MalformedLogLine: the line belongs to no known dialect.
    """
    text = line.removesuffix("\n").removesuffix("\r")
    if text.startswith("STATE:"):
        return _parse_hand(text)
    if not text:
        return Blank()
    if "\n" in text:
        raise MalformedLogLine(line, "more than one line")
    if text.startswith("#"):
        return _parse_comment(text)
    if text.startswith("SCORE:"):
        return _parse_score(text)
    return parse_transcript_line(text)


def format_log_line(line: LogLine) -> str:
    """Inverse of `parse_log_line`; no terminator, and each record in its usual dialect."""
    match line:
        case HandRecord():
            return format_hand(line)
        case Score():
            return format_score(line)
        case Header():
            return format_header(line)
        case TimeLimit():
            return format_time_limit(line)
        case Comment(text):
            return text
        case Blank():
            return ""
    return format_transcript_line(line)


def format_hand(hand: HandRecord) -> str:
    """Return the STATE line of a hand; no terminator."""
    chips = "" if hand.stakes is None else _format_stakes(hand.stakes)
    text = (
        f"STATE:{hand.hand_id}{chips}:{hand.betting}:{hand.cards}"
        f":{'|'.join(hand.values)}:{'|'.join(hand.names)}"
    )
    return text if hand.stamp is None else f"{text} # {hand.stamp}"


def _format_stakes(stakes: Stakes) -> str:
    return "".join(f":{'|'.join(map(str, chips))}" for chips in (stakes.stacks, stakes.blinds))


def format_score(score: Score) -> str:
    """Return the SCORE line; no terminator."""
    return f"SCORE:{'|'.join(score.values)}:{'|'.join(score.names)}"


def format_header(header: Header) -> str:
    """Return the first line of a match log; no terminator."""
    if header.seed is None:
        return f"{_SHORT_HEADER}{header.name} {header.game}"
    return f"{_HEADER}{header.name} {header.game} {header.hands} {header.seed}"


def format_time_limit(limit: TimeLimit) -> str:
    """Return a header line with a time limit; no terminator."""
    return f"#--{limit.option} {limit.milliseconds}"


def format_chips(value: float) -> str:
    """Return chips as match logs print them: six decimals less trailing zeros, never "-0".

    Raises:
        ValueError: `value` is infinite or not a number.
    """
    if not math.isfinite(value):
        raise ValueError(f"{value} chips")
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def find_hands(lines: Iterable[str]) -> Iterator[HandRecord]:
    """Yield the hands quoted in free text: notes, mails, output of grep.

    A hand may stand behind other text on its line, and may have been wrapped at 80 columns. What
    only looks like a hand is skipped.
    """
    pending = iter(lines)
    line = next(pending, None)
    while line is not None:
        match = _HAND_START.search(line)
        whole = line.rstrip("\r\n")
        line = next(pending, None)
        if match is None:
            continue
        first = whole[match.start() :]
        pieces = [first]
        width = len(whole)
        while width == _WRAPPED_AT and line is not None and _continues(line):
            pieces.append(line.rstrip("\r\n"))
            width = len(pieces[-1])
            line = next(pending, None)
        hand = _try_hand("".join(pieces)) or _try_hand(first)
        if hand is not None:
            yield hand


def _continues(line: str) -> bool:
    return bool(line.strip()) and not line[0].isspace() and _HAND_START.search(line) is None


def _try_hand(text: str) -> HandRecord | None:
    try:
        return _parse_hand(text)
    except MalformedLogLine:
        return None


def _parse_hand(text: str) -> HandRecord:
    match = _HAND.fullmatch(text)
    if match is None:
        if text.startswith(LEFT_OUT):
            raise MalformedLogLine("", text.removeprefix(LEFT_OUT))
        raise MalformedLogLine(text, "not a STATE line")
    hand_id, stacks, blinds, betting, cards, value_text, rest = match.groups()
    values = tuple(value_text.split("|"))
    if len(values) != cards.count("|") + 1:
        raise MalformedLogLine(text, "values and cards of different numbers of positions")
    stakes = None if stacks is None else Stakes(_chips(stacks), _chips(blinds))
    name_text, mark, stamp = rest.rpartition(" # ")
    if not mark or _TIME.fullmatch(stamp) is None:
        name_text, stamp = rest, None
    names = _names(text, name_text, values)
    return HandRecord(int(hand_id), betting, cards, values, names, stamp, stakes)


def _chips(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split("|")))


def _names(line: str, text: str, values: Sequence[str]) -> tuple[str, ...]:
    _check_one_record(line, text)
    names = tuple(text.rsplit("|", len(values) - 1))
    if len(names) != len(values):
        raise MalformedLogLine(line, f"{len(names)} names for {len(values)} values")
    return names


def _check_one_record(line: str, names: str) -> None:
    if _NEXT_RECORD.search(names) is not None:
        raise MalformedLogLine(line, "two records in one line")


def _parse_score(text: str) -> Score:
    match = _SCORE.fullmatch(text)
    if match is not None:
        values = tuple(match[1].split("|"))
        return Score(values, _names(text, match[2], values))
    # Without the ":" the last value and the first name stand in one field, the middle one.
    fields = text.removeprefix("SCORE:").split("|")
    middle = len(fields) // 2
    joined = _VALUE_THEN_NAME.fullmatch(fields[middle])
    if (
        joined is None
        or len(fields) % 2 == 0
        or any(_ONE_VALUE.fullmatch(field) is None for field in fields[:middle])
    ):
        raise MalformedLogLine(text, "not a SCORE line")
    _check_one_record(text, text.removeprefix("SCORE:"))
    return Score((*fields[:middle], joined[1]), (joined[2], *fields[middle + 1 :]))


def _parse_comment(text: str) -> Header | TimeLimit | Comment:
    if text.startswith(_HEADER):
        return _parse_header(text)
    if text.startswith(_SHORT_HEADER):
        name, _, game = text.removeprefix(_SHORT_HEADER).partition(" ")
        return Header(name, game) if game else Comment(text)
    match = _TIME_LIMIT.fullmatch(text)
    if match is not None:
        return TimeLimit(match[1], int(match[2]))
    return Comment(text)


def _parse_header(text: str) -> Header:
    names, *numbers = text.removeprefix(_HEADER).rsplit(" ", 2)
    # Both names may hold blanks.  An absolute path gives itself away by its slash.
    name, _, game = names.partition(" ")
    before_path, slash, path = names.partition(" /")
    if slash and before_path:
        name, game = before_path, "/" + path
    if len(numbers) != 2 or not game or any(_COUNT.fullmatch(n) is None for n in numbers):
        raise MalformedLogLine(text, "not a log header")
    return Header(name, game, int(numbers[0]), int(numbers[1]))
