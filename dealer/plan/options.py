"""The dealer's options: one table of names, fields of the plan, values, refusals and help.

A new option is a field of a plan (`dealer.plan.match_plan`) and a row here.  The command line, the
documents of plans and what `arena match` tells its dealers follow from them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

from dealer.plan.match_plan import CLOCKS, DealerPlan, LaneMode, SeatClock
from protocol.gamedef import MAX_PLAYERS

_Record = TypeVar("_Record")
MAX_HANDS: Final = 2**32 - 1
MAX_SEED: Final = 2**32 - 1
_MAX_MILLISECONDS: Final = (2**64 - 1) // 1000
_LONGEST_NUMBER: Final = 20
_NUMBER: Final = re.compile(r"\s*([+-]?)([0-9]+)")
_SEAT_LIMIT: Final = re.compile(rf"([1-9][0-9]?):({'|'.join(CLOCKS)})=(-?[0-9]+)")
_INVALID_MODES: Final = ("fix", "call", "fold", "forfeit")
_LANE_MODES: Final = tuple(mode.value for mode in LaneMode)


class UsageError(Exception):
    """The command line cannot be used; `lines` go to stderr, or the usage text to stdout."""

    def __init__(self, *lines: str, usage: bool = False) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines
        self.usage = usage


def leading_number(text: str, largest: int) -> int | None:
    """Return the whole number that `text` starts with, None where there is none in 0..largest."""
    match = _NUMBER.match(text)
    if match is None:
        return None
    digits = match[2].lstrip("0") or "0"
    if len(digits) > _LONGEST_NUMBER:
        return None
    value = int(match[1] + digits)
    return value if 0 <= value <= largest else None


def parse_ports(text: str, most: int = MAX_PLAYERS) -> tuple[int, ...]:
    """Return the ports in a list; what follows the first `most` is not read.

    Raises:
        UsageError: something in it is no port.
    """
    ports: list[int] = []
    rest = text
    while rest and len(ports) < most:
        match = _NUMBER.match(rest)
        port = leading_number(rest, 65535)
        if match is None or port is None:
            raise UsageError(f"ERROR: bad port string {text}")
        ports.append(port)
        rest = rest[match.end() :]
        if not rest:
            break
        if rest[0] != "," or rest == ",":
            raise UsageError(f"ERROR: bad port string {text}")
        rest = rest[1:]
    return tuple(ports)


def lane_mode(text: str, where: str = "--lane") -> LaneMode:
    """Return when the lane is taken; `where` it was said.  Raises UsageError."""
    if text not in _LANE_MODES:
        raise UsageError(f"ERROR: {where} is one of {', '.join(_LANE_MODES)}, not {text}")
    return LaneMode(text)


# What the options take; all raise `UsageError`.


def _checked_ports(text: str) -> str:
    parse_ports(text)
    return text


def _milliseconds(complaint: str) -> Callable[[str], int]:
    """Return a reader of time limits; a negative one is kept, as far as it has few digits."""

    def read(text: str) -> int:
        match = _NUMBER.match(text)
        if match is not None and match[1] == "-" and match[2].strip("0"):
            return int(match[0]) if len(match[2]) < _LONGEST_NUMBER else -1
        value = leading_number(text, _MAX_MILLISECONDS)
        if value is None:
            raise UsageError(f"ERROR: could not get {complaint} {text}")
        return value

    return read


def _seat_limit(text: str) -> tuple[int, SeatClock]:
    """Return seat index and limit of "2:t_response=500"."""
    match = _SEAT_LIMIT.fullmatch(text)
    if match is None:
        raise UsageError(f"ERROR: --seat-limit takes SEAT:t_response=MS and the like, not {text}")
    return int(match[1]) - 1, SeatClock(match[2], _milliseconds("seat limit from")(match[3]))


def _seconds(text: str) -> float:
    try:
        seconds = int(text) if text.isascii() and text.isdigit() else float(text)
    except ValueError:
        seconds = -1
    if not 0 <= seconds < 10**9:
        raise UsageError(f"ERROR: --reconnect takes a number of seconds, not {text}")
    return seconds


def _address(text: str) -> str:
    if not text:
        raise UsageError("ERROR: --listen takes an address; 0.0.0.0 is every IPv4 interface")
    return text


def _deals_file(text: str) -> str:
    if not text or "\n" in text or "\r" in text:
        raise UsageError(f"ERROR: --deals takes a file, not {text!r}")
    return text


def _deal_number(text: str) -> int:
    number = int(text) if re.fullmatch(r"[0-9]{1,10}", text) else MAX_HANDS + 1
    if number > MAX_HANDS:
        raise UsageError(f"ERROR: --first-deal takes a number of deals, not {text}")
    return number


def _matches(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,3}", text):
        raise UsageError(f"ERROR: --serve takes a number of matches, 1 to 9999, not {text}")
    return int(text)


def _summary_file(text: str) -> str:
    path = Path(text)
    if not path.name or path.is_dir() or not path.parent.is_dir():
        raise UsageError(f"ERROR: could not write summary file {text}")
    return text


def _open_file(text: str) -> int:
    try:
        os.fstat(int(text))
    except (OSError, ValueError, OverflowError):
        raise UsageError(f"ERROR: --waits takes the number of an open file, not {text}") from None
    return int(text)


def _invalid_mode(text: str) -> str:
    if text not in _INVALID_MODES:
        raise UsageError(f"ERROR: --invalid takes one of {', '.join(_INVALID_MODES)}, not {text}")
    return text


def _page_port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) < 2**16):
        raise UsageError(f"ERROR: invalid port {text[:40]} of --live")
    return int(text)


# The table.

NAMED_AFTER_MATCH: Final = "\0"
"""No file can be called so."""
SEATS: Final = "match.seats"
PORTS: Final = "ports"
"""The values of both fields depend on how many seats there are."""


@dataclass(frozen=True, slots=True)
class DealerOption:
    """An option of the dealer."""

    name: str
    """Without dashes; one letter is a short option."""
    field: str
    """Of a `DealerPlan`, as in "match.limits.t_hand"; "" asks for the help text."""
    help: str
    """One line or several; "" where another option's help says it."""
    metavar: str = ""
    """What its value is called; "" for an option without one."""
    read: Callable[[str], Any] = str
    """Makes the value of a text.  Raises UsageError."""
    sets: Any = True
    """The value of an option without one."""
    label: str = ""
    """In the help, where that is not the name."""

    @property
    def word(self) -> str:
        """The option as it is typed."""
        return f"-{self.name}" if len(self.name) == 1 else f"--{self.name}"


