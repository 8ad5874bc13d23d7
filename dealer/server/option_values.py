"""What each option of the dealer's command line takes, and the errors for anything else.

All raise `UsageError` for words that they do not take.
"""

import os
import re
from pathlib import Path
from typing import Final, NamedTuple

from dealer.lane.modes import LaneMode
from protocol.gamedef import MAX_PLAYERS

MAX_HANDS: Final = 2**32 - 1
MAX_SEED: Final = 2**32 - 1
MAX_MILLISECONDS: Final = (2**64 - 1) // 1000

_NUMBER: Final = re.compile(r"\s*([+-]?)([0-9]+)")
_SEAT_LIMIT: Final = re.compile(r"([1-9][0-9]?):(t_response|t_hand|t_per_hand)=(-?[0-9]+)")
_LANE_MODES: Final = tuple(mode.value for mode in LaneMode)
_INVALID_MODES: Final = ("fix", "call", "fold", "forfeit")


class SeatLimit(NamedTuple):
    """A time limit of one seat alone."""

    seat: int
    """0-based."""
    option: str
    """"t_response", "t_hand" or "t_per_hand"."""
    milliseconds: int | None
    """None: no limit."""


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
    if len(digits) > 20:
        return None
    value = int(digits)
    if match[1] == "-":
        value = -value
    return value if 0 <= value <= largest else None


def milliseconds(text: str, complaint: str) -> int | None:
    """Return a time limit, None for a negative one, which means no limit."""
    match = _NUMBER.match(text)
    if match is None:
        raise UsageError(f"ERROR: could not get {complaint} {text}")
    if match[1] == "-" and match[2].strip("0"):
        return None
    value = leading_number(text, MAX_MILLISECONDS)
    if value is None:
        raise UsageError(f"ERROR: could not get {complaint} {text}")
    return value


def seat_limit(text: str) -> SeatLimit:
    """Return the limit that "2:t_response=500" says."""
    match = _SEAT_LIMIT.fullmatch(text)
    if match is None:
        raise UsageError(f"ERROR: --seat-limit takes SEAT:t_response=MS and the like, not {text}")
    return SeatLimit(int(match[1]) - 1, match[2], milliseconds(match[3], "seat limit from"))


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


def seconds(text: str) -> float:
    """Return how long a lost seat may stay away."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:
        raise UsageError(f"ERROR: --reconnect takes a number of seconds, not {text}")
    return seconds


def address(text: str) -> str:
    """Return the address to listen on."""
    if not text:
        raise UsageError("ERROR: --listen takes an address; 0.0.0.0 is every IPv4 interface")
    return text


def one_line(text: str) -> str:
    """Return the path of a file of deals."""
    if not text or "\n" in text or "\r" in text:
        raise UsageError(f"ERROR: --deals takes a file, not {text!r}")
    return text


def deal_number(text: str) -> int:
    """Return a number of deals."""
    number = int(text) if re.fullmatch(r"[0-9]{1,10}", text) else MAX_HANDS + 1
    if number > MAX_HANDS:
        raise UsageError(f"ERROR: --first-deal takes a number of deals, not {text}")
    return number


def matches(text: str) -> int:
    """Return how many matches are played side by side."""
    if not re.fullmatch(r"[1-9][0-9]{0,3}", text):
        raise UsageError(f"ERROR: --serve takes a number of matches, 1 to 9999, not {text}")
    return int(text)


def summary_path(text: str) -> str:
    """Return the path of a file that can be written."""
    path = Path(text)
    if not path.name or path.is_dir() or not path.parent.is_dir():
        raise UsageError(f"ERROR: could not write summary file {text}")
    return text


def open_file(text: str) -> int:
    """Return the number of a file that is open."""
    try:
        os.fstat(int(text))
    except (OSError, ValueError, OverflowError):
        raise UsageError(f"ERROR: --waits takes the number of an open file, not {text}") from None
    return int(text)


def invalid_mode(text: str) -> str:
    """Return what becomes of an illegal action."""
    if text not in _INVALID_MODES:
        raise UsageError(f"ERROR: --invalid takes one of {', '.join(_INVALID_MODES)}, not {text}")
    return text


def lane_mode(text: str, where: str = "--lane") -> LaneMode:
    """Return when the lane is taken; `where` it was said."""
    if text not in _LANE_MODES:
        raise UsageError(f"ERROR: {where} is one of {', '.join(_LANE_MODES)}, not {text}")
    return LaneMode(text)


def page_port(text: str) -> int:
    """Return the port of a page, 0 for any."""
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) < 2**16):
        raise UsageError(f"ERROR: invalid port {text[:40]} of --live")
    return int(text)
