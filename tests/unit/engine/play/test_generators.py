"""Generators of decisions against NumPy's own seeding."""

import numpy as np
import pytest

from engine.compiled.seed_words import entropy_words, seed_words
from engine.play.generators import decision_generator
from engine.play.quick_generators import quick_decision_generator
from engine.rules.view import PlayerView, replay_betting
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
BOUNDS = (1, 2, 2**16, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**64, 2**130)


def test_seeds_are_those_of_numpy():
    """For one to six numbers of any size."""
    rng = np.random.default_rng(8)
    for case in range(3000):
        sizes = rng.choice(len(BOUNDS), 1 + case % 6)
        numbers = tuple(int(rng.random() * BOUNDS[size]) for size in sizes)
        expected = np.random.SeedSequence(numbers).generate_state(4, np.uint64)
        np.testing.assert_array_equal(seed_words(entropy_words(numbers)), expected)


@pytest.mark.parametrize("number", BOUNDS)
def test_numbers_at_the_bounds_of_words(number):
    """The last number of so many words, and the first of one more."""
    for numbers in ((number - 1,), (number,), (0, number, 0), (number, number - 1, number)):
        expected = np.random.SeedSequence(numbers).generate_state(4, np.uint64)
        np.testing.assert_array_equal(seed_words(entropy_words(numbers)), expected)


def test_a_negative_number_is_refused():
    """As by NumPy."""
    with pytest.raises(ValueError, match="-1 is negative"):
        entropy_words((3, -1))


@pytest.mark.parametrize("seed", [0, 5, 2**31 - 1, 2**32, 2**80])
@pytest.mark.parametrize(("betting", "decision"), [("", 0), ("cr300", 1), ("cr300c/r600", 2)])
@pytest.mark.parametrize("make", [decision_generator, quick_decision_generator])
def test_a_decision_draws_what_numpy_draws(make, seed, betting, decision):
    """Numbers of all kinds, from the same stream."""
    state = replay_betting(HUNL, betting)
    view = PlayerView(state, 12, state.actor, ((0, 1), (2, 3)), (4, 5, 6)[: 3 * state.street])
    ours, theirs = make(seed, view), np.random.default_rng((seed, 12, decision))
    assert ours.random() == theirs.random()
    for one in (ours, theirs):
        assert one.integers(0, 2**32, 7, np.uint32).shape == (7,)
    assert ours.normal() == theirs.normal()
    assert ours.bit_generator.state == theirs.bit_generator.state


@pytest.mark.parametrize("make", [decision_generator, quick_decision_generator])
def test_a_negative_seed_is_refused(make):
    """By both in words."""
    with pytest.raises(ValueError, match="negative"):
        make(-1, PlayerView(replay_betting(HUNL, ""), 0, 1, ((), (0, 1)), ()))
