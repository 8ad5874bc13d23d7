"""How exploitable continual re-solving is in Leduc, with exact values and with trained networks.

The game is that of DeepStack-Leduc: ante 100, stacks of 1200, bets of the pot and all-in.  Every
decision of both players is solved again from what the decision before granted; then the whole
game's best responses are worked out.  Searches of the first round end with it, or, as a control,
with the hand.  No hand is played, so nothing is left to chance but what networks learn.

A network learns from drawn ranges, then plays.  States that its searches asked about are solved and
added to what the next one learns from; and so on.

    make study NAME="deepstack-leduc [--situations 60000] [--rounds 3,1,1]"

An hour of a busy core; what is done is kept in the work folder.  Networks have three layers
of 128.  Their errors are those on 500 drawn situations that nothing was learnt from, and on states
that their own searches ask about, before any of them is learnt from.

Source: lifrordi/DeepStack-Leduc, whose manual has the figures of its network and of CFR.
"""

from functools import partial

import numpy as np

from engine.cfr.variants import VARIANTS
from tests.helpers.leduc import SolvedRounds, exploitability, resolving
from tests.helpers.leduc_values import (
    Arrivals,
    NetworkRounds,
    distinct,
    drawn,
    encoded,
    labelled,
    learnt,
)
from tests.studies.frame import resumed

REFERENCE = {"network": 1.37, "cfr": 1.0}
"""Chips; the network learnt from a million situations, CFR had 1000 iterations."""
VARIANT = VARIANTS["dcfr"]
TESTED, TESTED_ITERATIONS, TESTED_SEED = 500, 1000, 10**6
LABEL_ITERATIONS = 400
SMALL = {
    "situations": 60, "asked": 20, "iterations": "2", "whole": "2", "exact": "2:4",
    "rounds": "1", "hidden": "8", "epochs": 2,
}  # fmt: skip


def add_options(parser):
    """Add sizes."""
    parser.add_argument("--situations", type=int, default=60_000, help="drawn, learnt from")
    parser.add_argument("--asked", type=int, default=60_000, help="most that a round adds to them")
    parser.add_argument("--rounds", default="3,1,1", help="of asking and learning again, by seed")
    parser.add_argument("--iterations", default="25,100,400", help="of searches with networks")
    parser.add_argument("--whole", default="25,100,200,400", help="and to the hand's end")
    parser.add_argument("--exact", default="25:100,100:200,200:400,400:800", help="at leaves, too")
    parser.add_argument("--hidden", default="128,128,128", help="widths of hidden layers")
    parser.add_argument("--epochs", type=int, default=30, help="of training")


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
    """Yield what networks learnt and how well they play, by seed and round."""
    columns = ("learnt", "drawn", "asked", "bare_drawn", "bare_asked")
    shape = f"{options.situations} {options.asked} {options.hidden} {options.epochs} {counts}"
    for seed, rounds in enumerate(_numbers(options.rounds), 1):
        key = f"networks {seed} {rounds} {shape}"
        measure = partial(_rounds, options, counts, rounds, seed)
        rows = _once(options, key, lambda measure=measure: list(measure()))
        for number, row in enumerate(rows.tolist()):
            facts = dict(zip(columns, row, strict=False))
            yield {
                "seed": seed,
                "round": number,
                "situations": int(facts.pop("learnt")),
                "errors": facts,
                "played": _played(counts, row[len(columns) :]),
            }


def _rounds(options, counts, rounds, seed):
    """Yield, by round, how much was learnt from, errors by range, and chips by iterations."""
    from agents.deepstack.net import TrainingPlan

    plan = TrainingPlan(
        tuple(_numbers(options.hidden)), options.epochs, batch=512, rate=2e-3, seed=seed
    )
    rng = np.random.default_rng(seed)
    tested = drawn(TESTED, np.random.default_rng(TESTED_SEED))
    right = labelled(tested, TESTED_ITERATIONS)
    states = drawn(options.situations, rng)
    values = labelled(states, LABEL_ITERATIONS)
    for _ in range(1 + rounds):
        network = learnt(states, values, plan)
        recorded = []
        chips = [
            _chips(count, partial(NetworkRounds, network=network, recorded=recorded))
            for count in counts
        ]
        asked = distinct(recorded, options.asked, rng)
        found = labelled(asked, LABEL_ITERATIONS)
        pairs = (tested, right), (asked, found)
        errors = [error(said, *pair) for said in (network, None) for pair in pairs]
        yield [len(values), *errors, *chips]
        states = Arrivals(*map(np.concatenate, zip(states, asked, strict=True)))
        values = np.concatenate([values, found])


def error(network, states, values):
    """The mean error weighted by ranges, in pots; None: of saying that nobody bets."""
    seen = encoded(states)
    said = seen.base if network is None else network.values(seen.features, seen.weights) + seen.base
    return float((np.abs(said - values) * seen.weights).sum(axis=(1, 2)).mean() / 2)
