"""The betting test: its definition, another bound, and samples made to fool it."""

import math

import numpy as np
import pytest

from engine.estimates.betting import (
    WEALTH_SHARES,
    BettingWealths,
    betting_p_value,
    betting_wealths,
    samples_wanted,
)

NAN = math.nan
NOTHING = np.zeros(0)


def plain_p(samples, most_lost, most_won):
    """The definition, with logarithms of every factor."""
    sides = []
    for scaled in (samples / most_lost, -samples / most_won):
        logs = [np.log1p(share * scaled).sum() for share in WEALTH_SHARES]
        sides.append(np.logaddexp.reduce(logs) - math.log(len(WEALTH_SHARES)))
    return min(1.0, 2 * math.exp(-max(sides)))


@pytest.mark.parametrize("size", [1, 63, 64, 65, 5000])
@pytest.mark.parametrize("most_won", [1.0, 5.0])
def test_it_is_its_definition(size, most_won):
    """Also where more can be won than lost."""
    rng = np.random.default_rng(size)
    samples = rng.uniform(-1, most_won, size) * rng.random(size) ** 8
    assert betting_p_value(samples, 1.0, most_won) == pytest.approx(plain_p(samples, 1.0, most_won))
    assert betting_p_value(-samples, most_won, 1.0) == betting_p_value(samples, 1.0, most_won)


def test_wealths_of_matches_are_those_of_all_their_samples():
    """Added up by share, they give the p-value of one long match."""
    samples = np.random.default_rng(4).uniform(-1, 1.1, 700)
    parts = [betting_wealths(part, 1.0, 2.0) for part in (samples[:300], samples[300:], NOTHING)]
    sides = [
        tuple(np.sum([getattr(part, side) for part in parts], axis=0).tolist())
        for side in ("ahead", "behind")
    ]
    whole = betting_p_value(samples, 1.0, 2.0)
    assert BettingWealths(*sides).p_value == pytest.approx(whole)


def test_without_samples_or_bounds_nothing_is_known():
    """One at its bound is in order, one beyond it proves the bounds wrong; so does none at all."""
    assert betting_p_value(np.zeros(0), 1.0, 1.0) == 1.0
    assert betting_p_value(np.array([-1.0 - 1e-12, 0.5]), 1.0, 1.0) == 1.0
    for wrong in (-1.1, 1.1, NAN, math.inf):
        assert betting_p_value(np.array([0.1, wrong]), 1.0, 1.0) is None


def test_constants_prove_what_their_number_proves():
    """Nothing is certain: a stack may be lost in a hand that did not come."""
    few, many, most = (betting_p_value(np.full(n, 0.01), 1.0, 1.0) for n in (100, 10**4, 10**6))
    assert few > 0.5
    assert 0 < most < many < 1e-30


POPULATIONS = {
    "normal": lambda rng, size: np.clip(rng.normal(0, 0.1, size), -1, 1),
    "a stack lost": lambda rng, size: np.where(rng.random(size) < 0.005, -1.0, 0.005 / 0.995),
    "a stack won": lambda rng, size: np.where(rng.random(size) < 0.005, 1.0, -0.005 / 0.995),
}


@pytest.mark.parametrize("law", POPULATIONS)
@pytest.mark.parametrize("size", [30, 300])
def test_equals_are_told_apart_in_at_most_one_match_of_twenty(law, size):
    """At ten looks together; the t test fails at the first in most matches of the second law."""
    rng = np.random.default_rng(3)
    wrong = 0
    for _ in range(300):
        samples = POPULATIONS[law](rng, 10 * size)
        looks = range(size, 10 * size + 1, size)
        wrong += any(betting_p_value(samples[:n], 1.0, 1.0) < 0.05 for n in looks)
    assert wrong / 300 <= 0.05


@pytest.mark.parametrize(("mean", "sd"), [(0.01, 0.1), (0.02, 0.04), (0.001, 0.02)])
def test_matches_as_long_as_said_decide_as_often_as_said(mean, sd):
    """Within a few percent; where there is nothing to win they never do."""
    size = samples_wanted(mean, sd, 1.0, 0.05, 0.8)
    rng = np.random.default_rng(5)
    found = [betting_p_value(rng.normal(mean, sd, size), 1.0, 1.0) < 0.05 for _ in range(300)]
    assert 0.72 < np.mean(found) < 0.93
    assert samples_wanted(0.0, sd, 1.0, 0.05, 0.8) is None
    assert samples_wanted(mean, 1e4, 1.0, 0.05, 0.8) is None
