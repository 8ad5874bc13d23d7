"""What the evolved ensemble wins by its settings, and how soon in a match, from the same deals.

    make study NAME="astar-sweep --name forms --library known --form evidence exponential inverse
        --sharpness 0.005 0.01 0.02 0.05 0.1 --half-life 250 --carry 100 --deals 3000 --seed 77"

docs/evolved.md has the settings of each table.  Seconds a setting and opponent, on all cores.
"""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.astar.bot import variant_policy
from agents.astar.ensemble.policy import FORMS, Blending
from agents.astar.ensemble_models import MODELS, WIDE_LIBRARY, usual_library
from agents.astar.options import WHOLE
from agents.roster.bots import COUNTERED_OPPONENTS, find_agent
from engine.console.arguments import count, whole_number
from engine.console.options import seed_option
from engine.console.output import tell
from engine.estimates.winrate import WinRate, win_rate
from engine.play.compiled_match import play_matches
from protocol.gamedefs import load_builtin
from tests.studies.frame import finite

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from protocol.gamedef import GameDef

GAME: Final = "hunl"
DEALS: Final = 4000
WHOLE_NUMBERS: Final = whole_number(0, 10**6)
SETTINGS: Final = {
    "form": (str, "evidence", f"of likeness: {', '.join(FORMS)}"),
    "sharpness": (float, 0.005, "scale of the distance; small: the likeliest dominates"),
    "confidence": (WHOLE_NUMBERS, 10, "actions, or hands of a node, before the library counts"),
    "half_life": (float, 250.0, "hands after which observations count half; 0: all count alike"),
    "carry": (WHOLE_NUMBERS, 0, "decisions over which the distance is averaged, by the street"),
    "doubt": (float, 0.05, "distance at which the base counts as another counter; 0: nowhere"),
    "patience": (float, 1.0, "standard errors that counters may lose before the base plays"),
    "prior": (float, 4.0, "nats that an opponent must explain actions better than doubt"),
}
"""Field of `Blending` -> what its values are, the usual one, and what it is."""
SMALL: Final = {
    "against": ["O2", "plane-30-70", "solid"],
    "prior": [0.0, 4.0],
    "deals": 20,
    "first": [10, 20],
    "name": "prior",
    "matches": 2,
}


def add_options(parser: ArgumentParser) -> None:
    """Add the settings, opponents and how much is played."""
    add = parser.add_argument
    for name, (kind, usual, meaning) in SETTINGS.items():
        option, help_ = f"--{name.replace('_', '-')}", f"{meaning} ({usual})"
        add(option, metavar="X", nargs="+", type=kind, default=[usual], help=help_)
    add("--against", metavar="BOT", nargs="+", help="opponents (O1 to O8 and O_random)")
    add("--library", metavar="NAME", help="of them (wide, or the only one of the folder)")
    add("--models", metavar="DIR", type=Path, help="networks and library, not those shipped")
    add("--deals", metavar="N", type=count, default=DEALS, help="of each match (%(default)s)")
    add("--matches", metavar="N", type=count, default=1, help="without memory of those before")
    add("--first", metavar="N", nargs="+", type=count, help="deals of a match that count (all)")
    seed_option().add_to(parser)
    add("--threads", metavar="N", type=count, help="matches at once (one per core)")
    add("--name", default="sweep", help="of the result, as in docs/data/astar-NAME.json")


def result_name(options: Namespace) -> str:
    """Return the file of a sweep."""
    return f"astar-{options.name}.json"


def run(options: Namespace) -> dict[str, Any]:
    """Return what each setting wins from each opponent, a row for each --first."""
    game = load_builtin(GAME)
    against = options.against or [*COUNTERED_OPPONENTS, "O_random"]
    firsts = options.first or [options.deals]
    if max(firsts) > options.deals:
        raise ValueError(f"--first {max(firsts)}: a match has {options.deals} deals")
    settings = [
        Blending(**dict(zip(SETTINGS, setting, strict=True)))
        for setting in product(*(getattr(options, name) for name in SETTINGS))
    ]
    rows = []
    for done, blending in enumerate(settings, 1):
        facts = {name: getattr(blending, name) for name in SETTINGS}
        won = _played(game, blending, against, options)
        for first in firsts:
            rates = [_rate(game, *one, first) for one in won]
            won_by_name = {
                name: {"mbb_per_hand": rate.mbb_per_hand, "ci95": finite(rate.ci95)}
                for name, rate in zip(against, rates, strict=True)
            }
            beside = {"first": first} if options.first else {}
            rows.append({**facts, **beside, "won": won_by_name})
        mean, half = _mean(game, won, rates, first)
        tell(f"{done} of {len(settings)} settings: {mean:,.0f} ± {half:,.0f} mbb/h from all")
    facts = {"deals": options.deals, "matches": options.matches, "seed": options.seed}
    return {**facts, "settings": rows}


def _played(
    game: GameDef, blending: Blending, against: list[str], options: Namespace
) -> list[tuple[int, NDArray[np.float64]]]:
    """Return of each opponent its period, and (M, D) chips won in each deal of each match."""
    folder = options.models or MODELS
    library = options.library or usual_library(folder, WIDE_LIBRARY)
    specs = [find_agent(name) for name in against]
    pairs = []
    for match in range(options.matches):
        seed = options.seed + 2 * match
        player = variant_policy(game, seed, WHOLE, blending, folder, library)
        pairs.append([(player, spec.compiled_policy(game, seed + 1)) for spec in specs])
    won = [
        play_matches(
            game, match, options.deals, options.seed + at, duplicate=True, threads=options.threads
        )
        for at, match in enumerate(pairs)
    ]
    return [
        (spec.period, np.stack([results[at].won.mean(axis=0) for results in won]))
        for at, spec in enumerate(specs)
    ]


def _rate(game: GameDef, period: int, won: NDArray[np.float64], first: int) -> WinRate:
    """Return the win rate over the first deals; samples are matches, or periods of a single one."""
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
