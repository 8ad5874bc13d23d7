"""`arena games`: lists the built-in games, or prints the definition file of one."""

from __future__ import annotations

import argparse
import sys

from engine.console.command import Command, Option, WrongArguments
from engine.console.text_table import aligned
from protocol.errors import GameDefError
from protocol.gamedef import UNLIMITED_STACK, GameDef
from protocol.gamedefs import builtin_aliases, builtin_path, load_builtin


def _print(options: argparse.Namespace) -> int:
    if options.name is None:
        sys.stdout.write(_listing())
        return 0
    try:
        sys.stdout.write(builtin_path(options.name).read_text(encoding="utf-8"))
    except GameDefError as error:
        raise WrongArguments(str(error)) from error
    return 0


def _listing() -> str:
    rows = [("name", "file", "game")]
    rows += [
        (alias, f"{name}.game", _summary(load_builtin(name)))
        for alias, name in builtin_aliases().items()
    ]
    return "".join(f"{line}\n" for line in aligned(rows, texts=3))


def _summary(game: GameDef) -> str:
    kind = "no-limit" if game.no_limit else "limit"
    blinds = "/".join(map(str, game.blinds))
    stacks = sorted(set(game.stacks))
    if stacks == [UNLIMITED_STACK]:
        chips = "stacks without end"
    else:
        chips = f"stacks {'/'.join(map(str, stacks))}"
    return (
        f"{kind}, {game.players} players, {game.suits * game.ranks} cards, blinds {blinds}, {chips}"
    )


main = Command(
    "arena games",
    _print,
    "Without NAME, list the built-in games; with it, print that game's file.",
    (Option("[NAME]", "a short name or a file name"),),
).main
