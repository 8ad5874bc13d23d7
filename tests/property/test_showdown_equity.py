"""Equity and potential: every board and every pair of hands, as an obvious loop finds them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.equity.equity import exact_combo_equity, exact_range_equity, matchups
from engine.equity.potential import hand_potential
from engine.hands.cards import COMBO_CARDS, COMBOS, combo_of
from tests.oracles import equity as oracle

CARDS = st.permutations(range(52))


@st.composite
def situations(draw, most_combos=5):
    """A board with at most two cards to come, and two small ranges with whole weights.

    Some share cards with the board and with each other.
    """
    board = draw(CARDS)[: draw(st.sampled_from((4, 4, 5, 3)))]
    size = 2 if len(board) == 3 else most_combos
    combos = st.integers(0, COMBOS - 1)
    ranges = [
        draw(st.dictionaries(combos, st.integers(1, 4), min_size=1, max_size=size))
        for _ in range(2)
    ]
    return board, ranges


def weights_of(range_):
    """The range as an array."""
    weights = np.zeros(COMBOS)
    weights[list(range_)] = list(range_.values())
    return weights


def holdings(range_):
    """The range as the oracle takes it."""
    return [(COMBO_CARDS[combo].tolist(), weight) for combo, weight in range_.items()]


def totals(case):
    """The oracle's totals for two ranges."""
    board, ranges = case
    return oracle.range_against_range(*map(holdings, ranges), board)


@given(situations(), st.booleans())
def test_ranges_win_what_their_hands_win(case, many):
    """Both methods, for few combos and for many (here most have no weight worth mentioning)."""
    board, ranges = case
    win, tie, lose = totals(case)
    first, second = map(weights_of, ranges)
    if win + tie + lose == 0:
        with pytest.raises(ValueError):
            exact_range_equity(first, second, board)
        return
    if many:
        first, second = np.maximum(first, 1e-12), np.maximum(second, 1e-12)
    one, other = exact_range_equity(first, second, board)
    deals = win + tie + lose
    assert [one.win, one.tie, one.lose] == pytest.approx(
        [win / deals, tie / deals, lose / deals], abs=1e-7 if many else 1e-13
    )
    assert one.equity + other.equity == pytest.approx(1)
    assert (other.win, other.tie, other.lose) == (one.lose, one.tie, one.win)


@given(situations())
def test_each_combo_is_a_range_of_its_own(case):
    """All combos at once find what one finds."""
    board, (first, second) = case
    every = exact_combo_equity(weights_of(second), board) if can_be_met(second, board) else None
    for combo in first:
        cards = COMBO_CARDS[combo].tolist()
        win, tie, lose = oracle.range_against_range([(cards, 1)], holdings(second), board)
        if every is None or win + tie + lose == 0:
            assert every is None or np.isnan(every.equity[combo])
        else:
            assert every.win[combo] == pytest.approx(win / (win + tie + lose))
            assert every.equity[combo] == pytest.approx((win + tie / 2) / (win + tie + lose))


def can_be_met(range_, board):
    """Whether some combo of a range has no card of the board."""
    return any(not set(COMBO_CARDS[combo].tolist()) & set(board) for combo in range_)


@given(CARDS, st.sampled_from((3, 4, 5)))
def test_one_hand_against_another_is_counted_exactly(cards, size):
    """With suits that are alike or not."""
    hole, other, board = cards[:2], cards[2:4], cards[4 : 4 + size]
    found = matchups(hole, board)
    combo = combo_of(*other)
    counts = [found.win[combo], found.tie[combo], found.lose[combo]]
    assert counts == oracle.hand_against_hand(hole, other, board)


@given(situations(), st.permutations(range(52)), st.integers(1, 2))
def test_potential_is_papps_double_loop(case, cards, ahead):
    """All nine sums of weights are exact."""
    board, (range_, _) = case
    board = board[: 5 - ahead]
    hole = [card for card in cards if card not in board][:2]
    want = oracle.transitions(hole, board, holdings(range_), ahead)
    if not can_be_met(range_, [*board, *hole]):
        with pytest.raises(ValueError):
            hand_potential(hole, board, weights_of(range_), ahead)
    else:
        found = hand_potential(hole, board, weights_of(range_), ahead)
        assert found.matrix.tolist() == want
