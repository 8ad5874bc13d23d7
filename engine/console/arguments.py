"""Types of arguments that several command lines take."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from protocol.errors import GameDefError
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import load_builtin

if TYPE_CHECKING:
    from protocol.gamedef import GameDef

DEFAULT_GAME: Final = "hunl"
INTERRUPTED: Final = 130
"""Exit code after Ctrl-C."""
_DEAL_SEEDS: Final = 2**32
_MOST_DIGITS: Final = 20
_MOST_THINGS: Final = 10**8 - 1


def load_game(name: str) -> GameDef:
    """Return the game called `name`: a file where there is one of that name, else a built-in.

    Raises:
        ArgumentTypeError: there is no such game, or the file defines none.
    """
    path = Path(name)
    try:
        if path.is_file():
            return parse_gamedef(path.read_bytes())
        return load_builtin(name)
    except (GameDefError, OSError) as error:
        raise argparse.ArgumentTypeError(f"game {name}: {error}") from error


def deal_seed(text: str) -> int:
    """Return a seed of deals, as an argument of a command line.

    Raises:
        ArgumentTypeError: it is none.
    """
    seed = _whole(text)
    if seed is None or seed >= _DEAL_SEEDS:
        raise argparse.ArgumentTypeError(f"{text}: want a whole number from 0 to 2**32 - 1")
    return seed


def count(text: str) -> int:
    """Return a number of things, at least one, as an argument of a command line.

    Raises:
        ArgumentTypeError: it is none, or 100 million or more.
    """
    things = _whole(text)
    if things is None or not 0 < things <= _MOST_THINGS:
        raise argparse.ArgumentTypeError(f"{text}: want a whole number from 1 to {_MOST_THINGS}")
    return things


def _whole(text: str) -> int | None:
    """Return a whole number of at most 20 digits; None where the text is none."""
    digits = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return int(text) if digits else None
