"""Fold and showdown values of whole ranges."""

import numpy as np
import pytest

from engine.hands.cards import COMBOS, combo_of, parse_combo
from engine.range_solver.terminal import fold_values, showdown_values
from protocol.cards import parse_cards
from tests.oracles import terminal as oracle

BOARD = parse_cards("4s8hTc9h2s")


def only(*texts):
    """A range of these combos, weight 1 each."""
    reach = np.zeros(COMBOS, np.float32)
    reach[[parse_combo(text) for text in texts]] = 1
    return reach


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


def test_a_fold_hands_over_what_shares_no_card():
    """Two aces leave one pair of aces to the other player, beside all kings."""
    values = fold_values(only("AsAh", "AdAc", "KsKh"))
    assert values[parse_combo("AsAh")] == 2
    assert values[parse_combo("AsKd")] == 2
    assert values[parse_combo("AsKs")] == 1
    assert values[parse_combo("2d2c")] == 3


def test_a_showdown_wins_ties_and_loses():
    """The nuts win, the same hand ties, the worst loses; shared cards do not meet."""
    values = showdown_values(only("QhJh", "QsJs", "3d3c"), BOARD)
    assert values[parse_combo("QcJc")] == 1  # straight, beats the treys and ties the straights
    assert values[parse_combo("QcJs")] == 1  # cannot meet QsJs
    assert values[parse_combo("5d3h")] == -3
    assert values[parse_combo("5d3d")] == -2  # cannot meet 3d3c
    assert values[parse_combo("QhJs")] == 1


def test_blocked_combos_have_no_reach_and_no_value():
    """Board cards are in nobody's hand."""
    everything = np.ones(COMBOS, np.float32)
    blocked = combo_of(BOARD[0], 0)
    for values in (fold_values(everything, BOARD), showdown_values(everything, BOARD)):
        assert values[blocked] == 0
    assert fold_values(everything, BOARD)[parse_combo("AsAh")] == 45 * 44 / 2


def test_a_showdown_is_zero_sum():
    """What all combos win against a range, the range loses against all combos."""
    rng = np.random.default_rng(3)
    first, second = rng.random((2, COMBOS)).astype(np.float32)
    won = float(first @ showdown_values(second, BOARD).astype(float))
    lost = float(second @ showdown_values(first, BOARD).astype(float))
    blocked = showdown_values(np.ones(COMBOS), BOARD) == 0
    assert blocked.sum() >= COMBOS - 1081
    assert won == pytest.approx(-lost, rel=1e-5)


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
