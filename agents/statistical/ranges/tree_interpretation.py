"""What an action says about the hand by a decision tree: the strengths in the leaf it comes to.

The leaf has the distribution of strengths once the action is known; Bayes' rule over the three
actions turns it into how likely each strength is to act so:

    likelihood(action, s)  =  given(action, s) share(action) / sum over actions of the same
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self

import numpy as np

from agents.statistical.counting.counters import OpponentCounters
from agents.statistical.counting.habits import habits_of_cell
from agents.statistical.predicting.contexts import context_of
from agents.statistical.predicting.strength_bins import strength_bins
from agents.statistical.ranges.interpretation import ActionInterpretation
from agents.statistical.ranges.thresholds import LEAST_WEIGHT_FACTOR

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.statistical.counting.situations import DecisionPoint
    from agents.statistical.predicting.action_chances import Shares
    from agents.statistical.predicting.decision_tree import DecisionTree


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeInterpretation(ActionInterpretation):
    """A tree tells how likely each strength is to act so; there are no ramps."""

    tree: DecisionTree
    counters: OpponentCounters = field(default_factory=OpponentCounters)
    """Of the opponent, a part of the context that the tree goes by."""

    def of(self, counters: OpponentCounters) -> Self:
        """Return the interpretation of the opponent with these counters."""
        return replace(self, counters=counters)

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
            return np.full(len(strengths), LEAST_WEIGHT_FACTOR)
        habits = habits_of_cell(self.counters.counts.sum(axis=0), situation.cell)
        (leaf,) = self.tree.leaves(context_of(situation, habits)[np.newaxis])
        joint = self.tree.given[leaf] * np.array(shares)[:, np.newaxis]
        likely = joint[kind] / joint.sum(axis=0)
        by_bin = np.append(likely / likely.max(), np.nan)
        factors: NDArray[np.float64] = by_bin[strength_bins(strengths)]
        return factors
