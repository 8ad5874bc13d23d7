"""How far searches of the turn are from solved, by algorithm and number of iterations.

    python -m tests.benchmarks.search_study [OUT.json]

Solves three turns on arrival, with the ranges of the blueprint, and writes the exploitability of
the average strategies in parts of the pot (usually to docs/data/libratus-turns.json).  The figures
do not depend on the machine's speed.  Takes six minutes.
"""

import json
import sys
from pathlib import Path

import numpy as np

from agents.blueprint_model.policy import policy_for
from agents.libratus.policy import floored
from agents.libratus.settings import FLOOR
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.rules.view import state_of_betting
from engine.search.profile_values import profile_solver
from engine.search.subgame_search import Budget, SearchRoot, SearchSettings, search
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

OUT = Path(__file__).parents[2] / "docs" / "data" / "libratus-turns.json"
TURNS = {
    "r300c/cc/": "KsJs7d2c",
    "r300r900c/r1800c/": "9s8s4d2c",
    "cc/cr200c/": "AhTd5c5s",
}
NAMES = ("lcfr", "dcfr", "dcfr3", "dcfr+", "cfr+", "pcfr+", "pdcfr+", "sapcfr+", "cfr")
CASES = [(name, 1) for name in NAMES] + [("lcfr", portions) for portions in (2, 3, 4)]
"""Algorithms, and portions of the river cards."""
ITERATIONS = (20, 40, 80, 160)
NODES = 160
FEW = (6, 8, 10, 15, 20, 40, 160)
FEW_NODES = 60
"""Only the smallest of the menus leads to no more."""


def origin_of(policy, betting, board):
    """Where a turn is searched on arrival."""
    state = state_of_betting(policy.game, betting)
    cards = parse_cards(board)
    ranges = np.stack([policy.reach(state, cards, player) for player in (0, 1)])
    ranges[1 - state.actor] = floored(ranges[1 - state.actor], cards, FLOOR)
    return SearchRoot(state, cards, state.actor, ranges)


def main(out=OUT):
    """Solve, and write after each algorithm."""
    policy = policy_for(load_builtin("hunl"))
    facts = {
        "command": "python -m tests.benchmarks.search_study",
        "iterations": ITERATIONS,
        "turns": [f"{betting} on {board}" for betting, board in TURNS.items()],
        "of_pot": {},
    }
    for name, portions in CASES:
        rows = []
        for betting, board in TURNS.items():
            origin = origin_of(policy, betting, board)
            settings = SearchSettings(VARIANTS[name], most_nodes=NODES, portions=portions)
            solver = search(origin, origin.state, settings, Budget(1)).solver
            row = []
            for iterations in ITERATIONS:
                solve(solver, settings.variant, portions * iterations - solver.iterations)
                row.append(round(solver.exploitability_of_pot(StrategyKind.AVERAGE), 4))
            rows.append(row)
            print(name, portions, betting, *row, flush=True)
        facts["of_pot"][name if portions == 1 else f"{name}, {portions} portions"] = rows
        Path(out).write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    facts |= small_trees(policy)
    Path(out).write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


def small_trees(policy):
    """Return the same of few iterations in the smallest tree, and of the blueprint in its own."""
    rows, own = [], []
    settings = SearchSettings(VARIANTS["lcfr"], most_nodes=FEW_NODES)
    for betting, board in TURNS.items():
        origin = origin_of(policy, betting, board)
        solver = search(origin, origin.state, settings, Budget(1)).solver
        row = []
        for iterations in FEW:
            solve(solver, settings.variant, settings.portions * iterations - solver.iterations)
            row.append(round(solver.exploitability_of_pot(StrategyKind.AVERAGE), 4))
        rows.append(row)
        node = policy.node_of(origin.state, origin.board)
        nodes = policy.model.tree.nodes_below(node).tolist()
        profile = profile_solver(
            policy.model.tree.below(node),
            origin.board,
            origin.ranges,
            lambda number, cards, nodes=nodes: policy.at(nodes[number], cards),
        )
        own.append(round(profile.exploitability_of_pot(StrategyKind.AVERAGE), 4))
        print("smallest", betting, *row, "blueprint", own[-1], flush=True)
    return {"few": FEW, "smallest": rows, "blueprint": own}


if __name__ == "__main__":
    main(*sys.argv[1:])
