"""The consistency check: it lets sound estimators pass and finds a mistake in one."""

import numpy as np
import pytest

from engine.estimates.agreement import WARNING_LEVEL, adjusted, comparisons
from engine.estimates.estimators import HandValues

DEEPEST = 20_000


def run_outs(rng, hands, share, *, bias=0.0):
    """Return raw and all-in expectation of made-up hands, some all-in for pots of all sizes.

    `bias` is what the expectation gives too much, as a share of the stake.
    """
    raw = rng.normal(0, 500, hands)
    expected = raw.copy()
    allin = np.flatnonzero(rng.random(hands) < share)
    equity = rng.choice([0.2, 0.45, 0.55, 0.7, 0.8, 0.95], len(allin))
    stake = np.clip(np.exp(rng.normal(7, 1.2, len(allin))), 100, DEEPEST)
    raw[allin] = np.where(rng.random(len(allin)) < equity, stake, -stake)
    expected[allin] = (2 * equity - 1 + bias) * stake
    return [HandValues("raw", raw), HandValues("allin", expected)]


@pytest.mark.parametrize(
    ("hands", "share", "results"),
    [
        (300, 0.2, 400),
        (3000, 0.2, 150),
        pytest.param(5000, 0.03, 3000, marks=pytest.mark.slow),
        pytest.param(5000, 0.3, 3000, marks=pytest.mark.slow),
    ],
)
def test_sound_estimators_rarely_make_it_warn(hands, share, results):
    """Of many results with three pairings each, no more than the level allows."""
    rng = np.random.default_rng(3)
    warned = sum(
        any(
            one.warns
            for one in adjusted(
                found
                for pairing in "ABC"
                for found in comparisons(run_outs(rng, hands, share), 100, pairing)
            )
        )
        for _ in range(results)
    )
    assert warned <= results * WARNING_LEVEL + 3 * (results * WARNING_LEVEL) ** 0.5


def test_a_mistake_is_found():
    """An expectation that gives a quarter of the stake too much, in one of ten pairings."""
    rng = np.random.default_rng(4)
    hits = strays = 0
    for _ in range(20):
        found = adjusted(
            one
            for pairing in range(10)
            for one in comparisons(
                run_outs(rng, 5000, 0.3, bias=0.25 * (pairing == 7)), 100, str(pairing)
            )
        )
        hits += found[7].warns
        strays += any(one.warns for one in found if one.player != "7")
    assert hits >= 19
    assert strays <= 2


def test_the_difference_is_told_with_its_interval():
    """Mean of one less other over the hands that both know."""
    rng = np.random.default_rng(5)
    raw = rng.normal(0, 100, 1000)
    other = raw - rng.normal(3, 10, 1000)
    other[:100] = np.nan
    [found] = comparisons([HandValues("raw", raw), HandValues("aivat", other)], 50, "Ann", "Bob")
    apart = (raw - other)[100:] * 20
    assert (found.player, found.against, found.estimator, found.reference) == (
        "Ann",
        "Bob",
        "raw",
        "aivat",
    )
    assert (found.hands, found.differing) == (900, 900)
    assert found.mbb_per_hand == pytest.approx(apart.mean())
    assert found.ci95 == pytest.approx(1.96 * apart.std(ddof=1) / 30, rel=0.01)
    assert found.warns


def test_every_two_of_three_are_compared():
    """In order, and adjusted for being three."""
    rng = np.random.default_rng(6)
    raw, allin = run_outs(rng, 3000, 0.5)
    third = HandValues("aivat", raw.chips + rng.normal(0, 50, 3000))
    found = comparisons([raw, allin, third], 100, "Ann")
    assert [(one.estimator, one.reference) for one in found] == [
        ("raw", "allin"),
        ("raw", "aivat"),
        ("allin", "aivat"),
    ]
    least = min(range(3), key=lambda at: found[at].p_value)
    assert adjusted(found)[least].p_value == pytest.approx(min(1, 3 * found[least].p_value))


def test_few_differences_say_nothing():
    """However far apart the means are; nor do equal values."""
    raw = np.zeros(5000)
    other = raw.copy()
    other[:15] = 10_000
    [found] = comparisons([HandValues("raw", raw), HandValues("allin", other)], 100, "Ann")
    assert (found.p_value, found.warns, found.differing) == (None, False, 15)
    [found] = comparisons([HandValues("raw", raw), HandValues("allin", raw)], 100, "Ann")
    assert (found.p_value, found.differing, found.mbb_per_hand) == (None, 0, 0)
    other[:] = 1
    [found] = comparisons([HandValues("raw", raw), HandValues("allin", other)], 100, "Ann")
    assert found.warns, "the same difference in every hand is no chance"


def test_hands_of_one_deal_are_one_sample():
    """What luck gave in one seating and took in the other proves nothing either way."""
    rng = np.random.default_rng(7)
    luck = rng.choice([-1000.0, 1000.0], 2000)
    raw = np.concatenate((luck, luck))  # the same difference twice is no more evidence than once
    zero = np.zeros(4000)
    deal = np.tile(np.arange(2000), 2)
    table = [HandValues("raw", raw), HandValues("allin", zero)]
    [alone] = comparisons(table, 100, "Ann")
    [together] = comparisons(table, 100, "Ann", "", deal)
    assert together.mbb_per_hand == pytest.approx(alone.mbb_per_hand)
    assert together.ci95 == pytest.approx(2**0.5 * alone.ci95, rel=0.01)
