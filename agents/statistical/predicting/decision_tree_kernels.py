"""Compiled half of the decision tree: the search for a split, and the way to a leaf.

N decisions of F features, labels of L = 3 * 21 classes:

    codes    (F, N) uint8    number of the interval between thresholds that a feature is in
    labels   (N,)   uint8    action * 21 + bin of the strength, the last bin for hands not known
    rows     (R,)   int64    the decisions of a node
    edges    (F,)   int64    thresholds of each feature
    logs     (N + 1,) float64    n ln n for each count n

A node is split where the sum over its decisions of

    entropy of the action + entropy of the bin of a known hand, once the action is known

falls most.  With n ln n in a table, an entropy times its count takes additions only.
"""

import numpy as np
from numpy.typing import NDArray

from agents.statistical.counting.situations import ACTIONS
from agents.statistical.predicting.strength_bins import BINS, LABELS, LEAF, STRENGTH_BINS
from engine.compiled.jit import inlined_kernel, kernel

ROUNDING = 1e-6
"""Nats: gains so close are equal."""

# Kernels: arguments are trusted, results go to the last argument.


@kernel
def best_split(
    codes: NDArray[np.uint8],
    labels: NDArray[np.uint8],
    rows: NDArray[np.int64],
    edges: NDArray[np.int64],
    logs: NDArray[np.float64],
    least: int,
) -> tuple[int, int, float]:
    """Return feature, threshold and gain, in nats over all rows, of the best split of a node.

    Of equal gains the lower feature and threshold win; the feature is LEAF where each split leaves
    a side with fewer than `least` decisions.
    """
    whole = np.zeros(LABELS, np.int64)
    for row in rows:
        whole[labels[row]] += 1
    before = _uncertainty(whole, logs)
    feature, threshold, gain = LEAF, 0, -np.inf
    for tried in range(len(edges)):
        counts = np.zeros((edges[tried] + 1, LABELS), np.int64)
        for row in rows:
            counts[codes[tried, row], labels[row]] += 1
        below = np.zeros(LABELS, np.int64)
        above = whole.copy()
        size = 0
        for edge in range(edges[tried]):
            for label in range(LABELS):
                moved = counts[edge, label]
                below[label] += moved
                above[label] -= moved
                size += moved
            if min(size, len(rows) - size) < least:
                continue
            fall = before - _uncertainty(below, logs) - _uncertainty(above, logs)
            if fall > gain + ROUNDING:
                feature, threshold, gain = tried, edge, fall
    return feature, threshold, gain


@inlined_kernel
def _uncertainty(counts: NDArray[np.int64], logs: NDArray[np.float64]) -> float:
    """Return the entropies of a node with (63,) counts, times its decisions."""
    total = 0
    entropy = 0.0
    for action in range(ACTIONS):
        known = 0
        parts = 0.0
        for label in range(action * BINS, action * BINS + STRENGTH_BINS):
            known += counts[label]
            parts += logs[counts[label]]
        done = known + counts[action * BINS + STRENGTH_BINS]
        total += done
        entropy += logs[known] - parts - logs[done]
    return float(entropy + logs[total])


@kernel
def find_leaves(
    contexts: NDArray[np.float32],
    feature: NDArray[np.int32],
    threshold: NDArray[np.float32],
    children: NDArray[np.int32],
    leaves: NDArray[np.int64],
) -> None:
    """Write the node of a tree, as `DecisionTree` has it, that each context ends at."""
    for number in range(len(contexts)):
        node = np.int64(0)
        while feature[node] != LEAF:
            right = contexts[number, feature[node]] > threshold[node]
            node = np.int64(children[node, int(right)])
        leaves[number] = node
