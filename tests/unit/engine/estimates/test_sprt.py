"""Sequential tests: bounds, ratios, forecasts, and errors as often as was agreed upon."""

import math
from statistics import NormalDist

import numpy as np
import pytest

from engine.estimates.sprt import SequentialDecision, SequentialTest
from engine.estimates.verdict import FEWEST_SAMPLES

TEST = SequentialTest(0, 10)


def run(test, samples):
    """Return the decision over samples that come one after the other, and after how many."""
    counts = np.arange(1, len(samples) + 1)
    means = np.cumsum(samples) / counts
    variances = np.maximum(np.cumsum(np.square(samples)) / counts - means**2, 0)
    for count in range(FEWEST_SAMPLES, len(samples) + 1):
        found = test.state(count, float(means[count - 1]), float(variances[count - 1]))
        if found.decision is not SequentialDecision.OPEN:
            return found.decision, count
    return SequentialDecision.OPEN, len(samples)


def test_the_ratio_is_that_of_normal_densities():
    """Of all samples together, both hypotheses with the spread of the samples."""
    samples = np.random.default_rng(1).normal(3, 50, 400)
    sd = float(samples.std())
    wanted = sum(math.log(NormalDist(10, sd).pdf(x) / NormalDist(0, sd).pdf(x)) for x in samples)
    assert TEST.llr(len(samples), float(samples.mean()), sd**2) == pytest.approx(wanted)


def test_bounds_are_walds():
    """ln 19 for two errors of five percent; other errors move both."""
    assert TEST.bounds == pytest.approx((-math.log(19), math.log(19)))
    assert SequentialTest(0, 1, 0.01, 0.2).bounds == pytest.approx(
        (math.log(0.2 / 0.99), math.log(0.8 / 0.01))
    )


def test_few_samples_decide_nothing():
    """Whatever they are; and from the hundredth on the same samples do."""
    assert TEST.state(0, 0.0, 0.0).decision is SequentialDecision.OPEN
    assert TEST.state(FEWEST_SAMPLES - 1, 1000.0, 1.0).decision is SequentialDecision.OPEN
    assert TEST.state(FEWEST_SAMPLES, 1000.0, 1.0).decision is SequentialDecision.H1
    assert TEST.state(FEWEST_SAMPLES, -1000.0, 1.0).decision is SequentialDecision.H0
    assert TEST.state(FEWEST_SAMPLES, 10.0, 0.0).decision is SequentialDecision.H1
    assert TEST.state(FEWEST_SAMPLES, 0.0, 0.0).decision is SequentialDecision.H0
    assert TEST.state(FEWEST_SAMPLES, 5.0, 0.0).decision is SequentialDecision.OPEN


def test_a_forecast_holds_if_the_mean_stays():
    """With so many more samples of the same mean and spread it is decided, with fewer it is not."""
    for mean in (12.0, -3.0, 6.0):
        now = TEST.state(10_000, mean, 1e6)
        assert now.decision is SequentialDecision.OPEN
        then = 10_000 + now.more_samples
        assert TEST.state(then, mean, 1e6).decision is not SequentialDecision.OPEN
        assert TEST.state(int(then * 0.99), mean, 1e6).decision is SequentialDecision.OPEN
    assert TEST.state(10_000, 5.0, 1e6).more_samples is None
    assert TEST.state(60, 10.0, 0.0).more_samples == FEWEST_SAMPLES - 60


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


@pytest.mark.parametrize("mean", [-10.0, 0.0, 3.0, 5.0, 10.0, 40.0, 4000.0])
def test_the_expected_length_is_that_of_walks(mean):
    """Beside a thousand tests; a test of many steps, so that overstepping counts little."""
    rng = np.random.default_rng(7)
    sd = 60.0
    lengths = [run(TEST, rng.normal(mean, sd, 6000))[1] for _ in range(300)]
    wanted = TEST.expected_samples(mean, sd)
    if wanted < 2 * FEWEST_SAMPLES:
        assert np.mean(lengths) < 2.5 * FEWEST_SAMPLES
    else:
        error = np.std(lengths) / math.sqrt(len(lengths))
        assert np.mean(lengths) == pytest.approx(wanted, abs=4 * error + 0.1 * wanted)


@pytest.mark.parametrize("truth", ["H0", "H1"])
def test_errors_are_as_rare_as_agreed(truth):
    """Over 400 tests at five percent: 20 are wrong in the mean, over 36 in one of 5000 cases."""
    rng = np.random.default_rng(3)
    mean = 0.0 if truth == "H0" else 10.0
    found = [run(TEST, rng.normal(mean, 60.0, 6000))[0] for _ in range(400)]
    assert SequentialDecision.OPEN not in found
    assert sum(one.value != truth for one in found) <= 36


def test_a_test_of_a_fixed_size():
    """(1.645 + 1.645)^2 sd^2 / 10^2, at the least."""
    assert TEST.fixed_samples(1000) == math.ceil((2 * 1.6448536269514722 * 100) ** 2)
