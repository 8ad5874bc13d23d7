"""`arena astar sweep`: what the ensemble wins by its settings, and how soon in a match.

All settings play the same deals with the same draws.
"""

from __future__ import annotations

import argparse
import math
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.console.arguments import count, whole_number
from engine.console.options import STDOUT, add_json, add_seed
from engine.console.output import put_json, show, tell

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.astar.ensemble.policy import Blending
    from engine.estimates.winrate import WinRate
    from protocol.gamedef import GameDef

PROG: Final = "arena astar sweep"
GAME: Final = "hunl"
DEALS: Final = 4000
FORMS: Final = ("exponential", "inverse", "evidence")
_MOST_WHOLE: Final = 10**6
_SETTINGS: Final = (
    "form",
    "sharpness",
    "confidence",
    "half-life",
    "carry",
    "doubt",
    "patience",
    "prior",
)
_FIELDS: Final = tuple(name.replace("-", "_") for name in _SETTINGS)
_OPTIONS: Final = ("forms", *_FIELDS[1:])


def add_parser(tasks: Any) -> None:
    """Add the task to those of `arena astar`."""
    parser = tasks.add_parser(
        "sweep",
        help="what the ensemble wins by form, sharpness, confidence, memory, prior",
        description="Play the ensemble with each setting, by default as shipped, against known "
        "opponents and others, in duplicate, all from the same deals.",
    )
    add = parser.add_argument
    add(
        "--forms",
        metavar="NAME",
        nargs="+",
        choices=FORMS,
        default=["evidence"],
        help=f"of likeness: {', '.join(FORMS)} (evidence)",
    )
    add(
        "--sharpness",
        metavar="X",
        nargs="+",
        type=float,
        default=[0.005],
        help="scale of the distance; small: the likeliest opponent dominates (0.005)",
    )
    add(
        "--confidence",
        metavar="N",
        nargs="+",
        type=whole_number(0, _MOST_WHOLE),
        default=[10],
        help="actions, or by the street hands of a node, before the library counts (10)",
    )
    add(
        "--half-life",
        metavar="HANDS",
        nargs="+",
        type=float,
        default=[250.0],
        help="hands after which observations count half; 0: all count alike (250)",
    )
    add(
        "--carry",
        metavar="N",
        nargs="+",
        type=whole_number(0, _MOST_WHOLE),
        default=[0],
        help="decisions over which the distance is averaged, used where the street says nothing; "
        "by the street alone; 0: none (0)",
    )
    add(
        "--doubt",
        metavar="X",
        nargs="+",
        type=float,
        default=[0.05],
        help="distance at which the base strategy counts as another counter; 0: nowhere (0.05)",
    )
    add(
        "--patience",
        metavar="X",
        nargs="+",
        type=float,
        default=[1.0],
        help="standard errors by which counters may lose before the base plays; 0: any (1)",
    )
    add(
        "--prior",
        metavar="NATS",
        nargs="+",
        type=float,
        default=[4.0],
        help="by which a known opponent must explain all actions better than doubt (4)",
    )
    add("--against", metavar="BOT", nargs="+", help="opponents (O1 to O8 and O_random)")
    add("--library", metavar="NAME", help="of them (wide, or the only one of the folder)")
    add("--models", metavar="DIR", type=Path, help="networks and library, not those shipped")
    add(
        "--deals",
        metavar="N",
        type=count,
        default=DEALS,
        help="of each match, each from both seats (%(default)s)",
    )
    add(
        "--matches",
        metavar="N",
        type=count,
        default=1,
        help="of so many deals, each without memory of those before (%(default)s)",
    )
    add(
        "--first",
        metavar="N",
        nargs="+",
        type=count,
        help="deals of a match that count, a row for each N (all)",
    )
    add_seed(parser)
    add("--threads", metavar="N", type=count, help="matches at once (one per core)")
    add_json(parser)
    parser.set_defaults(run=run_subcommand)


