"""Fold and showdown values on any board, for any sparse range."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.hands.cards import COMBOS
from engine.range_solver.terminal import fold_values, showdown_values
from tests.oracles import terminal as oracle

BOARDS = st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True)
RANGES = st.dictionaries(
    st.integers(0, COMBOS - 1), st.floats(0, 1, width=32), min_size=1, max_size=12
)


@given(BOARDS, RANGES)
def test_values_are_those_of_looking_at_every_pair(board, weights):
    """Combos with shared cards, ties and blocked combos included."""
    reach = np.zeros(COMBOS, np.float32)
    reach[list(weights)] = list(weights.values())
    size = reach.sum()
    for found, plain in (
        (fold_values(reach, board), oracle.fold_values(reach, board)),
        (showdown_values(reach, board), oracle.showdown_values(reach, board)),
    ):
        np.testing.assert_allclose(found, plain, rtol=1e-6, atol=1e-12 * size)
