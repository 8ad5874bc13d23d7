"""Types of arguments: each makes a value of the text, or says what is wanted instead.

All raise argparse.ArgumentTypeError, which the parser prints after the name of the argument.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from protocol.cards import parse_cards
from protocol.errors import GameDefError
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import load_builtin

if TYPE_CHECKING:
    from protocol.gamedef import GameDef

DEFAULT_GAME: Final = "hunl"
_MOST_GAME_BYTES: Final = 1 << 20
"""No game file is nearly so long."""
_MOST_DIGITS: Final = 20
_MOST_QUOTED_LETTERS: Final = 40


_STREETS: Final = 4


def whole_number(least: int, most: int, refusal: str | None = None) -> Callable[[str], int]:
    """Return the type of whole numbers, 0 or more, in a range.

    Args:
        refusal: what is said of any other text, with {} in its place; None names the range.
    """

    def number(text: str) -> int:
        digits = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
        if digits and least <= int(text) <= most:
            return int(text)
        if refusal is not None:
            raise _refused(refusal, text)
        raise _refused(f"{{}}: want {least} to {most}" if digits else _NOT_WHOLE, text)

    return number


_NOT_WHOLE: Final = "{!r} is not a whole number of 0 or more"
_MOST_THINGS: Final = 10**8 - 1

count: Final = whole_number(1, _MOST_THINGS, f"{{}}: want a whole number from 1 to {_MOST_THINGS}")

deal_seed: Final = whole_number(0, 2**32 - 1, "{}: want a whole number from 0 to 2**32 - 1")

port: Final = whole_number(1, 2**16 - 1, "port {}: want a number from 1 to 65535")

page_port: Final = whole_number(0, 2**16 - 1, "port {}: want a number from 0 to 65535")
"""Port 0 stands for one that is free."""


def listen_address(text: str) -> str:
    """Return an address to listen on; none at all would be every one."""
    if not text:
        raise argparse.ArgumentTypeError("want an address; 0.0.0.0 is every IPv4 interface")
    return text


def real_number(accepted: Callable[[float], bool], refusal: str) -> Callable[[str], float]:
    """Return the type of the numbers for which `accepted` is true.

    Args:
        accepted: asked for every number, infinity and nan among them.
        refusal: what is said of any other text, with {} in its place.
    """

    def number(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not accepted(value):
            raise _refused(refusal, text)
        return value

    return number


positive: Final = real_number(lambda value: 0 < value < math.inf, "{}: want a number above 0")

seconds: Final = real_number(
    lambda value: 0 <= value < math.inf, "{}: want a number of seconds, 0 or more"
)


def load_game(name: str) -> GameDef:
    """Return the game called `name`: a file where there is one of that name, else a built-in.

    Raises:
        argparse.ArgumentTypeError: there is no such game, or the file defines none.
    """
    path = Path(name)
    try:
        if path.is_file():
            with path.open("rb") as file:
                text = file.read(_MOST_GAME_BYTES + 1)
            if len(text) > _MOST_GAME_BYTES:
                raise argparse.ArgumentTypeError(f"game {name}: too long for a game file")
            return parse_gamedef(text)
        if path.exists() and not path.is_dir():
            raise argparse.ArgumentTypeError(f"game {name}: is no file")
        return load_builtin(name)
    except (GameDefError, OSError) as error:
        raise argparse.ArgumentTypeError(f"game {name}: {error}") from error


def output_file(text: str) -> Path:
    """Return the path of a file that is to be written when the work is done.

    Raises:
        argparse.ArgumentTypeError: it is a folder, there is no folder for it, or it is "-".
    """
    if text == "-":
        raise argparse.ArgumentTypeError("-: want a file, not standard output (./- is a file)")
    path = Path(text)
    try:
        if path.is_dir():
            raise argparse.ArgumentTypeError(f"{text or path}: is a folder, want a file")
        if not path.parent.is_dir():
            raise argparse.ArgumentTypeError(f"{text}: there is no folder {path.parent}")
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{text}: {error.strerror}") from error
    return path


def output_folder(text: str) -> Path:
    """Return the path of a folder that is to be written to; it need not be there yet.

    Raises:
        argparse.ArgumentTypeError: it is a file, or has no name.
    """
    path = Path(text)
    try:
        if not text or (path.exists() and not path.is_dir()):
            raise argparse.ArgumentTypeError(f"{text!r} is no folder")
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{text}: {error.strerror}") from error
    return path


def spelled_cards(text: str) -> tuple[int, ...]:
    """Return cards that a person typed: capital and small letters mean the same, blanks nothing.

    Raises:
        MalformedCard: some are no cards.
    """
    letters = "".join(text.split())
    return parse_cards("".join(c.lower() if i % 2 else c.upper() for i, c in enumerate(letters)))


def _refused(refusal: str, text: str) -> argparse.ArgumentTypeError:
    return argparse.ArgumentTypeError(refusal.format(text[:_MOST_QUOTED_LETTERS]))


def street_counts(text: str) -> tuple[int, ...]:
    """Return whole numbers from 1 on, one for each of hold'em's streets: "6,4,4,4".

    Raises:
        argparse.ArgumentTypeError: it is something else.
    """
    numbers = text.split(",")
    if len(numbers) != _STREETS or not all(re.fullmatch("[1-9][0-9]{0,2}", n) for n in numbers):
        raise argparse.ArgumentTypeError(
            f"{text[:40]!r}: want four numbers from 1 to 999, such as 6,4,4,4"
        )
    return tuple(map(int, numbers))
