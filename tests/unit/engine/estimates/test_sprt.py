"""Sequential tests: stakes, bounds, predictions, and errors as rare as agreed upon."""

import math
from fractions import Fraction

import numpy as np
import pytest

from engine.estimates.sprt import LARGEST_STAKE, SequentialDecision, SequentialTest, SequentialWalk

TEST = SequentialTest(0, 10)
STACK = 1000.0


def walk(test, samples, most=STACK):
    """Return a walk over samples."""
    found = SequentialWalk(test, most)
    found.add(samples)
    return found


def test_money_is_what_the_stakes_make_of_it():
    """Counted in whole fractions, from the samples before alone."""
    test = SequentialTest(-2, 10, 0.001, 0.001)
    samples = np.random.default_rng(1).integers(-300, 320, 60).tolist()
    reach = Fraction(1010)
    w0 = w1 = Fraction(1)
    before = []
    for sample in samples:
        mean = sum(before, Fraction(0)) / (len(before) + 1)
        variance = (reach**2 + sum(one * one for one in before)) / (len(before) + 1) - mean**2
        stake = min(12 / (variance + 12 * reach / 2), Fraction(LARGEST_STAKE) / reach)
        w0 *= 1 + stake * (sample + 2)
        w1 *= 1 - stake * (sample - 10)
        before.append(Fraction(sample + 2))
    state = walk(test, samples).state
    assert state.decision is SequentialDecision.OPEN
    assert state.against_h0 == pytest.approx(math.log(w0), rel=1e-9)
    assert state.against_h1 == pytest.approx(math.log(w1), rel=1e-9)


def test_bounds_are_those_of_ville():
    """ln 20 for five percent."""
    assert TEST.bounds == pytest.approx((math.log(20), math.log(20)))
    assert SequentialTest(0, 1, 0.01, 0.2).bounds == pytest.approx((math.log(100), math.log(5)))


def test_a_decision_is_at_its_sample_however_samples_come():
    """What comes after it changes nothing, and neither does how many are added at once."""
    samples = np.random.default_rng(2).normal(10, 60, 3000).tolist()
    whole = walk(TEST, samples)
    assert whole.state.decision is SequentialDecision.H1
    one_by_one = SequentialWalk(TEST, STACK)
    for sample in samples:
        one_by_one.add([sample])
    assert one_by_one.state == whole.state
    count = whole.state.samples
    assert walk(TEST, samples[:count]).state == whole.state
    assert not walk(TEST, samples[: count - 1]).decided
    assert whole.state.against_h0 >= TEST.bounds[0]


def test_no_sample_says_nothing():
    """And one, whatever it is, decides nothing."""
    state = SequentialWalk(TEST, STACK).state
    assert (state.against_h0, state.against_h1, state.samples) == (0, 0, 0)
    assert state.more_samples is None
    assert not walk(TEST, [STACK]).decided


def test_samples_without_spread_are_decided():
    """By and by: one who always wins the same may lose all in the next hand."""
    for value, decision in ((500.0, SequentialDecision.H1), (-500.0, SequentialDecision.H0)):
        state = walk(SequentialTest(0, 100), [value] * 400).state
        assert state.decision is decision
        assert 4 < state.samples < 40


def test_a_prediction_holds_if_the_mean_stays():
    """With so many more samples of the same kind it is decided, and not much before."""
    rng = np.random.default_rng(5)
    for mean in (12.0, -3.0):
        samples = rng.normal(0, 300, 50)
        samples += mean - samples.mean()
        now = walk(TEST, np.tile(samples, 40).tolist(), 1500.0)
        more = now.state.more_samples
        now.add(np.tile(samples, 400).tolist())
        assert now.decided
        assert now.state.samples - 2000 == pytest.approx(more, rel=0.3)


def test_a_sample_larger_than_a_stack_is_refused():
    """With its size; so is what is no number."""
    with pytest.raises(ValueError, match=r"\b1001 mbb/h.*\b1000\b"):
        walk(TEST, [1001.0])
    with pytest.raises(ValueError, match="nan mbb/h"):
        walk(TEST, [math.nan])


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ((10, 0), "mbb0 below mbb1"),
        ((0, 0), "mbb0 below mbb1"),
        ((0, math.nan), "mbb0 below mbb1"),
        ((0, math.inf), "mbb0 below mbb1"),
        ((0, 10, 0.0), "alpha=0"),
        ((0, 10, 0.05, 0.5), "beta=0.5"),
        ((0, 10, math.nan), "alpha=nan"),
    ],
)
def test_hypotheses_that_are_none_are_refused(settings, told):
    """With the number that is wrong."""
    with pytest.raises(ValueError, match=told):
        SequentialTest(*settings)


def test_nobody_wins_more_than_a_stack():
    """Such a hypothesis is refused where the stack is known."""
    with pytest.raises(ValueError, match=r"\b1001 mbb/h.*\b1000\b"):
        SequentialWalk(SequentialTest(0, 1001), STACK)
    assert SequentialTest(-1000, 10).reach(STACK) == 2000


def test_a_test_of_a_fixed_size():
    """(1.645 + 1.645)^2 sd^2 / 10^2, at the least."""
    assert TEST.fixed_samples(1000) == math.ceil((2 * 1.6448536269514722 * 100) ** 2)


@pytest.mark.parametrize("mean", [0.0, 10.0])
def test_errors_are_as_rare_as_agreed_where_much_is_won_in_few_hands(mean):
    """One sample in 500 wins or loses the stack.

    Over 200 tests at five percent 10 are wrong in the mean, over 20 in less than one of 500 cases.
    """
    rng = np.random.default_rng(3)
    for sign in (1, -1):
        found = []
        for _ in range(200):
            samples = rng.normal(mean - sign * STACK / 500, 5, 8000)
            samples[rng.random(len(samples)) < 1 / 500] += sign * STACK
            found.append(walk(TEST, samples.tolist(), 1.2 * STACK).state.decision)
        wrong = SequentialDecision.H1 if mean == 0 else SequentialDecision.H0
        assert found.count(wrong) <= 20
        assert found.count(SequentialDecision.OPEN) <= 20
