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
from agents.statistical.predicting.predictor import check_contexts

if TYPE_CHECKING:
    from numpy.typing import NDArray

THRESHOLDS: Final = 64
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

    def __post_init__(self) -> None:
        """Refuse settings that are none."""
        if self.least < 1 or self.depth < 0 or not 0 <= self.strength_weight < 1e3:
            raise ValueError(f"{self}: want least >= 1, depth >= 0 and a weight from 0 on")


@dataclass(frozen=True, slots=True)
class _Labels:
    actions: NDArray[np.int64]
    bins: NDArray[np.int64]
    """Bin of strength, `STRENGTH_BINS` where unknown."""


class _Nodes:
    """Nodes as they come."""

    def __init__(self) -> None:
        self.feature: list[int] = []
        self.threshold: list[float] = []
        self.children: list[list[int]] = []
        self.actions: list[NDArray[np.int64]] = []
        self.hands: list[NDArray[np.int64]] = []

    def add(self, labels: _Labels, rows: NDArray[np.int64]) -> int:
        joint = labels.actions[rows] * (STRENGTH_BINS + 1) + labels.bins[rows]
        counts = np.bincount(joint, minlength=ACTIONS * (STRENGTH_BINS + 1))
        table = counts.reshape(ACTIONS, STRENGTH_BINS + 1)
        self.feature.append(LEAF)
        self.threshold.append(0.0)
        self.children.append([0, 0])
        self.actions.append(table.sum(axis=1))
        self.hands.append(table[:, :STRENGTH_BINS])
        return len(self.feature) - 1


