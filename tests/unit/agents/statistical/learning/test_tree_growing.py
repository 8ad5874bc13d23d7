"""Growing and pruning decision trees."""

from dataclasses import replace

import numpy as np
import pytest

from agents.statistical.learning.tree_growing import (
    THRESHOLDS,
    TreeConfig,
    grow_tree,
    prune,
    thresholds_of,
)
from agents.statistical.predicting.decision_tree import LEAF, strength_bins
from tests.helpers.decisions import POT_ODDS, contexts_of, decisions_of, ruled_actions
from tests.oracles.decision_tree import grow, unfolded


def noisy(seed, count, noise):
    """What the rule does but for some noise, and strengths that depend on it."""
    random = np.random.default_rng(seed)
    contexts = contexts_of(random, count)
    actions = ruled_actions(contexts)
    wrong = random.random(count) < noise
    actions[wrong] = random.integers(3, size=int(wrong.sum()))
    strengths = ((actions + random.random(count)) / 3).astype(np.float32)
    strengths[random.random(count) < 0.2] = np.nan
    return decisions_of(contexts, actions, strengths=strengths)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("weight", [0.0, 0.5])
def test_a_tree_equals_the_obvious_one(seed, weight):
    """Every split, threshold and count, on small noisy data with many equal values."""
    data = noisy(seed, 60, 0.3)
    data = replace(data, contexts=np.round(data.contexts * 4).astype(np.float32) / 4)
    config = TreeConfig(least=4, depth=3, strength_weight=weight)
    tree = grow_tree(data, config)
    expected = grow(data.contexts, data.actions, strength_bins(data.strengths), config)
    assert unfolded(tree) == expected
    assert len(tree.feature) > 3


def test_it_finds_the_rule():
    """The thresholds of the rule are found, and little else."""
    tree = grow_tree(noisy(1, 2000, 0.0), TreeConfig(least=20, strength_weight=0.0))
    assert set(tree.feature[:2].tolist()) == {POT_ODDS}
    fresh = contexts_of(np.random.default_rng(9), 1000)
    found = tree.probabilities(fresh).argmax(axis=1)
    assert (found == ruled_actions(fresh)).mean() > 0.95


def test_pruning_takes_out_what_noise_has_grown():
    """Fewer nodes, and a lower loss on decisions of neither growing nor pruning."""
    parts = [noisy(seed, 2000, 0.5) for seed in (1, 2, 3)]
    grown = grow_tree(parts[0], TreeConfig(least=5, depth=12))
    pruned = prune(grown, parts[1])
    assert 3 <= len(pruned.feature) < len(grown.feature) / 2
    contexts, actions = parts[2].contexts, parts[2].actions
    loss = [
        -np.log(tree.probabilities(contexts)[np.arange(2000), actions]).mean()
        for tree in (grown, pruned)
    ]
    assert loss[1] < loss[0]
    assert (pruned.actions[0] == grown.actions[0]).all()


def test_a_split_that_helps_nobody_goes():
    """On decisions that contradict it, the tree shrinks to its root."""
    data = noisy(1, 500, 0.0)
    grown = grow_tree(data, TreeConfig(least=50, depth=1))
    assert len(grown.feature) == 3
    contrary = decisions_of(data.contexts, 2 - data.actions)
    pruned = prune(grown, contrary)
    assert pruned.feature.tolist() == [LEAF]
    kept = prune(grown, data)
    assert len(kept.feature) == 3


def test_growing_repeats_to_the_bit_and_tells_how_far_it_is():
    """Nothing is drawn at random."""
    data = noisy(4, 500, 0.3)
    told = []
    first, second = grow_tree(data, progress=told.append), grow_tree(data)
    for name in ("feature", "threshold", "children", "actions", "hands"):
        assert (getattr(first, name) == getattr(second, name)).all()
    assert told[-1] == 1
    assert told == sorted(told)


def test_leaves_are_large_enough_and_no_deeper_than_allowed():
    """Both settings hold."""
    data = noisy(5, 800, 0.5)
    tree = grow_tree(data, TreeConfig(least=30, depth=4))
    leaves = tree.feature == LEAF
    assert tree.actions[leaves].sum(axis=1).min() >= 30
    assert tree.actions[leaves].sum() == 800
    assert leaves.sum() <= 16
    assert len(grow_tree(data, TreeConfig(depth=0)).feature) == 1


def test_thresholds_part_all_values_or_quantiles():
    """Halfway between few values; 64 at most of many; none of one."""
    few = thresholds_of(np.array([0, 1, 0, 0.5], np.float32))
    assert few.tolist() == [0.25, 0.75]
    many = thresholds_of(np.random.default_rng(1).random(5000, np.float32))
    assert 0 < len(many) <= THRESHOLDS
    assert (np.diff(many) > 0).all()
    assert len(thresholds_of(np.ones(5, np.float32))) == 0
    close = np.array([1, np.nextafter(np.float32(1), np.float32(2))], np.float32)
    (between,) = thresholds_of(close)
    assert close[0] <= between < close[1]
