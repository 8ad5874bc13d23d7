"""Raise classes: every legal raise has one, and what is drawn from a class belongs to it."""

import numpy as np
import pytest

from agents.patterns.raise_classes import (
    FIRST_RAISE,
    MOVES,
    UPPER_BOUNDS,
    action_of_move,
    legal_moves,
    move_of,
)
from engine.rules.fast_state import CALL, FOLD, RAISE
from tests.helpers.views import FIRST

DRAWS = np.linspace(0, 1, 101)[:-1]


def spot(pot=300, to_match=200, spent=100, low=300, high=20_000):
    """A decision with some chips in the middle."""
    return FIRST._replace(
        pot=pot, to_match=to_match, spent=spent, to_call=to_match - spent, low=low, high=high
    )


def class_by_hand(one, raise_to):
    """The class of a raise, by its definition."""
    share = (raise_to - one.to_match) / (one.pot + one.to_call)
    return FIRST_RAISE + sum(share > bound for bound in UPPER_BOUNDS)


@pytest.mark.parametrize(
    "one", [spot(), spot(150, 100, 50, 200), spot(39_000, 19_500, 19_400, 19_600)]
)
def test_every_legal_raise_has_a_class(one):
    """The one that its share of the pot says; what lies on a bound is in the class below."""
    for raise_to in {*range(one.low, min(one.low + 3000, one.high)), one.high}:
        assert move_of(one, RAISE, raise_to) == class_by_hand(one, raise_to)
    assert move_of(one, FOLD, 0) == 0
    assert move_of(one, CALL, 0) == 1


@pytest.mark.parametrize(
    "one", [spot(), spot(high=650), spot(150, 100, 50, 200), spot(low=450, high=450)]
)
def test_draws_stay_in_their_class(one):
    """What is drawn is legal and of its class; every class with a legal raise is legal."""
    legal = np.empty(MOVES, np.bool_)
    legal_moves(one, legal)
    classes = {class_by_hand(one, raise_to) for raise_to in range(one.low, one.high + 1)}
    assert {move for move in range(FIRST_RAISE, MOVES) if legal[move]} == classes
    for move in classes:
        drawn = [action_of_move(one, move, draw) for draw in DRAWS]
        assert all(kind == RAISE and one.low <= to <= one.high for kind, to in drawn)
        assert {class_by_hand(one, to) for _, to in drawn} == {move}


def test_draws_are_even_by_the_logarithm():
    """Half of the largest raises add less than the middle between the ends, in ratio."""
    one = spot()
    drawn = np.array([action_of_move(one, MOVES - 1, draw)[1] for draw in DRAWS]) - one.to_match
    least, most = 1601, 20_000 - one.to_match
    assert drawn.min() == least
    assert np.median(drawn) == pytest.approx((least * most) ** 0.5, rel=0.02)


def test_what_is_not_legal():
    """No fold where nothing is to be called, no raise where none is allowed."""
    legal = np.empty(MOVES, np.bool_)
    legal_moves(spot(spent=200, to_match=200), legal)
    assert legal.tolist() == [False, True, *legal[2:].tolist()]
    legal_moves(spot(low=0, high=0), legal)
    assert legal.tolist() == [True, True] + [False] * 7
