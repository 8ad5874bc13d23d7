"""One weight for each combo: ramps, dead cards, means."""

import numpy as np
import pytest

from agents.statistical.ranges.thresholds import LEAST_WEIGHT, Ramp
from agents.statistical.ranges.weights import (
    HandWeights,
)
from engine.hands.cards import COMBOS, parse_combo
from protocol.cards import parse_cards

RNG = np.random.default_rng(11)
ANY_STRENGTHS = RNG.random(COMBOS).round(2)  # many ties


def one_by_one(weights, strengths):
    """Weighted percentiles by definition."""
    live = [combo for combo in range(COMBOS) if weights[combo] > 0]
    total = sum(weights[combo] for combo in live)
    return {
        combo: sum(
            weights[other] * (1.0 if strengths[other] < strengths[combo] else 0.5)
            for other in live
            if strengths[other] <= strengths[combo]
        )
        / total
        for combo in live
    }


@pytest.mark.parametrize(
    ("strength", "factor"),
    [(0.1, 0.01), (0.2, 0.01), (0.4, 0.5), (0.3, 0.25), (0.5, 0.75), (0.6, 1.0), (0.9, 1.0)],
)
def test_the_patents_example_of_a_raise(strength, factor):
    """Mean 0.40, error 0.20: nothing below 0.2, all above 0.6, one half at 0.4."""
    found = Ramp(0.4, 0.2).rising(np.array([strength]))
    assert found[0] == pytest.approx(factor)


@pytest.mark.parametrize(
    ("strength", "factor"), [(0.39, 0.01), (0.5, 0.25), (0.6, 0.5), (0.7, 0.75), (0.8, 1.0)]
)
def test_the_ramp_of_the_published_table(strength, factor):
    """Mean 0.6, error 0.2, as for a bet on 3h4cJh in Billings et al. (see `agents.statistical`)."""
    assert Ramp(0.6, 0.2).rising(np.array([strength]))[0] == pytest.approx(factor)


def test_the_mirrored_ramp_is_the_ramp_of_weakness():
    """What one gives at a distance above the mean the other gives below it."""
    distances = np.linspace(-0.5, 0.5, 101)
    rising = Ramp(0.5, 0.2).rising(0.5 + distances)
    np.testing.assert_allclose(Ramp(0.5, 0.2).falling(0.5 - distances), rising)


def test_combos_that_are_left_as_the_board_comes():
    """1225 beside our own cards, 1081 on the flop, 1035 on the turn, 990 on the river."""
    weights = HandWeights(parse_cards("AdQc"))
    left = [weights.possible]
    for cards in ("3h4cJh", "9s", "2d"):
        weights.remove(parse_cards(cards))
        left.append(weights.possible)
    assert left == [1225, 1081, 1035, 990]
    assert weights.weights[parse_combo("Ad5h")] == 0
    assert weights.weights[parse_combo("Jh5s")] == 0
    assert weights.weights.sum() == 990


def test_a_card_dies_once():
    """Naming it again is an error, as naming none."""
    weights = HandWeights((1, 2))
    with pytest.raises(ValueError, match="card"):
        weights.remove((3, 3))
    with pytest.raises(ValueError, match="card"):
        HandWeights((52,))


def test_no_weight_of_a_possible_combo_ever_falls_below_a_hundredth():
    """However often the weakest hand does what only strong ones should."""
    weights = HandWeights((0, 1))
    for _ in range(5):
        weights.multiply(Ramp(0.6, 0.2).rising(ANY_STRENGTHS))
    found = weights.weights[weights.live]
    assert found.min() == 0.01
    assert found.max() == 1.0


def test_factors_multiply():
    """One half, then one half of it; then a call that the best would have raised."""
    weights = HandWeights()
    strengths = np.full(COMBOS, 0.5)
    weights.multiply(Ramp(0.5, 0.2).rising(strengths))
    weights.multiply(Ramp(0.5, 0.1).rising(strengths))
    np.testing.assert_allclose(weights.weights, 0.25)
    weights.multiply(Ramp(0.2, 0.1).rising(strengths) * Ramp(0.5, 0.2).falling(strengths))
    np.testing.assert_allclose(weights.weights, 0.125)


def test_percentiles_are_weighted_shares_of_weaker_hands():
    """Against the definition, one combo after the other."""
    weights = HandWeights(range(40))
    weights.multiply(Ramp(0.5, 0.4).rising(ANY_STRENGTHS))
    found = weights.percentiles(ANY_STRENGTHS)
    expected = one_by_one(weights.weights, ANY_STRENGTHS)
    for combo, share in expected.items():
        assert found[combo] == pytest.approx(share)
    assert np.isnan(found[~weights.live]).all()


def test_the_mean_strength_is_weighted():
    """Two combos left, of weights 1 and 0.5."""
    weights = HandWeights(range(48))
    strengths = np.full(COMBOS, np.nan)
    live = np.flatnonzero(weights.live)
    assert len(live) == 6
    strengths[live] = [0.9, 0.3, 0.3, 0.3, 0.3, 0.3]
    weights.multiply(Ramp(0.3, 0.2).rising(strengths))
    assert weights.mean_strength(strengths) == pytest.approx((0.9 + 5 * 0.15) / 3.5)
    assert weights.belief().sum() == pytest.approx(1)
    assert weights.belief()[live[0]] == pytest.approx(1 / 3.5)


def test_what_cannot_be_is_refused():
    """Unknown strengths of live combos, other shapes, nothing left."""
    weights = HandWeights((0, 1))
    unknown = ANY_STRENGTHS.copy()
    unknown[1325] = np.nan
    for bad in (unknown, np.zeros(169)):
        with pytest.raises(ValueError, match="factor"):
            weights.multiply(Ramp(0.5, 0.2).rising(bad))
        with pytest.raises(ValueError, match="strength"):
            weights.mean_strength(bad)
        with pytest.raises(ValueError, match="strength"):
            weights.percentiles(bad)
    with pytest.raises(ValueError, match="no combo"):
        HandWeights(range(52)).mean_strength(np.full(COMBOS, np.nan))
    with pytest.raises(ValueError, match="no combo"):
        HandWeights(range(52)).belief()


def test_weights_handed_out_are_copies():
    """Nobody changes them behind our back."""
    weights = HandWeights()
    weights.weights[:] = 0
    assert weights.weights.sum() == COMBOS


def test_weights_are_multiplied_and_stay_above_the_least():
    """Factors of live combos only; dead ones may have none."""
    weights = HandWeights(parse_cards("AdQc"))
    factors = np.where(weights.live, 0.5, np.nan)
    factors[np.flatnonzero(weights.live)[0]] = 0.0
    weights.multiply(factors)
    found = np.sort(weights.weights[weights.live])
    assert found[0] == LEAST_WEIGHT
    assert (found[1:] == 0.5).all()
    assert (weights.weights[~weights.live] == 0).all()


@pytest.mark.parametrize("factors", [np.ones(3), np.full(COMBOS, 1.5), np.full(COMBOS, np.nan)])
def test_factors_that_are_none(factors):
    """Another shape, more than 1, or unknown."""
    with pytest.raises(ValueError, match="factor"):
        HandWeights().multiply(factors)
