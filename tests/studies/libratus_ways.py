"""What local best response wins from ways to search at the table, with all hands on equal boards.

The first way is that of the bot; what the others lose more or less is taken pair by pair.  A pair
is a board with all of LBR's hands from both positions, along lines that are drawn with the same
numbers; they part where the ways do.  Some four seconds of a core for each pair and way; the work
folder has the pairs that were played.
"""

import numpy as np

from agents.libratus.options import DEFAULT_ALGORITHM
from agents.libratus.policy import policy_for
from engine.console.options import jobs_option
from engine.console.progress import LivingLine
from engine.estimates.winrate import win_rate
from engine.evaluation.lbr import LocalBestResponse
from engine.evaluation.lbr_match import ALL_HOLES, measured_blocks, pair_blocks
from engine.evaluation.lbr_settings import parse_lbr_settings
from protocol.gamedefs import load_builtin
from tests.studies.frame import finite, resumed

WAYS = {
    "resolve": {},
    "resolve, gifts": {"gifts": 1},
    "margin": {"safety": "margin"},
    "unsafe": {"safety": "unsafe"},
}
SMALL = {"pairs": 1, "iterations": 1, "jobs": 1, "settings": "C,C,C,FC", "ways": list(WAYS)[:2]}


def add_options(parser):
    """Add how much is measured."""
    add = parser.add_argument
    add("--pairs", type=int, default=40, help="boards (%(default)s)")
    add("--iterations", type=int, default=60, help="of a decision (%(default)s)")
    add("--settings", default="C,C,FCPA,FCPA", help="LBR's (%(default)s)")
    add("--ways", nargs="+", choices=WAYS, default=list(WAYS), help="(all)")
    add("--algorithm", default=DEFAULT_ALGORITHM, help="(%(default)s)")
    add("--seed", type=int, default=1)
    jobs_option().add_to(parser)


def run(options):
    """Return what is won from each way, and how much more than from the first one."""
    won = {name: won_from(name, options) for name in options.ways}
    base = won[options.ways[0]]
    big_blind = load_builtin("hunl").big_blind
    words = f"--pairs {options.pairs} --algorithm {options.algorithm}"
    return {
        "command": f'make study NAME="libratus-ways {words}"',
        "settings": options.settings,
        "iterations": options.iterations,
        "algorithm": options.algorithm,
        "seed": options.seed,
        "pairs": options.pairs,
        "ways": {
            name: {"won": rate_of(values, big_blind), "more": rate_of(values - base, big_blind)}
            for name, values in won.items()
        },
    }


def won_from(name, options):
    """Return (N,) chips a hand of LBR, luck taken out, pair by pair."""
    chosen = {"iterations": options.iterations, "algorithm": options.algorithm, **WAYS[name]}
    policy = policy_for(load_builtin("hunl"), **chosen)
    responder = LocalBestResponse(policy, policy.game, parse_lbr_settings(options.settings))
    what = f"{chosen} {options.settings} {options.seed}"
    keys = [f"{what} {pair}" for pair in range(options.pairs)]

    def play(numbers):
        blocks = [block for pair in numbers for block in pair_blocks(range(pair, pair + 1))]
        for part in measured_blocks(
            responder, blocks, options.seed, workers=options.jobs, holes=ALL_HOLES
        ):
            yield part.won.mean(axis=1) - part.luck.sum(axis=2).mean(axis=1)

    values = []
    with LivingLine() as line:
        for value in resumed(options.work, keys, play):
            values.append(float(value[0]))
            line.show(f"{name}: {len(values)} of {options.pairs} pairs")
    return np.array(values)


def rate_of(values, big_blind):
    """Return a mean over pairs with its interval, mbb per hand."""
    rate = win_rate(values, big_blind)
    return {
        "mbb_per_hand": round(float(rate.mbb_per_hand), 1),
        "ci95": finite(float(rate.ci95), 1),
    }
