"""Options for AIVAT of `arena rate` and `arena match`, and AIVAT as the program that they start.

The strategies that AIVAT corrects with are those of agents, which are programs to this package.
"""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Collection, Sequence
from typing import Final

from engine.console.command import Option
from engine.parallel.own_programs import environment, own_program

AIVAT_PROGRAM: Final = own_program("aivat")
CHECKED_DOWN_VALUES: Final = "checked-down"


AIVAT_OPTIONS: Final = (
    Option(
        "--aivat",
        "estimate by AIVAT, too: hold'em for two, 20 to 100 hands a second and core, and small "
        "games for two such as leduc",
    ),
    Option(
        "--known NAME[=BOT]",
        "for --aivat: a player whose strategy is known, and the shipped bot that it is; those "
        "of match folders are found by themselves",
        repeated=True,
    ),
    Option("--values FILE", "for --aivat: value function of arena aivat fit"),
)
TOLD_OPTION: Final = Option(
    "--told NAME=FILE",
    "for --aivat: a player that wrote down how it acts with its own cards, see arena "
    "aivat hands --help",
    repeated=True,
)


def check_aivat(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """End the program where options for AIVAT are given without it."""
    if not goes_with_aivat(options):
        parser.error(WITHOUT_AIVAT)


WITHOUT_AIVAT: Final = "--known, --told and --values are for --aivat"


def goes_with_aivat(options: argparse.Namespace) -> bool:
    """Return whether the options for AIVAT have an effect."""
    return bool(options.aivat or not (options.known or options.told or options.values))


def what_is_wrong(known_options: Sequence[str]) -> str:
    """Return in one line why the program cannot use what it would be told, "" where it can."""
    done = subprocess.run(
        [*AIVAT_PROGRAM, "check", *known_options],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(),
        text=True,
        errors="backslashreplace",
        check=False,
    )
    said = done.stderr.strip().rpartition("\n")[2]
    return said.partition(": ")[2] or said if done.returncode else ""


def words_for(known_options: Sequence[str], players: Collection[str]) -> list[str]:
    """Return of `aivat_words` what there is to tell of logs of some players alone."""
    pairs = zip(known_options[::2], known_options[1::2], strict=True)
    return [
        part
        for option, value in pairs
        if option != "--known" or value.partition("=")[0] in players
        for part in (option, value)
    ]


def aivat_words(options: argparse.Namespace) -> list[str]:
    """Return what the program is told of the options."""
    parts = [part for player in options.known for part in ("--known", player)]
    parts += [part for player in options.told for part in ("--told", player)]
    return [*parts, "--values", options.values] if options.values else parts
