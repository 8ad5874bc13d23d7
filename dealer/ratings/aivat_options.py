"""Options for AIVAT of `arena rate` and `arena match`, and AIVAT as the program that they start.

The strategies that AIVAT corrects with are those of agents, which are programs to this package.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, Final

PROGRAM: Final = (sys.executable, "-P", "-m", "agents.aivat.command")
"""With what is to be done, and `aivat_words`, behind it."""
PACKAGES: Final = Path(__file__).resolve().parents[2]
"""Where it finds them."""


def add_aivat(group: Any) -> None:
    """Add the options to a group of them, or to a parser."""
    add = group.add_argument
    add(
        "--aivat",
        action="store_true",
        help="estimate by AIVAT, too: hold'em for two, 20 to 100 hands a second and core",
    )
    add(
        "--known",
        metavar="NAME[=BOT]",
        action="append",
        default=[],
        help="for --aivat: a player whose strategy is known, and the shipped bot that it is; those "
        "of match folders are found by themselves",
    )
    add("--values", metavar="FILE", help="for --aivat: value function of arena aivat fit")


def check_aivat(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """End the program where options for AIVAT are given without it."""
    if (options.known or options.values) and not options.aivat:
        parser.error("--known and --values are for --aivat")


def aivat_words(options: argparse.Namespace) -> list[str]:
    """Return what the program is told of the options."""
    words = [word for player in options.known for word in ("--known", player)]
    return [*words, "--values", options.values] if options.values else words
