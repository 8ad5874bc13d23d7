"""Estimators side by side, against the plain formulas."""

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.estimates.estimators import (
    DUPLICATE_SET,
    HAND_UNIT,
    SESSION,
    HandValues,
    SampleUnits,
    estimates,
    name_in_sets,
    rate_of,
    with_sets,
)
from engine.estimates.winrate import win_rate

RAW = np.random.default_rng(1).normal(20, 300, 400)
PAIRS = SampleUnits(DUPLICATE_SET, np.arange(400) % 200, np.full(400, 0.5), whole=True)


def test_hands_one_by_one_are_the_plain_win_rate():
    """The same record as `win_rate`, and nothing saved."""
    [raw] = estimates([HandValues("raw", RAW)], 50)
    assert raw.rate == win_rate(RAW, 50)
    assert (raw.unit, raw.hands_saved) == (HAND_UNIT, 1)
    assert raw.sd_per_hand == pytest.approx(np.std(RAW, ddof=1) * 20)


def test_sets_are_those_of_the_plain_way():
    """The mean over both seatings of each deal is one sample."""
    _, sets = estimates(with_sets([HandValues("raw", RAW)], PAIRS), 50)
    plain = (RAW[:200] + RAW[200:]) / 2
    expected = win_rate(plain, 50, hands_per_sample=2)
    assert sets.rate.samples == expected.samples == 200
    assert sets.rate.hands == 400
    for field in ("mbb_per_hand", "ci95", "sd"):
        assert getattr(sets.rate, field) == pytest.approx(getattr(expected, field), rel=1e-12)
    assert sets.name == "sets"
    assert sets.hands_saved == pytest.approx(np.var(RAW, ddof=1) / (2 * np.var(plain, ddof=1)))


def test_a_set_with_an_unknown_hand_is_left_out():
    """And raw is compared on the hands that are left, not on all."""
    chips = RAW.copy()
    chips[7] = math.nan
    chips[:7] *= 0.1
    _, aivat = estimates([HandValues("raw", RAW), HandValues("aivat", chips, PAIRS)], 50)
    assert (aivat.rate.samples, aivat.rate.hands) == (199, 398)
    known = np.delete(np.arange(400), (7, 207))
    raw = np.var(RAW[known], ddof=1)
    left = np.delete(np.arange(200), 7)
    own = np.var((chips[left] + chips[200 + left]) / 2, ddof=1)
    assert aivat.hands_saved == pytest.approx(raw / (2 * own))


def test_units_of_many_sizes_are_a_ratio_estimate():
    """Mean of all hands; its error agrees with leaving out one unit after the other."""
    rng = np.random.default_rng(2)
    unit = np.sort(rng.integers(0, 60, 1000))
    chips = rng.normal(0, 100, 1000) + rng.normal(0, 80, 60)[unit]
    units = SampleUnits(SESSION, unit, np.ones(1000), whole=False)
    rate = rate_of(HandValues("raw", chips, units), 1000)
    assert rate.mbb_per_hand == pytest.approx(chips.mean())
    assert (rate.samples, rate.hands) == (60, 1000)
    left_out = np.array([chips[unit != number].mean() for number in range(60)])
    jackknife = math.sqrt(59 / 60 * np.square(left_out - left_out.mean()).sum())
    assert rate.sd / math.sqrt(60) == pytest.approx(jackknife, rel=0.03)
    assert rate.sd / math.sqrt(60) > 1.5 * np.std(chips) / math.sqrt(1000)


def test_hands_outside_all_units_are_left_out():
    """Such as deals that were played in one seating only."""
    units = replace(PAIRS, unit=np.where(np.arange(400) % 200 < 150, PAIRS.unit, -1))
    _, sets = estimates(with_sets([HandValues("raw", RAW)], units), 50)
    assert (sets.rate.samples, sets.rate.hands) == (150, 300)


@pytest.mark.parametrize("hands", [0, 1])
def test_too_few_hands_have_no_interval(hands):
    """And save nothing that is known."""
    [raw] = estimates([HandValues("raw", RAW[:hands])], 50)
    assert raw.rate.samples == hands
    assert math.isinf(raw.rate.ci95)
    assert raw.hands_saved is None


def test_tables_without_raw_or_of_other_hands_are_refused():
    """There is nothing to compare with."""
    with pytest.raises(ValueError, match="raw among them"):
        estimates([HandValues("allin", RAW)], 50)
    with pytest.raises(ValueError, match="same hands"):
        estimates([HandValues("raw", RAW), HandValues("allin", RAW[1:])], 50)


def test_names_over_sets():
    """As results have always called them."""
    assert [name_in_sets(name) for name in ("raw", "allin", "aivat")] == [
        "sets",
        "allin_sets",
        "aivat_sets",
    ]
