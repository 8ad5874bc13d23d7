"""What an action says about the hand by a decision tree: by the strengths that its leaf recorded.

The leaf of a decision holds how often each action was taken and with what strength, in 20 equal
bins.  By Bayes' rule the chance that a hand of strength bin b takes action a there is

    P(a | b) = P(b | a) P(a) / sum over a' of P(b | a') P(a')

which is the patent's distribution over actions of a hand of known strength (see
`agents.statistical`), such as {0.2, 0.6, 0.2} at a strength of 0.6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from agents.statistical.counting.habits import habits_of
from agents.statistical.predicting.contexts import context_of
from agents.statistical.predicting.decision_tree import strength_bins
from agents.statistical.ranges.interpretation import ActionInterpretation
from agents.statistical.ranges.thresholds import LEAST_WEIGHT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.statistical.counting.counters import OpponentCounters
    from agents.statistical.counting.situations import DecisionPoint
    from agents.statistical.predicting.action_chances import Shares
    from agents.statistical.predicting.decision_tree import DecisionTree


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeInterpretation(ActionInterpretation):
    """A tree tells how likely each strength takes an action; no ramps."""

    tree: DecisionTree
    counters: OpponentCounters
    """Of the opponent: they are part of what the tree goes by."""

    def likelihoods(
        self,
        kind: int,
        shares: Shares,
        situation: DecisionPoint,
        strengths: NDArray[np.float64],
        percentiles: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Return (1326,) as `ActionInterpretation.likelihoods` does."""
        if not situation.legal[kind]:
            return np.full(len(strengths), LEAST_WEIGHT)
        habits = habits_of(self.counters.counts.sum(axis=0), situation.cell)
        leaf = self.tree.leaves(context_of(situation, habits)[np.newaxis])[0]
        joint = self.tree.given[leaf] * np.array(shares)[:, np.newaxis]
        chances = joint[kind] / joint.sum(axis=0)
        bins = strength_bins(strengths)
        found: NDArray[np.float64] = np.where(bins >= 0, chances[bins] / chances.max(), np.nan)
        return found
