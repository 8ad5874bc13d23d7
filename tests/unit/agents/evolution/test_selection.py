"""Selection, crossover and mutation, populations below zero among them."""

import math
from itertools import pairwise

import numpy as np
import pytest

from agents.evolution.selection import (
    TIERED,
    LinearSchedule,
    ReproductionConfig,
    alternated,
    breeders_among,
    crossed,
    fitness_of,
    mutated,
    next_generation,
    order_of,
    share_of_better,
)

SEGMENTS = np.array([0, 3, 4, 10])
SPREAD = np.array([1.0, 2.0, 0.5], np.float32)


def test_fitness_is_the_mean_of_normalised_earnings():
    """By the best of each opponent, a big blind at least, worked out by hand."""
    won = np.array([[400.0, -50.0], [200.0, 20.0], [-400.0, -100.0]])
    assert fitness_of(won, 100).tolist() == pytest.approx([0.25, 0.35, -1.0])
    assert fitness_of(-np.abs(won), 100)[0] == pytest.approx((-4 - 0.5) / 2)


def test_numbers_fade_linearly():
    """From the first generation to the last."""
    fading = LinearSchedule(0.25, 0.05)
    assert [fading.at(g, 5) for g in range(5)] == pytest.approx([0.25, 0.2, 0.15, 0.1, 0.05])
    assert fading.at(0, 1) == 0.25


@pytest.mark.parametrize("shift", [0.0, -10.0])
def test_shares_mean_the_same_below_zero(shift):
    """They are counted from the least fit; of equals each gives half."""
    assert share_of_better(3 + shift, 1 + shift, 0 + shift) == pytest.approx(0.75)
    assert share_of_better(2 + shift, 2 + shift, 1 + shift) == 0.5
    assert share_of_better(shift, shift, shift) == 0.5
    assert share_of_better(2 + shift, shift, shift) == 1.0


def test_breeders_are_above_the_mean_two_at_least():
    """Of the survivors."""
    assert breeders_among(np.array([5.0, 4.0, 1.0, 0.0])) == 2
    assert breeders_among(np.array([9.0, 1.0, 1.0, 1.0])) == 2
    assert breeders_among(np.array([-1.0, -2.0, -2.5, -20.0])) == 3
    assert breeders_among(np.array([1.0])) == 1


def test_the_earlier_of_equals_comes_first():
    """So that nothing hangs on the sort."""
    assert order_of(np.array([1.0, 3.0, 3.0, 2.0])).tolist() == [1, 2, 3, 0]


def test_children_have_whole_segments_of_their_parents():
    """As often from the first as asked."""
    rng = np.random.default_rng(1)
    ones, twos = np.full(10, 1, np.float32), np.full(10, 2, np.float32)
    taken = np.array([crossed(ones, twos, SEGMENTS, 0.75, rng) for _ in range(4000)])
    for begin, end in pairwise(SEGMENTS):
        assert (taken[:, begin:end] == taken[:, begin : begin + 1]).all()
        assert (taken[:, begin] == 1).mean() == pytest.approx(0.75, abs=0.03)


def test_mutation_changes_whole_segments_by_their_spread():
    """So many of them, each number by strength times the segment's spread."""
    rng = np.random.default_rng(2)
    zeros = np.zeros(10, np.float32)
    found = np.array([mutated(zeros, SEGMENTS, SPREAD, 0.25, 0.5, rng) for _ in range(8000)])
    for number, (begin, end) in enumerate(pairwise(SEGMENTS)):
        changed = (found[:, begin:end] != 0).all(axis=1)
        assert (changed == (found[:, begin:end] != 0).any(axis=1)).all()
        assert changed.mean() == pytest.approx(0.25, abs=0.02)
        assert found[changed, begin:end].std() == pytest.approx(0.5 * SPREAD[number], rel=0.05)
    assert (zeros == 0).all()
    assert (mutated(zeros, SEGMENTS, SPREAD, 0.0, 0.5, rng) == 0).all()


