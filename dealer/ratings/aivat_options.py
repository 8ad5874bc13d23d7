"""Options for AIVAT of `arena rate` and `arena match`, and AIVAT as the program that they start.

The strategies that AIVAT corrects with are those of agents, which are programs to this package.
"""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Collection, Sequence
from typing import Any, Final

from engine.parallel.own_programs import environment, own_program

PROGRAM: Final = own_program("aivat")
"""With what is to be done, and `aivat_words`, behind it."""
CHECKED_DOWN: Final = "checked-down"
"""The value function that needs no file."""


def add_aivat(group: Any, *, told: bool = False) -> None:
    """Add the options to a group of them, or to a parser.

    Args:
        group: what to add them to.
        told: whether players may tell their strategies in files, which must be whole by then.
    """
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
    if told:
        add(
            "--told",
            metavar="NAME=FILE",
            action="append",
            default=[],
            help="for --aivat: a player that wrote down how it acts with its own cards, see arena "
            "aivat hands --help",
        )
    else:
        group.set_defaults(told=[])
    add("--values", metavar="FILE", help="for --aivat: value function of arena aivat fit")


def check_aivat(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """End the program where options for AIVAT are given without it."""
    if (options.known or options.told or options.values) and not options.aivat:
        parser.error("--known, --told and --values are for --aivat")


def what_is_wrong(words: Sequence[str]) -> str:
    """Return in one line why the program cannot use what it would be told, "" where it can."""
    done = subprocess.run(
        [*PROGRAM, "check", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(),
        text=True,
        errors="backslashreplace",
        check=False,
    )
    said = done.stderr.strip().rpartition("\n")[2]
    return said.partition(": ")[2] or said if done.returncode else ""


def words_for(words: Sequence[str], players: Collection[str]) -> list[str]:
    """Return of `aivat_words` what there is to tell of logs of some players alone."""
    pairs = zip(words[::2], words[1::2], strict=True)
    return [
        word
        for option, value in pairs
        if option != "--known" or value.partition("=")[0] in players
        for word in (option, value)
    ]


def aivat_words(options: argparse.Namespace) -> list[str]:
    """Return what the program is told of the options."""
    words = [word for player in options.known for word in ("--known", player)]
    words += [word for player in options.told for word in ("--told", player)]
    return [*words, "--values", options.values] if options.values else words
