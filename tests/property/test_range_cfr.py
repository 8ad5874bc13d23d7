"""The vector solver and the obvious one agree on any river, for any few hands."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.betting.bet_menu import ALL_IN, menu_of
from engine.betting.betting_tree import build_betting_tree, subgame_root
from engine.cfr.variants import VARIANTS
from engine.hands.cards import COMBOS
from engine.hands.ranges import joint_reach, without_blocked
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from protocol.gamedefs import load_builtin
from tests.oracles.range_cfr import RangeOracle, assert_valued_alike

BOARDS = st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True)
RANGES = st.dictionaries(
    st.integers(0, COMBOS - 1), st.floats(2**-6, 1, width=32), min_size=1, max_size=20
)
SIZES = st.lists(st.sampled_from((0.3, 0.8, 1.7, ALL_IN)), min_size=1, max_size=3, unique=True)


@given(BOARDS, RANGES, RANGES, SIZES, st.tuples(st.integers(1, 900), st.integers(1, 900)))
def test_rivers_are_solved_as_by_the_obvious_solver(board, first, second, sizes, stacks):
    """Hedge, whose strategies move smoothly with the values, so that rounding stays rounding."""
    ranges = np.zeros((2, COMBOS))
    for side, weights in zip(ranges, (first, second), strict=True):
        side[list(weights)] = list(weights.values())
    live = [without_blocked(side, board) for side in ranges]
    root = subgame_root(load_builtin("hunl"), 3, 300, stacks)
    tree = build_betting_tree(root, menu_of(sorted(sizes), (1.0,)))
    if joint_reach(*live) == 0:
        with pytest.raises(ValueError, match=r"empty range|dealt together"):
            RangeSolver(tree, board, ranges)
        return
    solver = RangeSolver(tree, board, ranges, RangeSettings())
    oracle = RangeOracle(tree, board, ranges)
    for t in (1, 2, 3):
        step = VARIANTS["hedge"].step(t, solver.spread)
        solver.iterate(step)
        oracle.iterate(step)
    assert_valued_alike(solver, oracle, rel=1e-4)
