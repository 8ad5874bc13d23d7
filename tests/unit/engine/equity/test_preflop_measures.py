"""How good starting hands are, by three measures."""

import numpy as np
import pytest

from engine.equity.preflop import equities_against_random
from engine.equity.preflop_measures import (
    CHEN,
    EQUITY,
    MEASURES,
    SKLANSKY,
    preflop_percentiles,
    preflop_values,
)
from engine.equity.strength import StrengthReader, combo_strengths
from engine.hands.cards import COMBOS
from engine.hands.starting_hands import CHEN_POINTS, COMBO_STARTING_HAND, SKLANSKY_GROUPS

EACH_MEASURE = pytest.mark.parametrize("measure", MEASURES)


def test_values_are_those_of_the_charts():
    """The charts themselves have golden tests; the order is that of the chart."""
    assert (preflop_values(EQUITY) == equities_against_random()).all()
    assert (preflop_values(SKLANSKY) == SKLANSKY_GROUPS).all()
    assert (preflop_values(CHEN) == CHEN_POINTS).all()


@EACH_MEASURE
def test_percentiles_count_what_is_worse(measure):
    """And half of what is as good, hand by hand."""
    sign = -1 if measure == SKLANSKY else 1
    worth = (sign * preflop_values(measure)[COMBO_STARTING_HAND]).tolist()
    found = preflop_percentiles(measure)
    for combo in range(0, COMBOS, 57):
        worse = sum(one < worth[combo] for one in worth)
        as_good = sum(one == worth[combo] for one in worth)
        assert found[combo] == pytest.approx((worse + as_good / 2) / COMBOS)
    assert not found.flags.writeable


def test_a_reader_by_another_measure():
    """Only before the flop; boards are kept together, and the first reader stays as it is."""
    reader = StrengthReader()
    chen = reader.with_preflop(CHEN)
    assert (reader.read(()) == combo_strengths(())).all()
    assert (chen.read(()) == preflop_percentiles(CHEN)).all()
    board = [0, 5, 10, 15, 20]
    assert chen.read(board) is reader.read(board)
    assert np.array_equal(chen.read(board), combo_strengths(board), equal_nan=True)


def test_an_unknown_measure():
    """Is refused by its name."""
    for broken in (preflop_values, preflop_percentiles, StrengthReader):
        with pytest.raises(ValueError, match=r"'points': .*equity, sklansky, chen"):
            broken("points")
