"""Showdowns of ranges, against counting each pair of hands by itself."""

from __future__ import annotations

import numpy as np
import pytest

from engine.equity.equity import matchups
from engine.equity.range_showdowns import RangeShowdowns
from engine.hands.cards import COMBO_CARDS, COMBO_MASKS, COMBOS, card_bits
from engine.hands.starting_hands import COMBO_STARTING_HAND

BOARDS = ((), (0, 5, 13), (0, 4, 8, 31), (0, 5, 13, 30, 44), (0, 4, 8, 12, 16))


def _weights(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.random(COMBOS) * (rng.random(COMBOS) < 0.3)


@pytest.mark.parametrize("board", BOARDS, ids=len)
def test_sums_are_those_of_each_pair_of_hands(board):
    """Ties on the straight flush of the last board count for neither."""
    weights = _weights(len(board))
    showdowns = RangeShowdowns(board)
    met, shown = showdowns.met(weights), showdowns.shown(weights)
    for combo in range(7, COMBOS, 101):
        if int(COMBO_MASKS[combo]) & card_bits(board):
            continue
        found = matchups(COMBO_CARDS[combo].tolist(), board)
        possible = found.win + found.tie + found.lose > 0
        assert met[combo] == pytest.approx(weights[possible].sum())
        edges = (found.win - found.lose) / found.boards
        assert shown[combo] == pytest.approx(weights @ edges, abs=1e-9)


def test_before_the_flop_starting_hands_are_multiplied_as_their_combos_are():
    """Where all combos of a starting hand weigh alike, and not where one of them differs."""
    weights = np.random.default_rng(4).random(169)[COMBO_STARTING_HAND]
    nearly = weights.copy()
    nearly[700] *= 1 + 1e-9
    shown = RangeShowdowns().shown(weights)
    assert shown == pytest.approx(RangeShowdowns().shown(nearly), rel=1e-6)
    for combo in (0, 77, 700, 1325):
        found = matchups(COMBO_CARDS[combo].tolist(), ())
        assert shown[combo] == pytest.approx(weights @ ((found.win - found.lose) / found.boards))


def test_drawn_runouts_come_to_the_mean_of_all():
    """Over many seeds, for every hand within what chance allows."""
    flop = (0, 5, 13)
    weights = _weights(2)
    exact = RangeShowdowns(flop).shown(weights)
    drawn = np.stack([RangeShowdowns(flop, seed).shown(weights) for seed in range(60)])
    error = drawn.std(axis=0, ddof=1) / np.sqrt(len(drawn))
    live = error > 0
    assert live.sum() == 49 * 48 / 2
    away = (drawn.mean(axis=0) - exact)[live] / error[live]
    assert np.abs(away).max() < 5
    assert np.sqrt(np.mean(away**2)) == pytest.approx(1, abs=0.5)
    assert (drawn[0] == RangeShowdowns(flop, 0).shown(weights)).all()
    assert np.abs(drawn[0] - exact).max() < 0.25 * weights.sum()


def test_a_seed_draws_nothing_where_few_boards_can_come():
    """All are counted before the flop, on turn and river."""
    weights = _weights(3)
    for board in ((), (0, 5, 13, 30), (0, 5, 13, 30, 44)):
        plain, seeded = RangeShowdowns(board), RangeShowdowns(board, 4)
        assert (plain.shown(weights) == seeded.shown(weights)).all()


@pytest.mark.parametrize(
    "board", [(0,), (0, 1), (0, 1, 1), (0, 1, 99), (0, 1, 2, 3, 4, 5)], ids=str
)
def test_a_wrong_board_is_refused(board):
    """Its number of cards, or a card twice."""
    with pytest.raises(ValueError):
        RangeShowdowns(board)
