"""A decision tree by information gain: what a player does in a context, and with what hand.

The tree of the patent (see `agents.statistical`) predicts how the effective strength of the
opponent's hand is distributed.  A node counts the decisions that came by, by action and by the
strength of the hand in 20 equal bins; these counts give

    probabilities     (N, 3)    of FOLD, CALL and RAISE
    strength_shares   (N, 20)   distribution of the strength, once the action is known
    action_shares     (N, 3)    distribution of the action, once the strength is known

A split sends decisions with feature <= threshold to the left.  The shares of a node are drawn to
those of its parent, as if these were some decisions more, and those of the root to uniform ones.
Source: Quinlan, "Induction of decision trees", Machine Learning 1, 1986.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from agents.statistical.counting.situations import ACTIONS
from agents.statistical.predicting.contexts import (
    FEATURE_COUNT,
    FEATURES,
    check_contexts,
    legal_in_contexts,
)
from agents.statistical.predicting.strength_bins import BINS, LEAF, STRENGTH_BINS, strength_bins
from agents.statistical.predicting.trained import (
    MOST_DECISIONS,
    REMEDY,
    TrainedModel,
    check_array,
)
from engine.storage.artifacts import Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ACTION_PRIOR_DECISIONS: Final = 20.0
"""Decisions that the actions of a parent count for in a child."""
_STRENGTH_PRIOR_DECISIONS: Final = 100.0
"""The same of strengths, which have more bins."""


@dataclass(eq=False)
class DecisionTree(TrainedModel):
    """A grown tree of M nodes, each before its children; node 0 is the root."""

    feature: NDArray[np.int32]
    """(M,) which of `FEATURES` a node is split by, LEAF where it is not."""
    threshold: NDArray[np.float32]
    """(M,)"""
    children: NDArray[np.int32]
    """(M, 2) left and right node; zeros of a leaf."""
    counts: NDArray[np.int32]
    """(M, 3, 21) decisions by action and bin of strength, the last for hands that are not known."""
    chances: NDArray[np.float64] = field(init=False)
    """(M, 3) smoothed shares of the actions."""
    given: NDArray[np.float64] = field(init=False)
    """(M, 3, 20) smoothed shares of the strengths that an action was taken with."""

    KIND: ClassVar = Kind("decision tree of actions and strengths", 1, REMEDY)
    ARRAYS: ClassVar = ("feature", "threshold", "children", "counts")
    MADE_FOR: ClassVar = {"features": list(FEATURES)}

    def __post_init__(self) -> None:
        self._check()
        self.chances = self._smoothed(self.counts.sum(axis=2), _ACTION_PRIOR_DECISIONS)
        self.given = self._smoothed(self.counts[:, :, :STRENGTH_BINS], _STRENGTH_PRIOR_DECISIONS)

    def leaves(self, contexts: NDArray[np.float32]) -> NDArray[np.int64]:
        """Return (N,) the leaf that each of (N, F) contexts ends at.

        Raises:
            ValueError: not (N, F) contexts.
        """
        from agents.statistical.predicting.decision_tree_kernels import find_leaves

        check_contexts(contexts)
        leaves = np.empty(len(contexts), np.int64)
        rows = np.ascontiguousarray(contexts)
        find_leaves(rows, self.feature, self.threshold, self.children, leaves)
        return leaves

    def probabilities(self, contexts: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return (N, 3), how likely FOLD, CALL and RAISE are; illegal actions have 0.

        Raises:
            ValueError: not (N, F) contexts.
        """
        return self.probabilities_among(legal_in_contexts(contexts), contexts)

    def probabilities_among(
        self, legal: NDArray[np.bool_], contexts: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        """Return (N, 3) probabilities of the (N, 3) legal ones of actions, as `Network` does.

        Raises:
            ValueError: not (N, F) contexts.
        """
        chances = np.where(legal, self.chances[self.leaves(contexts)], 0)
        shares: NDArray[np.float64] = chances / chances.sum(axis=1, keepdims=True)
        return shares

    def strength_shares(
        self, contexts: NDArray[np.float32], actions: NDArray[np.integer]
    ) -> NDArray[np.float64]:
        """Return (N, 20), how the strength of who took (N,) actions is distributed."""
        shares: NDArray[np.float64] = self.given[self.leaves(contexts), actions]
        return shares

    def action_shares(
        self, contexts: NDArray[np.float32], strengths: NDArray[np.floating]
    ) -> NDArray[np.float64]:
        """Return (N, 3), how likely the actions are of who holds hands of (N,) strengths, 0 to 1.

        Bayes' rule over the two others; illegal actions have 0.
        """
        given = self.given[self.leaves(contexts), :, strength_bins(strengths)]
        joint = given * self.probabilities(contexts)
        shares: NDArray[np.float64] = joint / joint.sum(axis=1, keepdims=True)
        return shares

    def _smoothed(self, counts: NDArray[np.integer], weight: float) -> NDArray[np.float64]:
        """Return shares along the last axis of (M, ...) counts, drawn to those of the parents."""
        shares = np.empty(counts.shape)
        prior = np.full(counts.shape[1:], 1 / counts.shape[-1])
        priors = {0: prior}
        for node, counted in enumerate(counts):
            weighted = counted + weight * priors.pop(node)
            shares[node] = weighted / weighted.sum(axis=-1, keepdims=True)
            if self.feature[node] != LEAF:
                priors.update(dict.fromkeys(self.children[node].tolist(), shares[node]))
        return shares

    def _check(self) -> None:
        nodes = len(self.feature)
        check_array("feature", self.feature, "int32", (max(nodes, 1),))
        check_array("threshold", self.threshold, "float32", (nodes,))
        check_array("children", self.children, "int32", (nodes, 2))
        check_array("counts", self.counts, "int32", (nodes, ACTIONS, BINS))
        if (self.counts < 0).any() or int(self.counts[0].sum(dtype=np.int64)) > MOST_DECISIONS:
            raise ValueError("a count is negative or far too large")
        split = np.flatnonzero(self.feature != LEAF)
        features, children = self.feature[split], self.children[split]
        if not ((features >= 0) & (features < FEATURE_COUNT)).all():
            raise ValueError("a feature is none")
        if not np.isfinite(self.threshold).all():
            raise ValueError("a threshold is not finite")
        below = np.sort(children.reshape(-1))
        if (children <= split[:, np.newaxis]).any() or not np.array_equal(
            below, np.arange(1, nodes)
        ):
            raise ValueError("its nodes are no tree")
