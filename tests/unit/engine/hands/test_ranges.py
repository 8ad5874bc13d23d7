"""Beliefs over combos."""

import numpy as np
import pytest

from engine.hands.cards import COMBO_CARDS, COMBOS
from engine.hands.ranges import (
    as_weights,
    compatible_reach,
    floored,
    joint_reach,
    normalised,
    without_blocked,
)
from protocol.cards import parse_cards


def test_blocked_combos_are_taken_out_of_a_copy():
    """The argument stays as it was."""
    weights = np.ones(COMBOS)
    kept = without_blocked(weights, parse_cards("2c"))
    assert weights.sum() == COMBOS
    assert kept.sum() == COMBOS - 51


def test_a_floor_lets_any_hand_be():
    """A share of the range; all of it where nothing is left."""
    board = parse_cards("KsJs7d2c3h")
    weights = np.zeros(COMBOS)
    weights[:10] = 1.0
    found = floored(weights, board, 0.1)
    assert found.sum() == pytest.approx(1)
    live = without_blocked(np.ones(COMBOS), board) > 0
    assert (found[live] > 0).all()
    assert not found[~live].any()
    none = floored(np.zeros(COMBOS), board, 0.1)
    assert none[live].std() == pytest.approx(0)
    assert none.sum() == pytest.approx(1)


def test_compatible_reach_leaves_out_shared_cards():
    """Against every combo, and the own combo is counted out once only."""
    rng = np.random.default_rng(2)
    weights = rng.random(COMBOS)
    found = compatible_reach(weights)
    for combo in (0, 700, 1325):
        shares = (COMBO_CARDS[:, :, None] == COMBO_CARDS[combo]).any(axis=(1, 2))
        assert found[combo] == pytest.approx(weights[~shares].sum())


def test_joint_reach_counts_pairs_that_can_be_dealt():
    """All hands against all hands: 1326 x 1225 pairs."""
    assert joint_reach(np.ones(COMBOS), np.ones(COMBOS)) == pytest.approx(1326 * 1225)


@pytest.mark.parametrize(
    "weights", [np.ones(1325), np.ones((1, COMBOS)), -np.ones(COMBOS), np.full(COMBOS, np.inf)]
)
def test_weights_that_are_no_range_are_refused(weights):
    """Shape, sign and finiteness."""
    with pytest.raises(ValueError, match="a range has"):
        as_weights(weights)


def test_an_empty_range_is_refused():
    """Nothing to normalise."""
    with pytest.raises(ValueError, match="empty"):
        normalised(np.zeros(COMBOS))
