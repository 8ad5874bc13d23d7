"""Phase 2: the comparison of strengths, pot odds, sizes of raises."""

import numpy as np
import pytest

from agents.statistical.counting.situations import CALL, FOLD, RAISE
from agents.statistical.deciding.decision import (
    LEAST_FRACTION,
    MOST_FRACTION,
    decide_by_strengths,
    mean_call_value,
    value_fraction,
)


@pytest.mark.parametrize(
    ("own", "kind"),
    [(0.30, FOLD), (0.44, FOLD), (0.45, CALL), (0.5, CALL), (0.55, CALL), (0.56, RAISE)],
)
def test_the_rule(own, kind):
    """Against 0.5 with a tolerance of 0.05; at the bounds it is a call."""
    assert decide_by_strengths(own, 0.5, 0.05) == kind


def test_raises_grow_with_the_margin():
    """Between their bounds."""
    sizes = [value_fraction(own, 0.5, 0.05) for own in np.linspace(0.55, 1, 20)]
    assert sizes[0] == pytest.approx(LEAST_FRACTION)
    assert sizes[-1] == MOST_FRACTION
    assert (np.diff(sizes) >= 0).all()


def test_pot_odds():
    """A call of 100 into 300 needs a quarter."""
    assert mean_call_value(0.25, 300, 100) == 0
    assert mean_call_value(0.24, 300, 100) < 0
    assert mean_call_value(0.5, 300, 0) == 150