_REFERENCE: Final = (
    DealerOption("f", "match.fixed_seats", "fixed seats: seat i is position i in every hand"),
    DealerOption(
        "l",
        "match.records.log",
        "no log / log to MATCH.log (default)",
        sets=None,
        label="-l / -L",
    ),
    DealerOption("L", "match.records.log", "", sets=NAMED_AFTER_MATCH),
    DealerOption(
        "t",
        "match.records.transactions",
        "no transaction file (default) / transaction file MATCH.tlog",
        sets=None,
        label="-t / -T",
    ),
    DealerOption("T", "match.records.transactions", "", sets=NAMED_AFTER_MATCH),
    DealerOption(
        "a",
        "match.records.append",
        "append to both files; with -T resume the match in MATCH.tlog",
    ),
    DealerOption(
        "p", PORTS, "ports in seat order; 0 or none: any free port", "PORT,PORT,...", _checked_ports
    ),
    DealerOption(
        "q", "match.records.transcript", "only errors, warnings and the score on stderr", sets=False
    ),
    DealerOption(
        "t_response",
        "match.limits.t_response",
        "longest single response (600000); negative: no limit",
        "MS",
        _milliseconds("response timeout from"),
    ),
    DealerOption(
        "t_hand",
        "match.limits.t_hand",
        "longest time of a seat in one hand (600000); negative: no limit",
        "MS",
        _milliseconds("player hand timeout from"),
    ),
    DealerOption(
        "t_per_hand",
        "match.limits.t_per_hand",
        "average time of a seat per hand, over the match (7000); negative: no limit",
        "MS",
        _milliseconds("average player hand timeout from"),
    ),
    DealerOption(
        "start_timeout",
        "match.limits.start_timeout",
        "longest wait for all seats to connect; negative: no limit (default)",
        "MS",
        _milliseconds("start timeout"),
    ),
)

