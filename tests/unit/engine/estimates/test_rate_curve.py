"""Curves of win rates, against the rates of each beginning."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.estimates.rate_curve import rate_curve
from engine.estimates.winrate import win_rate


@given(chips=st.lists(st.integers(-300, 300), max_size=60), points=st.integers(1, 70))
def test_each_point_is_the_rate_of_the_hands_up_to_there(chips, points):
    """Evenly apart, and the last one is of all hands."""
    chips = np.array(chips, np.float64)
    curve = rate_curve(chips, 20, points)
    assert len(curve.hands) == len(curve.rates) == min(points, len(chips))
    steps = np.diff(curve.hands, prepend=0)
    assert not len(chips) or (curve.hands[-1] == len(chips) and steps.max() - steps.min() <= 1)
    for hands, total, rate in zip(curve.hands, curve.chips, curve.rates, strict=True):
        slow = win_rate(chips[:hands], 20)
        assert total == chips[:hands].sum()
        assert rate.mbb_per_hand == pytest.approx(slow.mbb_per_hand)
        assert rate.ci95 == pytest.approx(slow.ci95, abs=1e-3)


def test_a_curve_has_a_point():
    """Without one there is nothing to draw."""
    with pytest.raises(ValueError, match="1 or more"):
        rate_curve(np.zeros(3), 20, 0)
