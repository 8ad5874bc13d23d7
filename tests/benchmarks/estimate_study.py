"""What wrong estimates cost: max-margin with alternatives that are off by a known amount.

    python -m tests.benchmarks.estimate_study [OUT.json]

The second rounds of Leduc are solved again below a blueprint of ten iterations, with the
opponent's exact values, and with values that are off by -delta or delta, as a coin says.  What a
best response wins rises by at most 2 delta: Brown and Sandholm, "Safe and nested subgame solving
for imperfect-information games", NIPS 2017.
"""

import json
import sys
from pathlib import Path

import numpy as np

from engine.cfr.solver import solve
from engine.cfr.variants import VARIANTS
from engine.small_games.best_response import best_response
from engine.small_games.leduc import leduc
from engine.small_games.sequence_form import sequence_form
from engine.small_games.tabular import TabularSolver
from tests.oracles.gadgets import max_margin, merged
from tests.oracles.subgame import best_values, subgame_at

OUT = Path(__file__).parents[2] / "docs" / "data" / "libratus-estimates.json"
DELTAS = (0.0, 0.1, 0.25, 0.5, 1.0, 2.0)
"""Chips; the ante is one, a bet two or four."""
SEEDS = 5
ITERATIONS = 300


def off_by(alternatives, delta, rng):
    """Return alternatives that are wrong by so many chips."""
    return {knows: value + delta * rng.choice((-1, 1)) for knows, value in alternatives.items()}


def main(out=OUT):
    """Measure, and write after each amount."""
    tree = leduc(isomorphic=True)
    solver = TabularSolver(tree)
    solve(solver, VARIANTS["cfr"], 10)
    blueprint = solver.average()
    found = {}
    for node, history in enumerate(tree.histories):
        if len(history) > 3 and isinstance(history[-1], int):
            found.setdefault(history[2:], []).append(node)

    def loss(profile):
        form = sequence_form(tree)
        return sum(best_response(form, profile, player).value for player in (0, 1)) / 2

    facts = {
        "command": "python -m tests.benchmarks.estimate_study",
        "blueprint": round(loss(blueprint), 4),
        "seeds": SEEDS,
        "deltas": DELTAS,
        "exploitability": [],
    }
    for delta in DELTAS:
        losses = []
        for seed in range(SEEDS if delta else 1):
            rng = np.random.default_rng(seed)
            profile = blueprint
            for player in (0, 1):
                for roots in found.values():
                    subgame = subgame_at(tree, player, tuple(roots))
                    gadget = max_margin(
                        subgame, blueprint, off_by(best_values(subgame, blueprint), delta, rng)
                    )
                    inside = TabularSolver(gadget)
                    solve(inside, VARIANTS["cfr+"], ITERATIONS)
                    profile = merged(subgame, profile, gadget, inside.average())
            losses.append(round(loss(profile), 4))
        facts["exploitability"].append(losses)
        print(delta, *losses, flush=True)
        Path(out).write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
