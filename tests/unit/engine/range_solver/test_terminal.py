"""Fold and showdown values of whole ranges."""

import numpy as np
import pytest

from engine.hands.cards import COMBOS
from engine.range_solver.terminal import fold_values, showdown_values
from protocol.cards import parse_cards
from tests.oracles import terminal as oracle

BOARD = parse_cards("4s8hTc9h2s")


@pytest.mark.parametrize("ranges", [1, 17])
def test_values_are_those_of_looking_at_every_pair(ranges):
    """Any number of ranges, with zeros and tiny weights among them."""
    rng = np.random.default_rng(ranges)
    reach = rng.random((ranges, COMBOS)) * (rng.random((ranges, COMBOS)) < 0.1)
    reach *= 10.0 ** rng.integers(-6, 1, COMBOS)
    reach = reach.astype(np.float32)
    folds, showdowns = fold_values(reach, BOARD), showdown_values(reach, BOARD)
    for row in {0, ranges - 1}:
        for found, plain in (
            (folds[row], oracle.fold_values(reach[row], BOARD)),
            (showdowns[row], oracle.showdown_values(reach[row], BOARD)),
        ):
            np.testing.assert_allclose(found, plain, rtol=1e-6, atol=1e-12 * reach[row].sum())


@pytest.mark.parametrize(
    ("reach", "board", "message"),
    [
        (np.ones(1325), BOARD, "want"),
        (np.ones((2, 2, COMBOS)), BOARD, "want"),
        (-np.ones(COMBOS), BOARD, "negative"),
        (np.full(COMBOS, np.nan), BOARD, "finite"),
        (np.ones(COMBOS), BOARD[:4], "five|5 board cards"),
        (np.ones(COMBOS), (*BOARD[:4], BOARD[0]), "twice"),
    ],
)
def test_bad_arguments_are_refused(reach, board, message):
    """One clear line each."""
    with pytest.raises(ValueError, match=message):
        showdown_values(reach, board)
