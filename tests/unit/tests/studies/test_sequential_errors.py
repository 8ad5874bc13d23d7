"""Simulated sequential tests: as the plain walk, the same each time, wrong as rarely as agreed."""

import numpy as np
import pytest

from engine.compiled.splitmix import plain_word
from engine.estimates.sprt import SequentialDecision, SequentialTest, SequentialWalk
from tests.studies import sequential_errors
from tests.studies.sequential_errors import LAWS, MADE_UP, Population, made_up, run_trials

TEST = SequentialTest(0, 200)
STACK = 200_000.0
KINDS = {1: SequentialDecision.H1, -1: SequentialDecision.H0, 0: SequentialDecision.OPEN}


def drawn(samples, block, seed, test):
    """Yield the samples of a test, one by one, as the module says that they are drawn."""
    key = plain_word(seed, test + 1)
    number = 0
    while True:
        number += 1
        at = (plain_word(key, number) >> 32) * len(samples) >> 32
        for step in range(block):
            yield samples[(at + step) % len(samples)]


@pytest.mark.parametrize("block", [1, 7])
def test_compiled_tests_are_the_plain_walk(block):
    """Length by length and decision by decision."""
    own = np.random.default_rng(1).normal(0, 3000, 500)
    found = run_trials(TEST, Population("some", own, STACK), 130.0, 12, seed=9, block=block)
    shift = 130.0 - own.mean()
    for test in range(12):
        walk = SequentialWalk(TEST, STACK + abs(shift))
        samples = drawn((own + shift).tolist(), block, 9, test)
        while not walk.decided:
            walk.add([next(samples)])
        assert found.lengths[test] == walk.state.samples
        assert KINDS[int(found.decisions[test])] is walk.state.decision


def test_results_depend_on_nothing_but_the_seed():
    """Not on threads, nor on how many tests there are."""
    population = made_up("student", 4000, STACK, 1)
    one, two = (run_trials(TEST, population, 0.0, 50, seed=3, threads=n) for n in (1, 2))
    fewer = run_trials(TEST, population, 0.0, 25, seed=3)
    other = run_trials(TEST, population, 0.0, 50, seed=4)
    np.testing.assert_array_equal(one.lengths, two.lengths)
    np.testing.assert_array_equal(one.lengths[:25], fewer.lengths)
    assert (one.lengths != other.lengths).any()


@pytest.mark.parametrize("law", LAWS)
def test_errors_are_as_rare_as_agreed(law):
    """Over 400 tests at five percent 20 are wrong in the mean, over 36 in one of 5000 cases."""
    population = made_up(law, 4000, STACK, 1)
    for mean in (0.0, 200.0):
        found = run_trials(TEST, population, mean, 400, seed=5)
        assert found.facts()["open"] == 0
        assert round(found.wrong.value * 400) <= 36
        assert found.wrong.low <= 0.05


def test_predicted_lengths_are_those_of_walks():
    """Of normal samples, within a fifth."""
    population = made_up("normal", 4000, STACK, 1)
    for test in (TEST, SequentialTest(0, 100), SequentialTest(0, 1000), SequentialTest(-50, 400)):
        for mean in (test.mbb0, test.middle, test.mbb1, 2 * test.mbb1):
            found = run_trials(test, population, mean, 300, seed=2).facts()
            wanted = 2 * test.expected_samples(mean, population.samples.std(), STACK)
            error = 2 * found["hands_mean_ci95"]
            assert found["hands_mean"] == pytest.approx(wanted, rel=0.2, abs=error)


def test_what_is_told_of_tests(monkeypatch):
    """Shares, means and quantiles; nothing is wrong between the hypotheses, nor left open."""
    population = made_up("normal", 4000, STACK, 1)
    found = run_trials(TEST, population, 200.0, 200, seed=2)
    lengths, facts = np.sort(found.lengths), found.facts()
    assert facts["hands_mean"] == 2 * lengths.mean()
    assert (facts["hands_median"], facts["hands_90_percent"]) == (2 * lengths[99], 2 * lengths[179])
    assert facts["wrong"]["value"] == pytest.approx(1 - facts["accepted_h1"]["value"])
    assert run_trials(TEST, population, 100.0, 20, seed=2).wrong is None
    assert run_trials(TEST, population, None, 20, seed=2).mean == population.samples.mean()
    monkeypatch.setattr(sequential_errors, "longest", lambda test, sd: 50)
    found = run_trials(TEST, population, 0.0, 3, seed=1)
    assert (found.facts()["open"], found.wrong.value, found.hands(0.5)) == (3, 0, 100)


@pytest.mark.parametrize("law", LAWS)
def test_made_up_samples_are_as_told(law):
    """Their spread, within what chance does to few all-ins, their bounds and their lean."""
    samples = made_up(law, 4000, STACK, 1).samples
    facts = sequential_errors.population_facts(Population(law, samples, STACK), TEST)
    assert len(samples) == MADE_UP
    assert np.abs(samples).max() <= STACK
    assert facts["sd_mbb_per_sample"] == pytest.approx(4000, rel=0.06)
    lean = {"all-ins-won": 1, "all-ins-lost": -1}.get(law, 0)
    assert facts["skewness"] * lean > 10 if lean else abs(facts["skewness"]) < 6
    assert (facts["kurtosis"] > 10) is (law != "normal")
    np.testing.assert_array_equal(samples, made_up(law, 4000, STACK, 1).samples)
