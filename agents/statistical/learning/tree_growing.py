"""Growing and pruning of `decision_tree`.

Thresholds are looked for among at most 64 per feature: halfway between neighbouring values where
a feature has few, else at quantiles.  Of equal gains the lower feature and threshold win, so the
tree depends on nothing but the data.

Pruning (reduced error, Quinlan, "Simplifying decision trees", 1987, here with log-loss for errors):
from the bottom up, a split stays only if it lowers the log-loss of decisions that were set aside,
that of the strength once the action is known weighted as in growing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.statistical.counting.situations import ACTIONS
from agents.statistical.predicting.decision_tree import (
    LEAF,
    STRENGTH_BINS,
    DecisionTree,
    strength_bins,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.statistical.learning.dataset import DecisionTable

THRESHOLDS: Final = 64
_BINS: Final = STRENGTH_BINS + 1
"""The last one is for hands that are unknown."""
_LEAST_GAIN: Final = 1e-9
"""Nats per decision of the node; rounding alone stays below."""


@dataclass(frozen=True, slots=True)
class TreeConfig:
    """How a tree is grown."""

    least: int = 60
    """Fewest decisions of a leaf."""
    depth: int = 14
    """Most splits between root and leaf."""
    strength_weight: float = 0.25
    """How much knowing the strength counts against knowing the action."""


@dataclass(slots=True)
class _Node:
    counts: NDArray[np.int64]
    """(3, 21) decisions that came by, by action and bin of strength, the last for unknown hands."""
    feature: int = LEAF
    threshold: float = 0.0
    children: tuple[int, int] = (0, 0)


def grow_tree(
    decisions: DecisionTable,
    config: TreeConfig | None = None,
    progress: Callable[[float], None] | None = None,
) -> DecisionTree:
    """Grow a tree; the same data give the same tree.

    Args:
        decisions: one at least.
        config: how; None for the default.
        progress: told the share of decisions that have come to a leaf.
    """
    contexts, labels = decisions.contexts, _labels(decisions)
    config = config or TreeConfig()
    edges = [thresholds_of(column) for column in contexts.T]
    codes = np.stack(
        [np.searchsorted(edge, column) for edge, column in zip(edges, contexts.T, strict=True)]
    ).astype(np.uint8)
    nodes = [_Node(_counted(labels))]
    waiting = [(0, np.arange(len(contexts)), 0)]
    settled = 0
    while waiting:
        node, rows, depth = waiting.pop()
        found = None
        if depth < config.depth and len(rows) >= 2 * config.least:
            found = _best_split(codes[:, rows], labels[rows], edges, config)
        if found is None:
            settled += len(rows)
            if progress is not None:
                progress(settled / len(contexts))
            continue
        feature, code = found
        left = codes[feature, rows] <= code
        nodes[node].feature, nodes[node].threshold = feature, float(edges[feature][code])
        nodes[node].children = (len(nodes), len(nodes) + 1)
        for part in (rows[left], rows[~left]):
            waiting.append((len(nodes), part, depth + 1))
            nodes.append(_Node(_counted(labels[part])))
    counts = np.array([one.counts for one in nodes], np.int32)
    return DecisionTree(
        feature=np.array([one.feature for one in nodes], np.int32),
        threshold=np.array([one.threshold for one in nodes], np.float32),
        children=np.array([one.children for one in nodes], np.int32),
        actions=counts.sum(axis=2, dtype=np.int32),
        hands=counts[:, :, :STRENGTH_BINS],
        provenance={"config": asdict(config)},
    )


def thresholds_of(column: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the thresholds, ascending, at which a feature may be split: at most 64."""
    values = np.unique(column)
    if len(values) > THRESHOLDS + 1:
        shares = np.arange(1, THRESHOLDS + 1) / (THRESHOLDS + 1)
        found = np.quantile(column, shares, method="lower")
        return np.unique(found[found < values[-1]]).astype(np.float32)
    halfway = (values[:-1] / 2 + values[1:] / 2).astype(np.float32)
    return np.where(halfway < values[1:], halfway, values[:-1])


def prune(tree: DecisionTree, aside: DecisionTable, strength_weight: float = 0.25) -> DecisionTree:
    """Return a tree without the splits that do not help on decisions set aside.

    Args:
        tree: as it was grown.
        aside: these decisions.
        strength_weight: as in growing.
    """
    loss_as_leaf = _losses_of_nodes(tree, aside, strength_weight)
    loss = loss_as_leaf.copy()
    feature = tree.feature.copy()
    for node in range(len(feature) - 1, -1, -1):
        if feature[node] == LEAF:
            continue
        below = float(loss[tree.children[node]].sum())
        if below < loss_as_leaf[node]:
            loss[node] = below
        else:
            feature[node] = LEAF
    return _without_lost_nodes(tree, feature)


