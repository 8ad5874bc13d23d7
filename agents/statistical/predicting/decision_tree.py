"""A decision tree by information gain: what a player does in a context, and with what hand.

Every leaf holds how many decisions it saw by action and by strength of the hand in 20 equal bins,
as far as the hand is known.  From these come

    probabilities      (N, 3)      of FOLD, CALL and RAISE
    strengths_given    (N, 20)     distribution of the actor's strength, once the action is seen

A split sends decisions with feature <= threshold to the left.  Its gain is the fall of the entropy
of the action, in nats, plus `strength_weight` times that of the bin of strength among known hands.
Source: Quinlan, "Induction of decision trees", Machine Learning 1, 1986; distributions in the
leaves as the patent has them (see `agents.statistical`).  The distributions of a node are drawn to
those of its parent, as if these were some decisions more; those of the root to uniform ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from agents.statistical.counting.situations import ACTIONS
from agents.statistical.predicting.contexts import FEATURE_COUNT, FEATURES
from agents.statistical.predicting.predictor import among_legal, check_contexts
from agents.statistical.predicting.trained import REMEDY, TrainedModel, check_array
from engine.storage.artifacts import Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

STRENGTH_BINS: Final = 20
LEAF: Final = -1
"""Feature of a node that is not split."""
_ACTION_SMOOTHING: Final = 20.0
"""Decisions that a parent's distribution of actions counts for in a child."""
_HAND_SMOOTHING: Final = 100.0
"""The same of strengths, which have more bins."""


def strength_bins(strengths: NDArray[np.floating]) -> NDArray[np.int8]:
    """Return (N,) int8 the bins, 0..19, of strengths within 0..1; -1 for nan."""
    bins = np.full(len(strengths), -1, np.int8)
    known = ~np.isnan(strengths)
    bins[known] = np.clip((strengths[known] * STRENGTH_BINS).astype(int), 0, STRENGTH_BINS - 1)
    return bins


@dataclass(eq=False)
class DecisionTree(TrainedModel):
    """A grown tree of M nodes, a node before its children, node 0 the root."""

    feature: NDArray[np.int32]
    """(M,) which feature a node splits by, `LEAF` for leaves."""
    threshold: NDArray[np.float32]
    """(M,)"""
    children: NDArray[np.int32]
    """(M, 2) left and right node."""
    actions: NDArray[np.int32]
    """(M, 3) decisions that came by, by action."""
    hands: NDArray[np.int32]
    """(M, 3, 20) those with a known hand, by action and bin of strength."""
    chances: NDArray[np.float64] = field(init=False)
    """(M, 3) smoothed shares of the actions."""
    given: NDArray[np.float64] = field(init=False)
    """(M, 3, 20) smoothed distributions of the strength once the action is known."""

    KIND: ClassVar = Kind("decision tree of actions", 1, REMEDY)
    ARRAYS: ClassVar = ("feature", "threshold", "children", "actions", "hands")
    MADE_FOR: ClassVar = {"features": list(FEATURES)}

    def __post_init__(self) -> None:
        """Check that it is a tree, and smooth what its nodes have counted."""
        self._check()
        self.chances = self._smoothed(self.actions, _ACTION_SMOOTHING)
        self.given = self._smoothed(self.hands, _HAND_SMOOTHING)

    def leaves(self, contexts: NDArray[np.float32]) -> NDArray[np.int64]:
        """Return (N,) the leaf that each context comes to.

        Raises:
            ValueError: not (N, F) contexts.
        """
        check_contexts(contexts)
        at = np.zeros(len(contexts), np.int64)
        moving = np.flatnonzero(self.feature[at] != LEAF)
        while len(moving):
            node = at[moving]
            right = contexts[moving, self.feature[node]] > self.threshold[node]
            at[moving] = self.children[node, right.astype(np.int64)]
            moving = moving[self.feature[at[moving]] != LEAF]
        return at

    def probabilities(self, contexts: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return (N, 3) as `agents.statistical.predicting.predictor.Predictor` tells."""
        return among_legal(self.chances[self.leaves(contexts)], contexts)

    def strengths_given(
        self, contexts: NDArray[np.float32], actions: NDArray[np.integer]
    ) -> NDArray[np.float64]:
        """Return (N, 20), how the strength of whoever did (N,) actions is distributed."""
        found: NDArray[np.float64] = self.given[self.leaves(contexts), actions]
        return found

    def _smoothed(self, counts: NDArray[np.integer], weight: float) -> NDArray[np.float64]:
        """Return shares along the last axis of (M, ...) counts, drawn to those of the parents."""
        shares = np.empty(counts.shape)
        prior = np.full(counts.shape[1:], 1 / counts.shape[-1])
        priors = {0: prior}
        for node, seen in enumerate(counts):
            weighted = seen + weight * priors.pop(node, prior)
            shares[node] = weighted / weighted.sum(axis=-1, keepdims=True)
            if self.feature[node] != LEAF:
                priors.update(dict.fromkeys(self.children[node].tolist(), shares[node]))
        return shares

    def _check(self) -> None:
        count = len(self.feature)
        check_array("feature", self.feature, "int32", (count,))
        check_array("threshold", self.threshold, "float32", (count,))
        check_array("children", self.children, "int32", (count, 2))
        check_array("actions", self.actions, "int32", (count, ACTIONS))
        check_array("hands", self.hands, "int32", (count, ACTIONS, STRENGTH_BINS))
        if (self.actions < 0).any() or (self.hands < 0).any():
            raise ValueError("a count is negative")
        split = np.flatnonzero(self.feature != LEAF)
        by, below = self.feature[split], self.children[split]
        if count == 0 or not ((by >= 0) & (by < FEATURE_COUNT)).all():
            raise ValueError("no nodes, or a split by no feature")
        if not ((below > split[:, None]) & (below < count)).all():
            raise ValueError("a child does not come after its node")