@pytest.mark.parametrize(("shift", "population"), [(0.0, 12), (-5.0, 12), (0.0, 8)])
def test_the_best_survive_and_breed(shift, population):
    """Survivors first, unchanged; without mutation children mix the breeders only.

    A larger generation shrinks to the population; the generator decides, nothing else.
    """
    fitness, breeding = np.arange(12.0) / 12 + shift, ReproductionConfig(0.25)

    def renewed(seed, rate):
        rng = np.random.default_rng(seed)
        return next_generation(
            ONE_EACH, fitness, population, SEGMENTS, SPREAD, breeding, rate, rate, rng
        )

    found, survivors = renewed(3, 0.0), population // 4
    assert found.shape == (population, 10)
    assert found[:survivors, 0].tolist() == [11, 10, 9][:survivors]
    assert set(found[survivors:].ravel().tolist()) <= {11.0, 10.0}
    np.testing.assert_array_equal(renewed(4, 0.5), renewed(4, 0.5))


def test_what_is_no_breeding_is_refused():
    """Shares and chances; a scheme is one of those told."""
    for wrong in (
        {"survival": 0.0},
        {"survival": 1.5},
        {"survival": math.nan},
        {"rate": LinearSchedule(1.5, 0.1)},
        {"rate": LinearSchedule(math.nan, 0.1)},
        {"strength": LinearSchedule(-1, 0)},
        {"strength": LinearSchedule(0, math.inf)},
    ):
        with pytest.raises(ValueError):
            ReproductionConfig(**wrong)
    with pytest.raises(ValueError, match=r"'elite'.*proportional.*tiered"):
        ReproductionConfig(scheme="elite")


ONE_EACH = np.repeat(np.arange(12, dtype=np.float32)[:, np.newaxis], 10, axis=1)
"""Twelve genomes, each of one number."""


WINNERS = np.array([0, 0, 0, 0, 0, 0, 3, 3, 3, 8, 9, 10.0])
"""Fitness: the mean of six survivors is 6."""


def tiered(fitness, survival=0.5, rate=0.0, strength=0.0, scheme=TIERED):
    """Return the next generation by the ancestor's scheme; genome k is all k."""
    breeding, rng = ReproductionConfig(survival, scheme), np.random.default_rng(3)
    return next_generation(ONE_EACH, fitness, 12, SEGMENTS, SPREAD, breeding, rate, strength, rng)


def test_tiered_children_alternate_segments():
    """The first, third, ... of the better parent, the others of the worse; parents take turns."""
    ones, twos = np.full(10, 1, np.float32), np.full(10, 2, np.float32)
    assert alternated(ones, twos, SEGMENTS).tolist() == [1, 1, 1, 2, 1, 1, 1, 1, 1, 1]
    found = tiered(WINNERS)
    assert found[:6, 0].tolist() == [11, 10, 9, 6, 7, 8]
    parents = [(11, 10), (11, 9), (10, 9)] * 2
    for child, (better, worse) in zip(found[6:], parents, strict=True):
        assert child.tolist() == [better] * 3 + [worse] + [better] * 6
    assert (tiered(np.arange(12.0), survival=1.0)[:, 0] == np.arange(12)[::-1]).all()


def test_tiered_elites_stay_and_other_survivors_are_changed():
    """Breeders are kept to the bit; the rest, and all children, get noise in each segment.

    In the proportional scheme all survivors stay.
    """
    found = tiered(WINNERS, rate=1.0, strength=0.5)
    assert (found[:3] == ONE_EACH[[11, 10, 9]]).all()
    assert (found[3:6] != ONE_EACH[[6, 7, 8]]).all()
    assert np.abs(found[3:6] - ONE_EACH[[6, 7, 8]]).max() < 5
    assert (found[6:] != tiered(WINNERS)[6:]).all()
    kept = tiered(WINNERS, rate=1.0, strength=0.5, scheme="proportional")
    assert (kept[:6] == ONE_EACH[[11, 10, 9, 6, 7, 8]]).all()
    assert not (kept[6:] == np.round(kept[6:])).any()


def test_one_elite_gets_the_runner_up():
    """Where a single survivor is above the mean, the second breeds, too, and stays as it is."""
    fitness = np.array([*np.zeros(9), 1, 2, 50.0])
    found = tiered(fitness, rate=1.0, strength=0.5)
    assert (found[:2] == ONE_EACH[[11, 10]]).all()
    assert (found[2:] != np.round(found[2:])).any(axis=1).all()
    for child in tiered(fitness)[6:]:
        assert child.tolist() == [11] * 3 + [10] + [11] * 6