def run_subcommand(options: argparse.Namespace) -> int:
    """Do it; return the exit code.

    Raises:
        AgentError: an opponent is none, or a model is missing or damaged.
        OSError: a file cannot be written.
        ValueError: a sharpness is not above 0, or a half-life below.
    """
    from agents.astar.ensemble.policy import Blending
    from agents.roster.bots import COUNTERED
    from engine.console.quantities import interval
    from engine.console.text_table import aligned
    from protocol.gamedefs import load_builtin

    game = load_builtin(GAME)
    against = options.against or [*COUNTERED, "O_random"]
    firsts = options.first or [options.deals]
    if max(firsts) > options.deals:
        raise ValueError(f"--first {max(firsts)}: a match has {options.deals} deals")
    settings = [
        Blending(**dict(zip(_FIELDS, setting, strict=True)))
        for setting in product(*(getattr(options, name) for name in _OPTIONS))
    ]
    titles = ["first"] if options.first else []
    rows = [[*_SETTINGS, *titles, *against, "mean"]]
    told = []
    for done, blending in enumerate(settings, 1):
        facts = {name: getattr(blending, name) for name in _FIELDS}
        names = [one if isinstance(one, str) else f"{one:g}" for one in facts.values()]
        won = _played(game, blending, against, options)
        for first in firsts:
            rates = [_rate(game, *one, first) for one in won]
            mean, half = _mean(game, won, rates, first)
            cells = [interval(rate.mbb_per_hand, rate.ci95, 0) for rate in rates]
            name = [*names, str(first)] if options.first else names
            rows.append([*name, *cells, interval(mean, half, 0)])
            tell(f"{done} of {len(settings)}: {' '.join(name)}: {rows[-1][-1]} mbb/h")
            told.append(
                {
                    **facts,
                    **({"first": first} if options.first else {}),
                    "won": {
                        name: {"mbb_per_hand": rate.mbb_per_hand, "ci95": _finite(rate.ci95)}
                        for name, rate in zip(against, rates, strict=True)
                    },
                }
            )
    shown = 0 if options.json == STDOUT else show("\n".join([*aligned(rows), ""]), PROG)
    if options.json is not None:
        facts = {"deals": options.deals, "matches": options.matches, "seed": options.seed}
        return put_json(options.json, {**facts, "settings": told}, PROG) or shown
    return shown


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _played(
    game: GameDef, blending: Blending, against: list[str], options: argparse.Namespace
) -> list[tuple[int, NDArray[np.float64]]]:
    """Return of each opponent its period, and (M, D) chips won in each deal of each match."""
    from agents.astar.bot import WHOLE, variant_policy
    from agents.astar.models import MODELS, WIDE, usual_library
    from agents.roster.bots import find_agent
    from engine.play.compiled_match import play_matches

    folder = options.models or MODELS
    library = options.library or usual_library(folder, WIDE)
    specs = [find_agent(name) for name in against]
    pairs = []
    for match in range(options.matches):
        seed = options.seed + 2 * match
        player = variant_policy(game, seed, WHOLE, blending, folder, library)
        pairs.append([(player, spec.compiled_policy(game, seed + 1)) for spec in specs])
    won = [
        play_matches(
            game,
            match,
            options.deals,
            options.seed + at,
            duplicate=True,
            threads=options.threads,
        )
        for at, match in enumerate(pairs)
    ]
    return [
        (spec.period, np.stack([results[at].won.mean(axis=0) for results in won]))
        for at, spec in enumerate(specs)
    ]


def _rate(game: GameDef, period: int, won: NDArray[np.float64], first: int) -> WinRate:
    """Return the win rate over the first deals; samples are matches, or periods of a single one."""
    from engine.estimates.winrate import win_rate

    block = first if len(won) > 1 else min(period, first)
    whole = first // block * block
    samples = won[:, :whole].reshape(-1, block).mean(axis=1)
    return win_rate(samples, game.big_blind, hands_per_sample=2 * block)


def _mean(
    game: GameDef, won: list[tuple[int, NDArray[np.float64]]], rates: list[WinRate], first: int
) -> tuple[float, float]:
    """Return the mean over all opponents and its 95 % interval; they share a match's deals."""
    if len(won[0][1]) > 1:
        both = _rate(game, 1, np.mean([chips for _, chips in won], axis=0), first)
        return both.mbb_per_hand, both.ci95
    half = math.hypot(*(rate.ci95 for rate in rates)) / len(rates)
    return sum(rate.mbb_per_hand for rate in rates) / len(rates), half
