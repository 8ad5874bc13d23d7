"""How exploitable continual re-solving is in Leduc, with exact values and with trained networks.

The game is that of DeepStack-Leduc: ante 100, stacks of 1200, bets of the pot and all-in.  Every
decision of both players is solved again from what the decision before granted; then the whole
game's best responses are worked out.  Searches of the first round end with it, or, as a control,
with the hand.  No hand is played, so nothing is left to chance but what networks learn.

    make study NAME="deepstack-leduc [--situations 30000,120000] [--iterations 25,100,400]"

Half an hour of a busy core; what is done is kept in the work folder.  Networks have three layers of
128; their errors are those on 500 situations that nothing was learnt from, solved by 1000
iterations.

Source: lifrordi/DeepStack-Leduc, whose manual has the figures of its network and of CFR.
"""

from functools import partial

import numpy as np

from engine.cfr.variants import VARIANTS
from tests.helpers.leduc import SolvedRounds, exploitability, resolving
from tests.helpers.leduc_values import (
    FEATURES,
    LIVE,
    NetworkRounds,
    solved_situations,
    suits_exchanged,
)
from tests.studies.frame import resumed

REFERENCE = {"network": 1.37, "cfr": 1.0}
"""Chips; the network learnt from a million situations, CFR had 1000 iterations."""
VARIANT = VARIANTS["dcfr"]
TESTED, TESTED_ITERATIONS, TESTED_SEED = 500, 1000, 2
BLOCK, BLOCK_ITERATIONS = 60_000, 200
SMALL = {
    "situations": "60", "iterations": "2", "whole": "2", "exact": "2:4", "networks": 1,
    "hidden": "8", "epochs": 2, "block": 60,
}  # fmt: skip


def add_options(parser):
    """Add sizes."""
    parser.add_argument("--situations", default="30000,120000", help="learnt from")
    parser.add_argument("--iterations", default="25,100,400", help="of searches with networks")
    parser.add_argument("--whole", default="25,100,200,400", help="of searches to the hand's end")
    parser.add_argument("--exact", default="25:100,100:200,200:400", help="and those at leaves")
    parser.add_argument("--networks", type=int, default=1, help="seeds of the largest size")
    parser.add_argument("--hidden", default="128,128,128", help="widths of hidden layers")
    parser.add_argument("--epochs", type=int, default=60, help="of training")
    parser.add_argument("--block", type=int, default=BLOCK, help="situations made at once")


def run(options):
    """Return exploitability in chips by what is at the leaves."""
    wholes = _numbers(options.whole)
    pairs = [tuple(map(int, text.split(":"))) for text in options.exact.split(",")]

    def exact(count, deeper):
        values_in = partial(SolvedRounds, iterations=deeper)
        (chips,) = _once(options, f"exact {count} {deeper}", lambda: [_chips(count, values_in)])
        return {"iterations": count, "deeper": deeper, "chips": float(chips)}

    whole = _once(options, f"whole {wholes}", lambda: [_chips(count) for count in wholes])
    return {
        "reference": REFERENCE,
        "whole": _played(wholes, whole),
        "exact": [exact(*pair) for pair in pairs],
        "networks": list(_networks(options, _numbers(options.iterations))),
    }


def _once(options, key, measure):
    """Return an array from the work folder, or measure it and keep it there."""
    (array,) = resumed(options.work, [key], lambda keys: (np.array(measure()) for _ in keys))
    return array


def _numbers(text):
    return [int(number) for number in text.split(",")]


def _chips(iterations, values_in=None):
    return exploitability(resolving(VARIANT, iterations, values_in))


def _played(counts, chips):
    return [
        {"iterations": count, "chips": float(one)} for count, one in zip(counts, chips, strict=True)
    ]


def _networks(options, counts):
    """Yield what networks learnt and how well they play: all sizes, more seeds of the largest."""
    sizes, hidden = _numbers(options.situations), _numbers(options.hidden)
    runs = [(size, 1) for size in sizes] + [(sizes[-1], 1 + n) for n in range(1, options.networks)]
    for size, seed in runs:
        key = f"network {size} {seed} {hidden} {options.epochs} {counts}"
        row = _once(
            options, key, lambda size=size, seed=seed: _network(options, counts, size, seed)
        )
        by_hand, by_range, zero_by_hand, zero_by_range, *chips = row
        yield {
            "situations": size,
            "seed": seed,
            "error": {"by_hand": float(by_hand), "by_range": float(by_range)},
            "zero": {"by_hand": float(zero_by_hand), "by_range": float(zero_by_range)},
            "played": _played(counts, chips),
        }


def _network(options, counts, size, seed):
    """Return errors of a network and of saying nothing, and chips by iterations."""
    from agents.deepstack.net import TrainingPlan, train

    plan = TrainingPlan(
        tuple(_numbers(options.hidden)), options.epochs, batch=512, rate=2e-3, seed=seed
    )
    learnt = situations(options, size)
    network = train(learnt, plan, augmented=suits_exchanged)
    features, weights, values = solved_situations(TESTED, TESTED_ITERATIONS, seed=TESTED_SEED)
    said = network.values(features, weights)
    values_in = partial(NetworkRounds, network=network)
    return [
        *errors(said, weights, values),
        *errors(np.zeros_like(values), weights, values),
        *(_chips(count, values_in) for count in counts),
    ]


def situations(options, size):
    """Return the first situations of all that there are; blocks have odd seeds."""
    from agents.deepstack.net import Situations

    blocks = [
        _once(
            options,
            f"situations {options.block} {BLOCK_ITERATIONS} {seed}",
            lambda seed=seed: joined(*solved_situations(options.block, BLOCK_ITERATIONS, seed)),
        )
        for seed in range(1, 2 * -(-size // options.block), 2)
    ]
    rows = np.concatenate(blocks)[:size]
    features, weights, values = np.split(rows, [FEATURES, FEATURES + 2 * LIVE], axis=1)
    pairs = [np.ascontiguousarray(part).reshape(size, 2, LIVE) for part in (weights, values)]
    return Situations(np.ascontiguousarray(features), *pairs, np.ones_like(pairs[0]))


def joined(*arrays):
    """Return arrays of situations side by side, (N, ...)."""
    return np.concatenate([array.reshape(len(array), -1) for array in arrays], axis=1)


def errors(said, weights, values):
    """Return mean errors in pots, by hand and weighted by ranges."""
    away = np.abs(said - values)
    return float(away.mean()), float((away * weights).sum(axis=(1, 2)).mean() / 2)
