"""What wrong estimates cost: max-margin with alternatives that are off by a known amount, in Leduc.

The second rounds of Leduc are solved again below a blueprint of ten iterations, with the
opponent's exact values, and with values that are off by -delta or delta, as a coin says.  What a
best response wins rises by at most 2 delta.  Takes two minutes of a core.

Source: Brown and Sandholm, "Safe and nested subgame solving for imperfect-information games", NIPS
2017.
"""

import numpy as np

from engine.cfr.solver import solve
from engine.cfr.variants import VARIANTS
from engine.small_games.best_response import best_response
from engine.small_games.leduc import leduc
from engine.small_games.sequence_form import sequence_form
from engine.small_games.tabular import TabularSolver
from tests.oracles.gadgets import max_margin, merged
from tests.oracles.subgame import best_values, subgame_at

DELTAS = (0.0, 0.1, 0.25, 0.5, 1.0, 2.0)
"""Chips; the ante is one, a bet two or four."""
SMALL = {"deltas": (0.0, 1.0), "seeds": 1, "iterations": 2}


def add_options(parser):
    """Add how much is measured."""
    add = parser.add_argument
    add("--deltas", type=float, nargs="+", default=DELTAS, help="chips")
    add("--seeds", type=int, default=5, help="draws of the coins for each delta")
    add("--iterations", type=int, default=300, help="of each new solution")


def run(options):
    """Return the exploitability of each draw, by delta."""
    tree = leduc(isomorphic=True)
    solver = TabularSolver(tree)
    solve(solver, VARIANTS["cfr"], 10)
    blueprint, form = solver.average(), sequence_form(tree)
    rounds = {}
    for node, history in enumerate(tree.histories):
        if len(history) > 3 and isinstance(history[-1], int):
            rounds.setdefault(history[2:], []).append(node)

    def loss(profile):
        return sum(best_response(form, profile, player).value for player in (0, 1)) / 2

    def solved_again(delta, rng):
        profile = blueprint
        for player in (0, 1):
            for roots in rounds.values():
                subgame = subgame_at(tree, player, tuple(roots))
                right = best_values(subgame, blueprint)
                offered = {
                    name: value + delta * rng.choice((-1, 1)) for name, value in right.items()
                }
                gadget = max_margin(subgame, blueprint, offered)
                inside = TabularSolver(gadget)
                solve(inside, VARIANTS["cfr+"], options.iterations)
                profile = merged(subgame, profile, gadget, inside.average())
        return round(loss(profile), 4)

    return {
        "command": "make study libratus-estimates",
        "blueprint": round(loss(blueprint), 4),
        "seeds": options.seeds,
        "deltas": options.deltas,
        "exploitability": [
            [
                solved_again(delta, np.random.default_rng(seed))
                for seed in range(options.seeds if delta else 1)
            ]
            for delta in options.deltas
        ],
    }
