"""Hand strength and potential."""

import numpy as np
import pytest

from engine.equity.equity import exact_combo_equity
from engine.equity.potential import (
    AHEAD,
    BEHIND,
    TIED,
    hand_potential,
    hand_potentials,
    hand_strengths,
)
from engine.hands.cards import COMBOS, parse_combo
from engine.hands.range_text import parse_range
from protocol.cards import parse_cards

ANY = np.ones(COMBOS)
FLOP = parse_cards("3h4cJh")
TURN = parse_cards("3h4cJhTs")
HOLE = parse_cards("AdQc")


def test_measures_follow_from_the_matrix():
    """The formulas, written out for one hand."""
    found = hand_potential(HOLE, FLOP, parse_range("22+,A2+,KQ:0.5"), 2)
    m = found.matrix
    ahead, tied, behind = m.sum(axis=1)
    assert found.hs == pytest.approx((ahead + tied / 2) / (ahead + tied + behind))
    better = m[BEHIND, AHEAD] + m[BEHIND, TIED] / 2 + m[TIED, AHEAD] / 2
    worse = m[AHEAD, BEHIND] + m[AHEAD, TIED] / 2 + m[TIED, BEHIND] / 2
    assert found.ppot == pytest.approx(better / (behind + tied / 2))
    assert found.npot == pytest.approx(worse / (ahead + tied / 2))
    assert found.ehs == pytest.approx(found.hs * (1 - found.npot) + (1 - found.hs) * found.ppot)
    assert found.ehs_optimistic == pytest.approx(found.hs + (1 - found.hs) * found.ppot)


@pytest.mark.parametrize(("board", "ahead"), [(FLOP, 1), (FLOP, 2), (TURN, 1)])
def test_all_hands_at_once_are_each_hand(board, ahead):
    """Every combo the board allows, nan for the others."""
    range_ = parse_range("22+,A2s+,KJ+,T9s:0.5")
    found = hand_potentials(board, range_, ahead)
    for text in ("AdQc", "9s8s", "JdJs", "5h2h"):
        one = hand_potential(parse_cards(text), board, range_, ahead)
        combo = parse_combo(text)
        np.testing.assert_array_equal(found.matrix[combo], one.matrix)
        values = [found.hs, found.ppot, found.npot, found.ehs, found.ehs_optimistic]
        wanted = [one.hs, one.ppot, one.npot, one.ehs, one.ehs_optimistic]
        assert [value[combo] for value in values] == wanted
    for value in (found.hs, found.ppot, found.npot, found.ehs, found.ehs_optimistic):
        blocked = COMBOS - (52 - len(board)) * (51 - len(board)) // 2
        assert np.isnan(value).sum() == blocked


@pytest.mark.parametrize("text", ["3h4cJh", "3h4cJhTs", "3h4cJhTsTd"])
def test_hand_strength_is_the_share_of_hands_beaten_now(text):
    """On each street; the potential starts from the same."""
    board = parse_cards(text)
    strengths = hand_strengths(board, ANY)
    assert np.nanmax(strengths) == 1.0
    assert np.isnan(strengths[parse_combo("Jh2c")])
    if len(board) < 5:
        potentials = hand_potentials(board, ANY, 1)
        np.testing.assert_allclose(strengths, potentials.hs)
    else:
        np.testing.assert_allclose(strengths, exact_combo_equity(ANY, board).equity)


def test_more_opponents_raise_the_strength_to_a_power():
    """As if they were independent; potentials stay what they are."""
    one = hand_potential(HOLE, FLOP, ANY, 1)
    three = hand_potential(HOLE, FLOP, ANY, 1, opponents=3)
    assert three.hs == pytest.approx(one.hs**3)
    assert (three.ppot, three.npot) == (one.ppot, one.npot)
    assert three.ehs == pytest.approx(three.hs * (1 - one.npot) + (1 - three.hs) * one.ppot)
    np.testing.assert_allclose(hand_strengths(FLOP, ANY, 3), hand_strengths(FLOP, ANY) ** 3)


def test_the_nuts_cannot_get_better_and_nothing_cannot_get_worse():
    """A royal flush is never behind: PPot is 0, not a division by it."""
    found = hand_potential(parse_cards("AsKs"), parse_cards("QsJsTs"), ANY, 2)
    assert (found.hs, found.ppot, found.npot, found.ehs) == (1.0, 0.0, 0.0, 1.0)
    found = hand_potential(parse_cards("2c3d"), parse_cards("QsJsTs"), parse_range("AsKs"), 2)
    assert (found.hs, found.ppot, found.npot, found.ehs) == (0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("hole", "board", "text", "ahead", "opponents", "why"),
    [
        ("AdQc", "3h4cJh", "AA", 3, 1, "3 cards ahead"),
        ("AdQc", "3h4cJh", "AA", 0, 1, "0 cards ahead"),
        ("AdQc", "3h4cJhTs", "AA", 2, 1, "2 cards ahead"),
        ("AdQc", "3h4cJhTs5c", "AA", 1, 1, "1 cards ahead"),
        ("AdQc", "", "AA", 1, 1, "board of 0"),
        ("AdQc", "3h4cJh", "AA", 1, 0, "0 opponents"),
        ("AdQc", "3h4cJh", "", 1, 1, "no hand of a range"),
        ("AdQc", "3h4cJh", "AdKd", 1, 1, "no hand of a range"),
        ("AdQcKc", "3h4cJh", "AA", 1, 1, "3 hole cards"),
        ("AdJh", "3h4cJh", "AA", 1, 1, "named twice"),
    ],
)
def test_what_has_no_potential_is_refused(hole, board, text, ahead, opponents, why):
    """Too few cards to come, no opponents, nothing they could hold, cards twice."""
    with pytest.raises(ValueError, match=why):
        hand_potential(parse_cards(hole), parse_cards(board), parse_range(text), ahead, opponents)


@pytest.mark.parametrize(("board", "opponents"), [("", 1), ("3h4c", 1), ("3h4cJh", 0)])
def test_what_has_no_strength_is_refused(board, opponents):
    """Before the flop, with half a flop, against nobody."""
    with pytest.raises(ValueError):
        hand_strengths(parse_cards(board), ANY, opponents)
