"""Win rates against values computed by hand and against numpy and the standard library."""

import math
import statistics

import numpy as np
import pytest

from engine.estimates.winrate import half_interval, t95, win_rate, win_rate_from_sums


def test_quantiles_leave_out_one_in_twenty():
    """Integrating the density: t = sqrt(n) tan(a), and da has the density cos(a) ** (n - 1)."""
    for freedom in (*range(1, 45), 100, 1000):
        end = math.atan(t95(freedom) / math.sqrt(freedom))
        inside, all_of_it = (
            to * np.mean(np.cos((np.arange(20_000) + 0.5) / 20_000 * to) ** (freedom - 1))
            for to in (end, math.pi / 2)
        )
        assert inside / all_of_it == pytest.approx(0.95, abs=1e-7)


def test_an_interval_needs_two_samples():
    """One has no spread, and no degree of freedom."""
    assert math.isinf(half_interval(1.0, 1))
    assert half_interval(1.0, 2) == pytest.approx(12.706205 / math.sqrt(2))
    with pytest.raises(ValueError, match="1 or more"):
        t95(0)


def test_rate_agrees_with_the_statistics_module_on_many_hands():
    """Mean and interval are those of an independent implementation in exact arithmetic."""
    chips = np.random.default_rng(5).integers(-20_000, 20_001, 5_000).astype(np.float64)
    rate = win_rate(chips, 100)
    assert rate.mbb_per_hand == pytest.approx(10 * statistics.mean(chips.tolist()), rel=1e-12)
    sd = 10 * statistics.stdev(chips.tolist())
    assert rate.sd == pytest.approx(sd, rel=1e-12)
    assert rate.ci95 == pytest.approx(1.960439 * sd / math.sqrt(5_000), rel=1e-6)


def test_sums_give_the_rate_of_the_samples_they_come_from():
    """The running form and the array form are the same estimator."""
    chips = np.random.default_rng(6).integers(-20_000, 20_001, 3_000) / 3
    kept = win_rate(chips, 50)
    summed = win_rate_from_sums(3_000, float(chips.sum()), float((chips**2).sum()), 50)
    assert summed.mbb_per_hand == pytest.approx(kept.mbb_per_hand, rel=1e-9)
    assert summed.ci95 == pytest.approx(kept.ci95, rel=1e-9)


@pytest.mark.parametrize("chips", [[], [250.0]])
def test_interval_is_infinite_below_two_samples(chips):
    """One hand says nothing about spread, and no hand is no error."""
    rate = win_rate(np.array(chips), 100)
    assert rate.mbb_per_hand == sum(chips) * 10
    assert math.isinf(rate.ci95)
    assert math.isinf(rate.sd)
    assert rate.hands_needed(10) is None
    assert rate == win_rate_from_sums(len(chips), sum(chips), sum(chips) ** 2, 100)


def test_hands_needed_are_counted_in_hands_not_in_sets():
    """s = 1000 mbb/h per set of two hands needs (1.96 * 1000 / 10)^2 sets for +-10, and 2 more."""
    rate = win_rate(np.array([-100.0, 0.0, 100.0]), 100, hands_per_sample=2)
    assert rate.sd == pytest.approx(1000.0)
    assert rate.hands_needed(10) == 2 * 38_418


@pytest.mark.parametrize("margin", [10, 300, 2000])
def test_hands_needed_reach_the_margin(margin):
    """Repeating the sample that often gives the interval asked for, and one less does not."""
    rate = win_rate(np.array([0.0, 100.0] * 50), 100)
    needed = rate.hands_needed(margin)
    assert needed is not None
    assert half_interval(rate.sd, needed) <= margin < half_interval(rate.sd, needed - 1)


def test_arguments_without_meaning_are_refused():
    """A big blind of nothing, a margin of nothing."""
    with pytest.raises(ValueError, match="must be positive"):
        win_rate(np.zeros(2), 0)
    with pytest.raises(ValueError, match="must be positive"):
        win_rate_from_sums(2, 0.0, 0.0, 100, hands_per_sample=0)
    with pytest.raises(ValueError, match="cannot be reached"):
        win_rate(np.zeros(2), 100).hands_needed(0)
