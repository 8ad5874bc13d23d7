"""Speed of searches at the table; unit: seconds, of one decision on the turn and on the river.

The baseline of each is the same number of iterations of a plain solve: what a search adds is the
gadget, and what follows a decision is the way from one solution to the next.
"""

import numpy as np
import pytest

from engine.betting.betting_tree import subgame_root
from engine.cfr.solver import solve
from engine.cfr.variants import VARIANTS
from engine.hands.cards import COMBOS
from engine.range_solver.solver import RangeSolver
from engine.search.subgame_search import Budget, SearchRoot, SearchSettings, search
from protocol.actions import CALL
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

pytestmark = pytest.mark.slow
SETTINGS = SearchSettings(VARIANTS["lcfr"], most_nodes=160)
BOARDS = {"turn": ("KsJs7d2c", 30), "river": ("KsJs7d2c3h", 300)}


def origin_on(board, *, safe):
    """A pot of 6 big blinds with 197 behind, and any hands."""
    cards = parse_cards(board)
    root = subgame_root(load_builtin("hunl"), len(cards) - 2, 600, (19_700, 19_700))
    rng = np.random.default_rng(1)
    offers = rng.normal(0, 300, COMBOS) if safe else None
    return SearchRoot(root, cards, 0, rng.uniform(0.1, 1, (2, COMBOS)), offers)


@pytest.mark.parametrize("street", BOARDS)
@pytest.mark.parametrize("kind", ["plain solve", "unsafe", "safe"])
def test_decision(benchmark, street, kind):
    """One after another, in one run."""
    board, iterations = BOARDS[street]
    origin = origin_on(board, safe=kind == "safe")
    found = search(origin, origin.state, SETTINGS, Budget(1))
    tree = found.solver.game.tree

    def decide():
        if kind == "plain solve":
            solve(RangeSolver(tree, origin.board, origin.ranges), SETTINGS.variant, iterations)
        else:
            search(origin, origin.state, SETTINGS, Budget(iterations))

    benchmark.pedantic(decide, rounds=3, iterations=1, warmup_rounds=1)
    benchmark.extra_info |= {"nodes": tree.nodes, "iterations": iterations}


@pytest.mark.parametrize("later", ["turn", "river"])
def test_onward(benchmark, later):
    """From the solution of a turn to the next decision there, and to the river."""
    origin = origin_on(BOARDS["turn"][0], safe=False)
    found = search(origin, origin.state, SETTINGS, Budget(3))
    state, board = origin.state.apply(CALL), origin.board
    if later == "river":
        state, board = state.apply(CALL), parse_cards(BOARDS["river"][0])
    benchmark.pedantic(lambda: found.onward(state, board), rounds=3, iterations=1, warmup_rounds=1)