def _labels(decisions: DecisionTable) -> NDArray[np.int64]:
    """Return (N,) numbers of action and bin together, as `_counted` counts them."""
    bins = strength_bins(decisions.strengths).astype(np.int64)
    return decisions.actions.astype(np.int64) * _BINS + np.where(bins < 0, STRENGTH_BINS, bins)


def _counted(labels: NDArray[np.int64], groups: int = 1) -> NDArray[np.int64]:
    """Return (groups * 3, 21) how often each action was taken with each bin."""
    return np.bincount(labels, minlength=groups * ACTIONS * _BINS).reshape(-1, _BINS)


def _best_split(
    codes: NDArray[np.uint8],
    labels: NDArray[np.int64],
    edges: list[NDArray[np.float32]],
    config: TreeConfig,
) -> tuple[int, int] | None:
    """Return feature and number of the threshold of the best split; None if nothing is gained."""
    best, chosen = _LEAST_GAIN * len(labels), None
    for feature, (code, edge) in enumerate(zip(codes, edges, strict=True)):
        if not len(edge):
            continue
        places = code.astype(np.int64) * (ACTIONS * _BINS) + labels
        counts = _counted(places, len(edge) + 1).reshape(-1, ACTIONS, _BINS).cumsum(axis=0)
        left, right = counts[:-1], counts[-1] - counts[:-1]
        gains = _gains(left.sum(axis=2), right.sum(axis=2))
        known = (side.sum(axis=1)[:, :STRENGTH_BINS] for side in (left, right))
        gains += config.strength_weight * _gains(*known)
        sizes = np.minimum(left.sum(axis=(1, 2)), right.sum(axis=(1, 2)))
        gains[sizes < config.least] = -np.inf
        at = int(np.argmax(gains))
        if gains[at] > best + _LEAST_GAIN:
            best, chosen = float(gains[at]), (feature, at)
    return chosen


def _gains(left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return (edges,) by how much splits lower the entropy, in nats, summed over decisions."""
    gains: NDArray[np.float64] = _entropy(left[:1] + right[:1]) - _entropy(left) - _entropy(right)
    return gains


def _entropy(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return n times the entropy of each row of counts with sum n."""
    total = counts.sum(axis=1).astype(np.float64)
    parts = counts.astype(np.float64)
    found: NDArray[np.float64] = total * np.log(np.maximum(total, 1)) - (
        parts * np.log(np.maximum(parts, 1))
    ).sum(axis=1)
    return found


def _losses_of_nodes(
    tree: DecisionTree, decisions: DecisionTable, strength_weight: float
) -> NDArray[np.float64]:
    """Return (M,) the log-loss, summed, of decisions that come by each node, were it a leaf."""
    reached = np.zeros((len(tree.feature), ACTIONS, _BINS))
    places = tree.leaves(decisions.contexts) * (ACTIONS * _BINS) + _labels(decisions)
    np.add.at(reached.reshape(-1), places, 1)
    for node in range(len(tree.feature) - 1, -1, -1):
        if tree.feature[node] != LEAF:
            reached[node] = reached[tree.children[node]].sum(axis=0)
    of_actions = (reached.sum(axis=2) * np.log(tree.chances)).sum(axis=1)
    of_hands = (reached[:, :, :STRENGTH_BINS] * np.log(tree.given)).sum(axis=(1, 2))
    losses: NDArray[np.float64] = -(of_actions + strength_weight * of_hands)
    return losses


def _without_lost_nodes(tree: DecisionTree, feature: NDArray[np.int32]) -> DecisionTree:
    """Return the tree of those nodes that the root leads to, in their order."""
    split = feature != LEAF
    kept = np.zeros(len(feature), np.bool_)
    kept[0] = True
    for node in np.flatnonzero(split).tolist():
        if kept[node]:
            kept[tree.children[node]] = True
    number = np.cumsum(kept) - 1
    return DecisionTree(
        feature=feature[kept],
        threshold=np.where(split, tree.threshold, np.float32(0))[kept],
        children=np.where(split[:, None], number[tree.children], 0)[kept].astype(np.int32),
        actions=tree.actions[kept],
        hands=tree.hands[kept],
        provenance=tree.provenance,
    )