_OWN: Final = (
    DealerOption(
        "listen",
        "listen",
        "listen on this address (127.0.0.1; 0.0.0.0 is every IPv4 interface)",
        "ADDRESS",
        _address,
    ),
    DealerOption(
        "reconnect",
        "match.limits.reconnect",
        "keep a lost seat's port open; it may come back within SECONDS\n"
        "(not while its old connection lives, unless it says its token, see below)",
        "SECONDS",
        _seconds,
    ),
    DealerOption(
        "seat-limit",
        SEATS,
        "a time limit of seat S alone, such as 2:t_response=500; give it again for\nothers",
        "S:OPTION=MS",
        _seat_limit,
    ),
    DealerOption(
        "invalid",
        "match.limits.invalid",
        "what an unreadable or illegal action becomes: fix (default: the nearest\n"
        "legal raise, else a call), call, fold (where legal), forfeit (ends the match)",
        "MODE",
        _invalid_mode,
    ),
    DealerOption(
        "deals",
        "match.deals",
        "play the deals of this file (docs/playing.md); SEED draws what it leaves open",
        "FILE",
        _deals_file,
    ),
    DealerOption(
        "first-deal",
        "match.first_deal",
        "deals of that file before the first one that is played (0)",
        "N",
        _deal_number,
    ),
    DealerOption("log", "match.records.log", "log to this file, not to MATCH.log", "FILE"),
    DealerOption(
        "tlog",
        "match.records.transactions",
        "transaction file, in place of MATCH.tlog",
        "FILE",
    ),
    DealerOption(
        "events",
        "match.records.events",
        "structured log, one JSON object a line, with the fate of every reply",
        "FILE",
    ),
    DealerOption(
        "summary", "match.records.summary", "how the match ended, as JSON", "FILE", _summary_file
    ),
    DealerOption(
        "waits",
        "match.records.waits",
        "keep the open file FD up to date on who is waited for, as JSON",
        "FD",
        _open_file,
    ),
    DealerOption(
        "lane",
        "match.lane",
        "auto (default: compiled code plays the ordinary turns of a match once this\n"
        "machine has it, docs/lane.md), off, on (compiled first where need be);\n"
        '"python -m dealer.lane.compiling" compiles it at any time',
        "MODE",
        lane_mode,
    ),
    DealerOption(
        "serve",
        "serve",
        "play N matches side by side in this process: MATCH.i with the seed SEED+i for\n"
        "i from 0 to N-1; prints a line of ports for each, in order, and the score\n"
        'of each when it ends as "MATCH.i SCORE:..." (docs/dealer.md)',
        "N",
        _matches,
    ),
    DealerOption(
        "live",
        "live",
        "show the match in the browser, with the cards that all players saw (PORT 0:\n"
        "any that is free); prints the link on stderr; writes MATCH.tlog, as -T does",
        "PORT",
        _page_port,
    ),
    DealerOption(
        "ending-codes",
        "ending_codes",
        "exit 3 timeout, 4 disconnect, 5 malformed, 6 illegal, 130 interrupted;\n"
        "without it every error exits 1, as the original does",
    ),
    DealerOption("help", "", "this text"),
)
OPTIONS: Final = {option.name: option for option in (*_REFERENCE, *_OWN)}
ABBREVIABLE_OPTIONS: Final = tuple(option.name for option in _REFERENCE if len(option.name) > 1)
SHARED_DEALER_OPTIONS: Final = (*CLOCKS, "start_timeout", "reconnect", "invalid", "listen")

_HEAD: Final = """\
usage: arena dealer MATCH GAMEDEF HANDS SEED NAME... [options]

Deals HANDS hands of the game in the file GAMEDEF (or of a built-in game: see `arena games`) with
the random number SEED.  Agents connect over TCP and speak the ACPC protocol 2.0.0.  Prints the
ports, one per NAME, then the score.  Writes MATCH.log.

Options of the original dealer, which may stand anywhere:
"""
_FOOT: Final = """
In the environment:
  ARENA_SEAT_TOKENS    T1,T2,... in seat order, each may be empty: to a seat with a token only an
                       agent may connect whose first line is "VERSION:2.0.0 TOKEN"
  ARENA_LANE           MODE where there is no --lane
  SEED as env:NAME     is the variable NAME, so that no list of processes shows the seed
"""
_LABEL_WIDTH: Final = 20


def usage_text() -> str:
    """Return what `arena dealer --help` prints."""
    parts = (_HEAD, *map(_usage, _REFERENCE), "\nFurther options:\n", *map(_usage, _OWN), _FOOT)
    return "".join(parts)


def _usage(option: DealerOption) -> str:
    if not option.help:
        return ""
    label = option.label or f"{option.word} {option.metavar}".rstrip()
    margin = "\n" + " " * (_LABEL_WIDTH + 3)
    gap = " " if len(label) <= _LABEL_WIDTH else margin
    lines = option.help.replace("\n", margin)
    return f"  {label:{_LABEL_WIDTH}}{gap}{lines}\n"


# Fields of plans by their paths.


def field_of(record: object, path: str) -> Any:
    """Return a field of a record, or of one within it, as in "match.limits.t_hand"."""
    for name in path.split("."):
        record = getattr(record, name)
    return record


def with_field(record: _Record, path: str, value: object) -> _Record:
    """Return a record with another value in a field of its own, or of one within it."""
    name, _, rest = path.partition(".")
    inner = with_field(getattr(record, name), rest, value) if rest else value
    return replace(record, **{name: inner})  # type: ignore[type-var]


# Options that were given, apart from a plan.

GivenOptions: TypeAlias = tuple[tuple[str, Any], ...]
"""(name, value of the type of its field), in the order in which they are written."""


def read_options(texts: Mapping[str, str]) -> GivenOptions:
    """Return the options of `SHARED_DEALER_OPTIONS` that are given by name and text.

    Raises:
        UsageError: one cannot be used, or is none of these.
    """
    if strange := next((name for name in texts if name not in SHARED_DEALER_OPTIONS), None):
        raise UsageError(f"ERROR: {strange[:60]!r} is no option of all dealers")
    return tuple((name, OPTIONS[name].read(text)) for name, text in texts.items())


def option_text(value: object) -> str:
    """Return the text of an option's value; what is read from it is the same."""
    return str(value.value if isinstance(value, Enum) else value)


def with_options(plan: DealerPlan, given: GivenOptions) -> DealerPlan:
    """Return a plan with options in place of what it has for them."""
    for name, value in given:
        plan = with_field(plan, OPTIONS[name].field, value)
    return plan
