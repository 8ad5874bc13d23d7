"""What is made of samples of local best response."""

import numpy as np
import pytest

from engine.evaluation.lbr_hand import (
    CALLS,
    FOLDS,
    LUCK_WIDTH,
    OPPONENT_FOLDS,
    RAISED,
    RAISES,
    TALLY_WIDTH,
    WON,
)
from engine.evaluation.lbr_match import LbrSamples
from engine.evaluation.lbr_result import StreetPlay, result_of, without_luck
from engine.evaluation.lbr_settings import parse_lbr_settings
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")


def samples(won, luck=None):
    """Samples of two pairs or so in which nothing happened on any street."""
    won = np.asarray(won, np.float64)
    if luck is None:
        luck = np.zeros((*won.shape, LUCK_WIDTH))
    tally = np.zeros((*won.shape, 4, TALLY_WIDTH))
    return LbrSamples(HUNL, parse_lbr_settings("FC"), 1, 0, won, luck, tally)


def test_a_sample_is_a_pair():
    """Chips of both hands over two, in thousandths of the big blind."""
    result = result_of(samples([[100, 0], [300, -200], [40, 60]]))
    assert result.settings == "FC"
    assert result.rate == result.plain
    assert result.rate.mbb_per_hand == pytest.approx(500)
    assert (result.rate.samples, result.rate.hands) == (3, 6)
    assert result.rate.sd == pytest.approx(0)


def test_luck_is_taken_out():
    """Winnings that are a constant and some luck have no spread without it."""
    rng = np.random.default_rng(1)
    luck = rng.normal(size=(300, 2, LUCK_WIDTH)) * 10.0 ** np.arange(LUCK_WIDTH)
    won = 75 + luck @ np.array([3.0, 1.0, -2.0, 0.5, 0.0])
    result = result_of(samples(won, luck))
    assert result.rate.mbb_per_hand == pytest.approx(750)
    assert result.rate.ci95 < 1e-6
    assert result.plain.ci95 > 100


def test_nothing_is_taken_out_of_few_pairs():
    """Coefficients of a handful of pairs would add noise."""
    rng = np.random.default_rng(1)
    luck = rng.normal(size=(150, 2, LUCK_WIDTH))
    result = result_of(samples(luck.sum(axis=2), luck))
    assert result.rate == result.plain


def test_useless_and_repeated_luck_does_no_harm():
    """Columns that never vary, or say the same twice, are no reason to fail."""
    rng = np.random.default_rng(1)
    luck = np.zeros((400, 3))
    luck[:, 0] = luck[:, 1] = rng.normal(size=400)
    cleaned = without_luck(5 + 2 * luck[:, 0], luck)
    assert cleaned == pytest.approx(5)


def test_the_mean_is_not_moved():
    """Over many measurements the means keep to the truth although coefficients are fitted.

    The luck is skewed and the winnings depend on its square: coefficients fitted to the very same
    pairs would be off by five standard errors here.
    """
    rng = np.random.default_rng(2)
    own, crossed = [], []
    for _ in range(3000):
        luck = rng.exponential(size=(22, 1)) - 1
        values = luck[:, 0] ** 2  # true mean 1
        crossed.append(without_luck(values, luck).mean())
        slope = np.polyfit(luck[:, 0], values, 1)[0]
        own.append((values - slope * luck[:, 0]).mean())
    error = np.std(crossed) / np.sqrt(len(crossed))
    assert abs(np.mean(crossed) - 1) < 3 * error
    assert abs(np.mean(own) - 1) > 5 * np.std(own) / np.sqrt(len(own))


@pytest.mark.parametrize(
    ("values", "luck"),
    [
        (np.zeros(3), np.zeros((4, 1))),
        (np.zeros(3), np.zeros(3)),
        (np.array([0.0, np.nan]), np.zeros((2, 1))),
        (np.zeros(2), np.full((2, 1), np.inf)),
    ],
)
def test_samples_must_be_numbers_that_fit(values, luck):
    """One row of luck per value, all finite."""
    with pytest.raises(ValueError):
        without_luck(values, luck)


def test_play_by_street_is_per_hand():
    """Means over all hands; a raise's size over raises."""
    found = samples([[100, 0], [300, -200]])
    row = np.zeros((2, 2, TALLY_WIDTH))
    row[0, 0, [FOLDS, CALLS, RAISES, RAISED, OPPONENT_FOLDS, WON]] = 1, 2, 0.5, 150, 0.25, 100
    row[1, 1, [RAISES, RAISED, WON]] = 0.5, 450, -20
    found.tally[:, :, 2] = row
    streets = result_of(found).streets
    assert len(streets) == 4
    assert streets[2] == StreetPlay(
        folds=0.25, calls=0.5, raises=0.25, raise_chips=600, opponent_folds=0.0625, mbb_per_hand=200
    )
    assert streets[3] == StreetPlay(0, 0, 0, 0, 0, 0)