def grow_tree(
    contexts: NDArray[np.float32],
    actions: NDArray[np.integer],
    strengths: NDArray[np.floating],
    config: TreeConfig | None = None,
    progress: Callable[[float], None] | None = None,
) -> DecisionTree:
    """Grow a tree; the same data give the same tree.

    Args:
        contexts: (N, F) float32, N > 0.
        actions: (N,) what was done.
        strengths: (N,) of the actors' hands, nan where unknown.
        config: how; None for the default.
        progress: told the share of decisions that have come to a leaf.

    Raises:
        ValueError: the arrays do not fit together.
    """
    check_contexts(contexts)
    if not 0 < len(contexts) == len(actions) == len(strengths):
        raise ValueError(
            f"{len(contexts)} contexts, {len(actions)} actions, {len(strengths)} strengths"
        )
    config = config or TreeConfig()
    labels = _labels(actions, strengths)
    edges = [thresholds_of(column) for column in contexts.T]
    codes = np.stack(
        [np.searchsorted(edge, column) for edge, column in zip(edges, contexts.T, strict=True)]
    ).astype(np.uint8)
    nodes = _Nodes()
    everything = np.arange(len(contexts))
    waiting = [(nodes.add(labels, everything), everything, 0)]
    settled = 0
    while waiting:
        node, rows, depth = waiting.pop()
        found = None
        if depth < config.depth and len(rows) >= 2 * config.least:
            found = _best_split(codes, rows, labels, edges, config)
        if found is None:
            settled += len(rows)
            if progress is not None:
                progress(settled / len(contexts))
            continue
        feature, code = found
        nodes.feature[node] = feature
        nodes.threshold[node] = float(edges[feature][code])
        left = codes[feature, rows] <= code
        for side, part in enumerate((rows[left], rows[~left])):
            child = nodes.add(labels, part)
            nodes.children[node][side] = child
            waiting.append((child, part, depth + 1))
    return DecisionTree(
        np.array(nodes.feature, np.int32),
        np.array(nodes.threshold, np.float32),
        np.array(nodes.children, np.int32),
        np.array(nodes.actions, np.int32),
        np.array(nodes.hands, np.int32),
        {"config": asdict(config)},
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


def prune(
    tree: DecisionTree,
    contexts: NDArray[np.float32],
    actions: NDArray[np.integer],
    strengths: NDArray[np.floating],
    strength_weight: float = 0.25,
) -> DecisionTree:
    """Return a tree without the splits that do not help on decisions set aside.

    Args:
        contexts: (N, F) float32 of these decisions.
        actions: (N,) what was done.
        strengths: (N,) with what, nan where unknown.
        strength_weight: as in growing.

    Raises:
        ValueError: the arrays do not fit together.
    """
    if not len(contexts) == len(actions) == len(strengths):
        raise ValueError(
            f"{len(contexts)} contexts, {len(actions)} actions, {len(strengths)} strengths"
        )
    loss_as_leaf = _losses_of_nodes(tree, contexts, _labels(actions, strengths), strength_weight)
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


def _labels(actions: NDArray[np.integer], strengths: NDArray[np.floating]) -> _Labels:
    bins = strength_bins(strengths).astype(np.int64)
    return _Labels(actions.astype(np.int64), np.where(bins < 0, STRENGTH_BINS, bins))


def _best_split(
    codes: NDArray[np.uint8],
    rows: NDArray[np.int64],
    labels: _Labels,
    edges: list[NDArray[np.float32]],
    config: TreeConfig,
) -> tuple[int, int] | None:
    """Return feature and number of the threshold of the best split; None if nothing is gained."""
    actions, bins = labels.actions[rows], labels.bins[rows]
    best, chosen = _LEAST_GAIN * len(rows), None
    for feature, edge in enumerate(edges):
        if not len(edge):
            continue
        code = codes[feature, rows].astype(np.int64)
        left, right = _sides(code, actions, ACTIONS, len(edge))
        gains = _gains(left, right)
        if config.strength_weight:
            known = _sides(code, bins, STRENGTH_BINS + 1, len(edge))
            gains += config.strength_weight * _gains(*(side[:, :STRENGTH_BINS] for side in known))
        small = np.minimum(left.sum(axis=1), right.sum(axis=1)) < config.least
        gains[small] = -np.inf
        at = int(np.argmax(gains))
        if gains[at] > best + _LEAST_GAIN:
            best, chosen = float(gains[at]), (feature, at)
    return chosen


def _sides(
    code: NDArray[np.int64], labels: NDArray[np.int64], classes: int, edges: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (edges, classes) counts left and right of each threshold."""
    counts = np.bincount(code * classes + labels, minlength=(edges + 1) * classes)
    left = np.cumsum(counts.reshape(edges + 1, classes), axis=0)
    return left[:-1], left[-1] - left[:-1]


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
    tree: DecisionTree,
    contexts: NDArray[np.float32],
    labels: _Labels,
    strength_weight: float,
) -> NDArray[np.float64]:
    """Return (M,) the log-loss, summed, of decisions that come by each node, were it a leaf."""
    reached = np.zeros((len(tree.feature), ACTIONS, STRENGTH_BINS + 1))
    np.add.at(reached, (tree.leaves(contexts), labels.actions, labels.bins), 1)
    for node in range(len(tree.feature) - 1, -1, -1):
        if tree.feature[node] != LEAF:
            reached[node] = reached[tree.children[node]].sum(axis=0)
    of_actions = (reached.sum(axis=2) * np.log(tree.chances)).sum(axis=1)
    of_hands = (reached[:, :, :STRENGTH_BINS] * np.log(tree.given)).sum(axis=(1, 2))
    losses: NDArray[np.float64] = -(of_actions + strength_weight * of_hands)
    return losses


def _without_lost_nodes(tree: DecisionTree, feature: NDArray[np.int32]) -> DecisionTree:
    """Return the tree of those nodes that the root leads to, in their order."""
    kept = np.zeros(len(feature), np.bool_)
    kept[0] = True
    for node in np.flatnonzero(feature != LEAF).tolist():
        if kept[node]:
            kept[tree.children[node]] = True
    number = np.cumsum(kept, dtype=np.int64) - 1
    split = (feature != LEAF)[:, None]
    children = np.where(split, number[tree.children], 0).astype(np.int32)
    threshold = np.where(feature != LEAF, tree.threshold, 0).astype(np.float32)
    return DecisionTree(
        feature[kept],
        threshold[kept],
        children[kept],
        tree.actions[kept],
        tree.hands[kept],
        tree.provenance,
    )
