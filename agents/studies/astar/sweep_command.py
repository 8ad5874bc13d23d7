"""`arena astar sweep`: what the ensemble wins by form of likeness, sharpness and confidence.

All settings play the same deals with the same draws.
"""

from __future__ import annotations

import argparse
import math
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine.console.arguments import count, whole_number
from engine.console.options import STDOUT, add_json, add_seed
from engine.console.output import put_json, show, tell

if TYPE_CHECKING:
    from agents.astar.ensemble.policy import Blending
    from engine.estimates.winrate import WinRate
    from protocol.gamedef import GameDef

PROG: Final = "arena astar sweep"
GAME: Final = "hunl"
DEALS: Final = 4000
FORMS: Final = ("exponential", "inverse", "evidence")
_MOST_WHOLE: Final = 10**6


def add_parser(tasks: Any) -> None:
    """Add the task to those of `arena astar`."""
    parser = tasks.add_parser(
        "sweep",
        help="what the ensemble wins by form, sharpness, confidence, memory",
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
    settings = [
        Blending(*setting)
        for setting in product(
            options.forms,
            options.sharpness,
            options.confidence,
            options.half_life,
            options.carry,
            options.doubt,
            options.patience,
        )
    ]
    rows = [
        [
            "form",
            "sharpness",
            "confidence",
            "half-life",
            "carry",
            "doubt",
            "patience",
            *against,
            "mean",
        ]
    ]
    told = []
    for done, blending in enumerate(settings, 1):
        rates = _played(game, blending, against, options)
        mean = sum(rate.mbb_per_hand for rate in rates) / len(rates)
        half = math.hypot(*(rate.ci95 for rate in rates)) / len(rates)
        cells = [interval(rate.mbb_per_hand, rate.ci95, 0) for rate in rates]
        name = [
            blending.form,
            f"{blending.sharpness:g}",
            str(blending.confidence),
            f"{blending.half_life:g}",
            str(blending.carry),
            f"{blending.doubt:g}",
            f"{blending.patience:g}",
        ]
        rows.append([*name, *cells, interval(mean, half, 0)])
        tell(f"{done} of {len(settings)}: {' '.join(name)}: {rows[-1][-1]} mbb/h")
        told.append(
            {
                "form": blending.form,
                "sharpness": blending.sharpness,
                "confidence": blending.confidence,
                "half_life": blending.half_life,
                "carry": blending.carry,
                "doubt": blending.doubt,
                "patience": blending.patience,
                "won": {
                    name: {"mbb_per_hand": rate.mbb_per_hand, "ci95": _finite(rate.ci95)}
                    for name, rate in zip(against, rates, strict=True)
                },
            }
        )
    shown = 0 if options.json == STDOUT else show("\n".join([*aligned(rows), ""]), PROG)
    if options.json is not None:
        facts = {"deals": options.deals, "seed": options.seed, "settings": told}
        return put_json(options.json, facts, PROG) or shown
    return shown


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _played(
    game: GameDef, blending: Blending, against: list[str], options: argparse.Namespace
) -> list[WinRate]:
    from agents.astar.bot import WHOLE, variant_policy
    from agents.astar.models import MODELS, WIDE, usual_library
    from agents.roster.bots import find_agent
    from agents.studies.pool.crosstable import samples_of
    from engine.estimates.winrate import win_rate
    from engine.play.compiled_match import play_matches

    folder = options.models or MODELS
    library = options.library or usual_library(folder, WIDE)
    player = variant_policy(game, options.seed, WHOLE, blending, folder, library)
    specs = [find_agent(name) for name in against]
    pairs = [(player, spec.compiled_policy(game, options.seed + 1)) for spec in specs]
    results = play_matches(
        game, pairs, options.deals, options.seed, duplicate=True, threads=options.threads
    )
    rates = []
    for spec, result in zip(specs, results, strict=True):
        block = min(spec.period, options.deals)
        samples = samples_of(result.won, block)
        rates.append(win_rate(samples, game.big_blind, hands_per_sample=2 * block))
    return rates
