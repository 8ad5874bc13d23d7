"""How often ranges of places miss the true place, where bots are nearly equal and where not.

Round-robins of N bots whose strengths are `step` apart, in units of the noise of a total bankroll.
Ranges are those of `engine.estimates.places`, and the middle 95 % of the places in all draws.
Takes a few minutes; docs/tournaments.md tells what came out.
"""

import numpy as np

from engine.estimates.places import draws_above, place_ranges

DRAWS = 1000
CASES = ((10, 0.01, 300), (34, 0.005, 150), (34, 0.3, 100))
"""Bots, step, tournaments."""


def run(options):
    """Return by case and method how often the place of the worst bot was missed; the mean width."""
    rng = np.random.default_rng(1)
    cases = ((3, 0.1, 2),) if options.small else CASES
    return [
        {"bots": bots, "step": step, "tournaments": count, **measured(rng, bots, step, count)}
        for bots, step, count in cases
    ]


def bankrolls(rng, bots, count):
    """Return (count, N) total bankrolls of equals, standard deviation 1."""
    cells = np.triu(rng.standard_normal((count, bots, bots)), 1)
    return (cells - cells.swapaxes(1, 2)).sum(axis=2) / np.sqrt(bots - 1)


def measured(rng, bots, step, count):
    """Return by method the share of tournaments, and places."""
    truth, place = -step * np.arange(bots), np.arange(1, bots + 1)
    missed = {"ranges": np.zeros(bots), "quantiles": np.zeros(bots)}
    widths = dict.fromkeys(missed, 0.0)
    for _ in range(count):
        drawn = truth + bankrolls(rng, bots, 1) + bankrolls(rng, bots, DRAWS)
        places = 1 + np.argsort(np.argsort(-drawn, axis=1), axis=1)
        ranges = {
            "ranges": place_ranges(draws_above(drawn)),
            "quantiles": np.percentile(places, (2.5, 97.5), axis=0),
        }
        for name, (best, worst) in ranges.items():
            missed[name] += (place < best) | (place > worst)
            widths[name] += float((worst - best + 1).mean()) / count
    return {
        name: {"missed": float(missed[name].max()) / count, "width": widths[name]}
        for name in missed
    }
