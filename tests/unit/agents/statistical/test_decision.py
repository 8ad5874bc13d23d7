"""Phase 2: the comparison of strengths, pot odds, sizes."""

import numpy as np
import pytest

from agents.statistical.decision import (
    LEAST_FRACTION,
    MOST_FRACTION,
    bluff_value,
    call_value,
    compare,
    equity_against,
    value_fraction,
)
from agents.statistical.habits import CALL, FOLD, RAISE
from engine.cards import COMBOS
from engine.range_text import parse_range
from engine.showdown.equity import exact_range_equity
from protocol.cards import parse_cards


@pytest.mark.parametrize(
    ("own", "kind"),
    [(0.30, FOLD), (0.44, FOLD), (0.45, CALL), (0.5, CALL), (0.55, CALL), (0.56, RAISE)],
)
def test_the_rule(own, kind):
    """Against 0.5 with a tolerance of 0.05; at the bounds it is a call."""
    assert compare(own, 0.5, 0.05) == kind


def test_a_negative_tolerance_is_refused():
    """No hand would be a call."""
    with pytest.raises(ValueError, match="tolerance"):
        compare(0.5, 0.5, -0.01)


def test_raises_grow_with_the_margin():
    """Between their bounds."""
    sizes = [value_fraction(own, 0.5, 0.05) for own in np.linspace(0.55, 1, 20)]
    assert sizes[0] == pytest.approx(LEAST_FRACTION)
    assert sizes[-1] == MOST_FRACTION
    assert (np.diff(sizes) >= 0).all()


@pytest.mark.parametrize("board", ["", "Ts9s2d", "Ts9s2d3c", "Ts9s2d3c4h"])
def test_equity_against_weighted_hands(board):
    """As ranges have it, on every street."""
    hole, other = parse_cards("AhKh"), parse_range("QQ+:0.5,AQs,76s:0.25")
    expected, _ = exact_range_equity(parse_range("AhKh"), other, parse_cards(board))
    found = equity_against(hole, parse_cards(board), other)
    assert found == pytest.approx(expected.equity, abs=1e-12)


def test_equity_against_nobody_is_refused():
    """No combo with any weight, or only such as cannot be met."""
    for belief in (np.zeros(COMBOS), parse_range("AhKh")):
        with pytest.raises(ValueError, match="weight"):
            equity_against(parse_cards("AhKh"), (), belief)


def test_pot_odds():
    """A call of 100 into 300 needs a quarter."""
    assert call_value(0.25, 300, 100) == 0
    assert call_value(0.24, 300, 100) < 0
    assert call_value(0.5, 300, 0) == 150


def test_a_bluff_of_the_pot_needs_folds_half_of_the_time():
    """One of half the pot a third."""
    assert bluff_value(0.5, 300, 300) == 0
    assert bluff_value(1 / 3, 300, 150) == pytest.approx(0)
    assert bluff_value(1, 300, 300) == 300
