"""Growing of `decision_tree`: the best split by information gain, as long as it gains enough.

Thresholds are looked for among at most 64 per feature: halfway between neighbouring values where
a feature has few, else at quantiles.  A node stays a leaf where the best split gains less than
`gain` nats a decision of the node, or would leave a side with fewer than `leaf` decisions.
Nothing is drawn at random, so the same decisions give the same tree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.statistical.counting.situations import ACTIONS
from agents.statistical.predicting.decision_tree import DecisionTree
from agents.statistical.predicting.decision_tree_kernels import best_split
from agents.statistical.predicting.strength_bins import BINS, LABELS, LEAF, strength_bins

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.statistical.learning.dataset import DecisionTable

MOST_THRESHOLDS: Final = 64


@dataclass(frozen=True, slots=True)
class TreeConfig:
    """How a tree is grown."""

    leaf: int = 300
    """Fewest decisions of a leaf."""
    gain: float = 0.02
    """Nats a decision that a split has to gain."""


@dataclass(slots=True)
class _Node:
    counts: NDArray[np.int64]
    """(3, 21) decisions that came by."""
    feature: int = LEAF
    threshold: float = 0.0
    children: tuple[int, int] = (0, 0)


def grow_tree(
    decisions: DecisionTable,
    config: TreeConfig | None = None,
    progress: Callable[[float], None] | None = None,
) -> DecisionTree:
    """Grow a tree.

    Args:
        decisions: one at least.
        config: None for the default.
        progress: called with the share of decisions that have come to a leaf.
    """
    config = config or TreeConfig()
    columns = decisions.contexts.T
    edges = [thresholds_of(column) for column in columns]
    codes = np.stack([np.searchsorted(*pair) for pair in zip(edges, columns, strict=True)])
    codes = codes.astype(np.uint8)
    edge_counts = np.array([len(edge) for edge in edges], np.int64)
    labels = (decisions.actions * BINS + strength_bins(decisions.strengths)).astype(np.uint8)
    logs = np.arange(len(labels) + 1, dtype=np.float64)
    logs *= np.log(np.maximum(logs, 1))
    nodes = [_Node(_counted(labels))]
    waiting = [(0, np.arange(len(labels)))]
    settled = 0
    while waiting:
        number, rows = waiting.pop()
        feature, edge, gain = best_split(codes, labels, rows, edge_counts, logs, config.leaf)
        if feature == LEAF or gain < config.gain * len(rows):
            settled += len(rows)
            if progress is not None:
                progress(settled / len(labels))
            continue
        left = codes[feature, rows] <= edge
        node = nodes[number]
        node.feature, node.threshold = feature, float(edges[feature][edge])
        node.children = (len(nodes), len(nodes) + 1)
        for part in (rows[left], rows[~left]):
            waiting.append((len(nodes), part))
            nodes.append(_Node(_counted(labels[part])))
    return DecisionTree(
        feature=np.array([node.feature for node in nodes], np.int32),
        threshold=np.array([node.threshold for node in nodes], np.float32),
        children=np.array([node.children for node in nodes], np.int32),
        counts=np.array([node.counts for node in nodes], np.int32),
        provenance={"config": asdict(config)},
    )


def thresholds_of(column: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the thresholds, ascending, at which a feature may be split: 64 at most."""
    values = np.unique(column)
    if len(values) > MOST_THRESHOLDS + 1:
        shares = np.arange(1, MOST_THRESHOLDS + 1) / (MOST_THRESHOLDS + 1)
        quantiles = np.quantile(column, shares, method="lower")
        return np.unique(quantiles[quantiles < values[-1]]).astype(np.float32)
    halfway = (values[:-1] / 2 + values[1:] / 2).astype(np.float32)
    return np.where(halfway < values[1:], halfway, values[:-1])


def _counted(labels: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return (3, 21) decisions by action and bin."""
    counts: NDArray[np.int64] = np.bincount(labels, minlength=LABELS).reshape(ACTIONS, BINS)
    return counts
