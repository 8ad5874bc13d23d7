"""Growing decision trees."""

from dataclasses import replace

import numpy as np
import pytest

from agents.statistical.learning.tree_growing import (
    MOST_THRESHOLDS,
    TreeConfig,
    grow_tree,
    thresholds_of,
)
from agents.statistical.predicting.strength_bins import LEAF, strength_bins
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
@pytest.mark.parametrize("gain", [0.0, 0.5])
def test_a_tree_equals_the_obvious_one(seed, gain):
    """Every split, threshold and count, on small noisy data with many equal values."""
    decisions = noisy(seed, 60, 0.3)
    rounded = np.round(decisions.contexts * 4).astype(np.float32) / 4
    decisions = replace(decisions, contexts=rounded)
    config = TreeConfig(leaf=8, gain=gain)
    tree = grow_tree(decisions, config)
    bins = strength_bins(decisions.strengths)
    assert unfolded(tree) == grow(decisions.contexts, decisions.actions, bins, config)
    assert len(tree.feature) > 3 or gain > 0


def test_it_learns_a_rule():
    """The first splits are those of the rule."""
    tree = grow_tree(noisy(1, 2000, 0.0), TreeConfig(leaf=20, gain=0.2))
    assert tree.feature[0] == POT_ODDS
    fresh = contexts_of(np.random.default_rng(9), 1000)
    likeliest = tree.probabilities(fresh).argmax(axis=1)
    assert (likeliest == ruled_actions(fresh)).mean() > 0.95


def test_what_gains_little_stays_a_leaf():
    """The more a split must gain, the fewer there are; noise alone gains nothing that counts."""
    decisions = noisy(2, 2000, 0.5)
    sizes = [
        len(grow_tree(decisions, TreeConfig(leaf=50, gain=gain)).feature)
        for gain in (0.0, 0.08, 9.0)
    ]
    assert sizes[0] > sizes[1] > sizes[2] == 1
    noise = noisy(3, 4000, 1.0)
    strengths = np.random.default_rng(4).random(4000).astype(np.float32)
    noise = replace(noise, strengths=strengths)
    assert len(grow_tree(noise, TreeConfig(leaf=1000, gain=0.05)).feature) == 1


def test_growing_repeats_to_the_bit():
    """Nothing is drawn at random; all decisions come to a leaf, as the progress says."""
    decisions = noisy(4, 500, 0.3)
    shares = []
    config = TreeConfig(leaf=30)
    first, second = grow_tree(decisions, config, shares.append), grow_tree(decisions, config)
    for name in ("feature", "threshold", "children", "counts"):
        assert (getattr(first, name) == getattr(second, name)).all()
    assert shares[-1] == 1
    assert shares == sorted(shares)
    sizes = first.counts[first.feature == LEAF].sum(axis=(1, 2))
    assert sizes.min() >= 30
    assert sizes.sum() == first.counts[0].sum() == 500


def test_thresholds_part_all_values_or_quantiles():
    """Halfway between few values; 64 at most of many; none of one."""
    few = thresholds_of(np.array([0, 1, 0, 0.5], np.float32))
    assert few.tolist() == [0.25, 0.75]
    many = thresholds_of(np.random.default_rng(1).random(5000, np.float32))
    assert 0 < len(many) <= MOST_THRESHOLDS
    assert (np.diff(many) > 0).all()
    assert len(thresholds_of(np.ones(5, np.float32))) == 0
    close = np.array([1, np.nextafter(np.float32(1), np.float32(2))], np.float32)
    (between,) = thresholds_of(close)
    assert close[0] <= between < close[1]
