"""`arena games`: lists the built-in games, or prints the definition file of one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from engine.console.output import quietly
from engine.console.parser import OneLineParser
from engine.console.text_table import aligned
from protocol.errors import GameDefError
from protocol.gamedef import UNLIMITED_STACK, GameDef
from protocol.gamedefs import builtin_aliases, builtin_path, load_builtin

PROG: Final = "arena games"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    return quietly(lambda: _run(argv), PROG)


def _run(argv: Sequence[str] | None) -> int:
    parser = OneLineParser(
        prog=PROG,
        description="Without NAME, list the built-in games; with it, print that game's file.",
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="a short name or a file name")
    name = parser.parse_args(argv).name
    if name is None:
        sys.stdout.write(_listing())
        return 0
    try:
        sys.stdout.write(builtin_path(name).read_text(encoding="utf-8"))
    except GameDefError as error:
        parser.error(str(error))
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


if __name__ == "__main__":
    sys.exit(main())
