"""A decision tree grown the obvious way: every threshold of every feature, every entropy anew."""

import math
from collections import Counter

from agents.statistical.learning.tree_growing import thresholds_of


def entropy(labels):
    """Return the entropy of some labels, in nats, times their number."""
    counts = Counter(labels).values()
    return -sum(count * math.log(count / len(labels)) for count in counts)


def gain(decisions, left, right, strength_weight):
    """Return how much a split lowers the entropies, summed over decisions."""
    total = 0.0
    for label, weight in (("action", 1.0), ("bin", strength_weight)):
        whole, *parts = (
            [one[label] for one in each if one[label] >= 0] for each in (decisions, left, right)
        )
        total += weight * (entropy(whole) - sum(map(entropy, parts)))
    return total


def grow(contexts, actions, bins, config):
    """Return a tree: a leaf is (counts by action), a split is (feature, threshold, left, right)."""
    thresholds = [thresholds_of(column).tolist() for column in contexts.T]
    decisions = [
        {"context": context, "action": action, "bin": bin_}
        for context, action, bin_ in zip(
            contexts.tolist(), actions.tolist(), bins.tolist(), strict=True
        )
    ]
    return _grow(decisions, thresholds, config, 0)


def _grow(decisions, thresholds, config, depth):
    best, chosen = 1e-9 * len(decisions), None
    if depth < config.depth:
        for feature, edges in enumerate(thresholds):
            for edge in edges:
                left = [one for one in decisions if one["context"][feature] <= edge]
                right = [one for one in decisions if one["context"][feature] > edge]
                if min(len(left), len(right)) < config.least:
                    continue
                found = gain(decisions, left, right, config.strength_weight)
                if found > best + 1e-9:
                    best, chosen = found, (feature, edge, left, right)
    if chosen is None:
        counts = Counter(one["action"] for one in decisions)
        return tuple(counts[action] for action in range(3))
    feature, edge, left, right = chosen
    return (
        feature,
        edge,
        _grow(left, thresholds, config, depth + 1),
        _grow(right, thresholds, config, depth + 1),
    )


def unfolded(tree, node=0):
    """Return a `DecisionTree` in the form of `grow`."""
    if tree.feature[node] < 0:
        return tuple(tree.actions[node].tolist())
    left, right = tree.children[node].tolist()
    split = (int(tree.feature[node]), float(tree.threshold[node]))
    return (*split, unfolded(tree, left), unfolded(tree, right))
