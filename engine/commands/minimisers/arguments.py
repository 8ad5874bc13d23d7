"""The command line of `arena minimisers`: options, help and defaults."""

from __future__ import annotations

import argparse
from typing import Final

from engine.cfr.adaptive import POOL
from engine.commands.minimisers.games import game_argument
from engine.console.arguments import positive, whole_number
from engine.console.drawing import figure_file
from engine.console.minimiser_options import (
    EXPLORATION,
    MOST_EVERY,
    add_preset,
    exploration,
    names_of,
)
from engine.console.options import add_json
from engine.console.parser import OneLineParser
from engine.console.pools import pool_of
from engine.range_solver.subgames import SUBGAMES
from engine.small_games.catalogue import GAMES

PROG: Final = "arena minimisers"
ALL: Final = "all"
SWEEP: Final = (1.0, 0.1, 0.01, 0.001, 0.0)
"""Weights of the bonus from where it decides everything to where it is nothing, big blinds."""
PRESET: Final = {"starts": 10, "exploration": (1.0,)}
"""What --preset says beside `PRESETS`."""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command's arguments."""
    made = OneLineParser(
        prog=PROG,
        description="Compare regret minimisers with choosing one per iteration.",
        epilog="games: "
        + "; ".join(f"{name} ({game.summary})" for name, game in GAMES.items())
        + f"; subgames of hold'em: {', '.join(SUBGAMES)}, or FILE of the LibratusEndgames",
    )
    made.add_argument("games", metavar="GAME", nargs="+", type=game_argument, help="see below")
    made.add_argument(
        "--iterations",
        type=whole_number(1, 10**6),
        metavar="N",
        default=1024,
        help="of each run (default: %(default)s)",
    )
    made.add_argument(
        "--pool",
        type=pool_of,
        default=names_of(POOL),
        metavar="NAME,...",
        help="minimisers to choose from (default: %(default)s)",
    )
    add_preset(made)
    _add_forms(made.add_argument_group("forms of the choice, all of them unless told"))
    _add_runs(made)
    add_json(made, "all measurements as JSON instead of the tables, or beside them in FILE")
    made.add_argument(
        "--svg", metavar="FILE", type=figure_file, help="draw there how exploitability falls"
    )
    return made


def _add_forms(forms: argparse._ArgumentGroup) -> None:
    forms.add_argument(
        "--update",
        choices=("sum", "mean", ALL),
        default=ALL,
        help="how the gains of a member are added up: as a sum or as a mean",
    )
    forms.add_argument(
        "--bonus",
        choices=("inverse", "root", "logarithm", ALL),
        default=ALL,
        help="how the bonus of seldom chosen members falls with their uses",
    )
    forms.add_argument(
        "--reward",
        choices=("current", "average", ALL),
        default=ALL,
        help="the strategy whose exploitability is to fall",
    )
    forms.add_argument(
        "--exploration",
        type=_explorations,
        metavar="BLINDS,...",
        default=(EXPLORATION,),
        help=f"weights of the bonus, in big blinds (default: {EXPLORATION})",
    )
    forms.add_argument(
        "--sweep-exploration",
        dest="exploration",
        action="store_const",
        const=SWEEP,
        help=f"the same as --exploration {','.join(f'{one:g}' for one in SWEEP)}",
    )
    forms.add_argument(
        "--alpha",
        type=positive,
        metavar="SHARE",
        default=0.1,
        help="share of the past that is forgotten each time (default: %(default)s)",
    )
    forms.add_argument(
        "--every",
        type=whole_number(1, MOST_EVERY),
        default=1,
        metavar="K",
        help="choose every K iterations",
    )


def _add_runs(made: argparse.ArgumentParser) -> None:
    made.add_argument(
        "--starts",
        type=whole_number(0, 1000),
        metavar="N",
        default=0,
        help="begin N times, from random strategies of the seeds 1 to N, and tell means with 95 %% "
        "intervals (default: once, from the uniform one; with --preset patent 10)",
    )
    made.add_argument(
        "--seeds",
        type=whole_number(0, 100),
        metavar="N",
        default=3,
        help="random runs (default: %(default)s)",
    )
    made.add_argument(
        "--repeats",
        type=whole_number(1, 100),
        metavar="N",
        help="runs of which the fastest counts (default: 3, with --starts 1)",
    )
    made.add_argument(
        "--threads",
        type=whole_number(1, 256),
        metavar="N",
        default=1,
        help="of a turn subgame (default: %(default)s)",
    )
    made.add_argument(
        "--alternating", action="store_true", help="update the players in turn, not at once"
    )


def _explorations(text: str) -> tuple[float, ...]:
    return tuple(exploration(one) for one in text.split(","))
