"""Two players on the same deals: the difference, its interval, and what is left out."""

import math

import numpy as np
import pytest

from engine.estimates.paired import paired_difference
from engine.estimates.winrate import win_rate

NAN = math.nan


def test_the_difference_is_by_deal_and_over_opponents():
    """As counted by hand; a deal that one of them lacks does not count."""
    first = [np.array([10.0, 20, 30, NAN]), np.array([0.0, 0, 60, 5])]
    second = [np.array([10.0, 0, 30, 7]), np.array([10.0, 0, 0, 7])]
    rate = paired_difference(first, second, 100, 2)
    assert (rate.samples, rate.hands, rate.p_value) == (3, 24, None)
    assert rate.mbb_per_hand == pytest.approx(10 * (-5 + 10 + 30) / 3)
    assert rate.ci95 == pytest.approx(win_rate(np.array([-5.0, 10, 30]), 100).ci95)


def test_luck_of_shared_deals_cancels():
    """Two intervals that overlap, and a difference that is beyond doubt."""
    rng = np.random.default_rng(1)
    luck = rng.normal(0, 800, 2000)
    first = [luck + 60 + rng.normal(0, 40, 2000)]
    second = [luck + rng.normal(0, 40, 2000)]
    alone = win_rate(first[0], 100), win_rate(second[0], 100)
    assert abs(alone[0].mbb_per_hand - alone[1].mbb_per_hand) < alone[0].ci95 + alone[1].ci95
    rate = paired_difference(first, second, 100, 2, (2000, 2000))
    assert rate.mbb_per_hand - rate.ci95 > 500
    assert rate.p_value < 0.001
    assert rate.most_lost == 40_000


def test_samples_stay_within_their_bounds():
    """One loses a stack in every deal, the other wins one."""
    stack = 200.0
    rate = paired_difference([np.full(400, stack)], [np.full(400, -stack)], 2, 2, (stack, stack))
    assert rate.p_value < 1e-6


@pytest.mark.parametrize("opponents", [(0, 0), (1, 2)])
def test_opponents_must_be_the_same(opponents):
    """At least one, and as many for both."""
    first, second = ([np.zeros(3)] * count for count in opponents)
    with pytest.raises(ValueError, match="opponents"):
        paired_difference(first, second, 2, 2)
