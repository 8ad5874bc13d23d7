"""A decision tree grown the obvious way: every threshold of every feature, every entropy anew."""

import math
from collections import Counter

from agents.statistical.learning.tree_growing import thresholds_of

UNKNOWN = 20
EQUAL = 1e-6


def entropy(labels):
    """Return the entropy of some labels, in nats, times their number."""
    counts = Counter(labels).values()
    return -sum(count * math.log(count / len(labels)) for count in counts)


def uncertainty(decisions):
    """Return the entropy of actions, and that of known strengths for each action, summed."""
    total = entropy([action for _, action, _ in decisions])
    for done in range(3):
        total += entropy(
            [bin_ for _, action, bin_ in decisions if action == done and bin_ != UNKNOWN]
        )
    return total


def grow(contexts, actions, bins, config):
    """Return a tree: a leaf is (counts by action), a split is (feature, threshold, left, right)."""
    thresholds = [thresholds_of(column).tolist() for column in contexts.T]
    decisions = list(zip(contexts.tolist(), actions.tolist(), bins.tolist(), strict=True))
    return _grow(decisions, thresholds, config)


def _grow(decisions, thresholds, config):
    best, chosen = -math.inf, None
    for feature, edges in enumerate(thresholds):
        for edge in edges:
            left = [decision for decision in decisions if decision[0][feature] <= edge]
            right = [decision for decision in decisions if decision[0][feature] > edge]
            if min(len(left), len(right)) >= config.leaf:
                gain = uncertainty(decisions) - uncertainty(left) - uncertainty(right)
                if gain > best + EQUAL:
                    best, chosen = gain, (feature, edge, left, right)
    if best < config.gain * len(decisions):
        counts = Counter(action for _, action, _ in decisions)
        return tuple(counts[action] for action in range(3))
    feature, edge, *sides = chosen
    return (feature, edge, *(_grow(side, thresholds, config) for side in sides))


def unfolded(tree, node=0):
    """Return a `DecisionTree` in the form of `grow`."""
    if tree.feature[node] < 0:
        return tuple(tree.counts[node].sum(axis=1).tolist())
    split = (int(tree.feature[node]), float(tree.threshold[node]))
    return (*split, *(unfolded(tree, child) for child in tree.children[node].tolist()))
