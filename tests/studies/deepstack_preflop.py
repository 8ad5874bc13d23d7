"""How far the shipped network of ends before the flop is off, beside what costs nothing.

    make study NAME="deepstack-preflop [--situations N] [--flops N]"

Drawn situations, of a seed that nothing was learnt from, are solved on many drawn flops each, by
the shipped network of ends of flops; the means over flops are what it should say.  Errors are of
starting hands in pots, weighted by range; `noise` is how far the means themselves are off, by what
they vary from flop to flop.  An eighth of a second of a core for each flop.
"""

from math import pi, sqrt

import numpy as np

from agents.deepstack.bucketed import by_bucket
from agents.deepstack.configuration import PREFLOP, SOURCES, Configuration
from agents.deepstack.situations import SituationSource
from agents.deepstack.solving import solve_situation
from engine.console.options import jobs_option
from engine.console.progress import LivingLine
from engine.parallel.processes import in_order
from engine.search.network_leaves import street_end_network

SEED = 1001
PREDICTORS = ("zero", "equity", "network", "noise")
SMALL = {"situations": 3, "flops": 2, "jobs": 1}


def add_options(parser):
    """Add how much is measured."""
    parser.add_argument("--situations", type=int, default=60, help="(%(default)s)")
    parser.add_argument("--flops", type=int, default=60, help="of each (%(default)s)")
    jobs_option().add_to(parser)


def run(options):
    """Return mean errors by source and predictor."""
    configuration = Configuration.of(PREFLOP, over=True, seed=SEED, block=options.situations)
    situations = list(SituationSource(configuration).block(0))
    rows = []
    with LivingLine() as line:
        arguments = configuration, options.flops
        for row in in_order(_measuring, arguments, situations, options.jobs):
            rows.append(row)
            line.show(f"{len(rows)} of {len(situations)} situations")
    found = np.array(rows)
    sources = np.array([situation.source for situation in situations])
    chosen = {"all": np.ones(len(rows), np.bool_)}
    chosen |= {name: sources == place for place, name in enumerate(SOURCES)}
    return {
        "command": "make study NAME=deepstack-preflop",
        "situations": len(rows),
        "flops": options.flops,
        "errors": {
            name: dict(zip(PREDICTORS, found[where].mean(axis=0).round(4).tolist(), strict=True))
            for name, where in chosen.items()
            if where.any()
        },
    }


def _measuring(configuration, flops):
    network = street_end_network(PREFLOP)

    def measured(situation):
        solved = np.stack(
            [
                solve_situation(situation._replace(seed=number), configuration).values
                for number in range(flops)
            ]
        )
        shares, mass, equity, values, hands, moments, _, weights = by_bucket(
            np.array([], np.uint8), situation.ranges, solved.mean(axis=0)
        )
        stacks = np.array([situation.stack / situation.pot], np.float32)
        predicted = network.values(shares[None], mass[None], equity[None], hands, moments, stacks)[
            0
        ]
        noise = sqrt(2 / pi) * solved.std(axis=0, ddof=1) / sqrt(flops)
        away = values, equity - values, predicted - values
        errors = [float((mass * np.abs(distance)).sum() / 2) for distance in away]
        return [*errors, float((weights * noise).sum() / 2)]

    return measured
