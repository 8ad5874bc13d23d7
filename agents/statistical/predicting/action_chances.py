"""Probabilities of the opponent's next action in a situation, from several predictors.

They decide how weights change (`ranges.opponent_range`).  The predictors are the generic 2:5:3, the
opponent's own counters (`counting.counters`), a trained network or tree, and the patent's counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

import numpy as np

from agents.statistical.counting.habits import GENERIC_SHARES, habits_of_cell
from agents.statistical.counting.situations import RAISES_TOLD_APART
from agents.statistical.predicting.contexts import context_of

if TYPE_CHECKING:
    from agents.statistical.counting.counters import OpponentCounters
    from agents.statistical.counting.situations import DecisionPoint
    from agents.statistical.predicting.model_files import Predictor

Shares = tuple[float, float, float]
"""Fold, call, raise; they sum to 1."""


class ActionChances(Protocol):
    """Says how likely the opponent is to fold, call and raise, before it is known what it holds."""

    def shares(self, situation: DecisionPoint) -> Shares:
        """Return the three shares; illegal actions have 0."""


class GenericChances:
    """The same 2:5:3 for everybody, among the legal actions."""

    def shares(self, situation: DecisionPoint) -> Shares:
        """Return the three shares."""
        fold, call, raise_ = (
            share * may for share, may in zip(GENERIC_SHARES, situation.legal, strict=True)
        )
        total = fold + call + raise_
        return fold / total, call / total, raise_ / total


class PatentChances:
    """The patent's frequencies, as far as it is asked for them: generic at first, then counted."""

    def __init__(
        self,
        counters: OpponentCounters,
        otherwise: ActionChances,
        *,
        plain: bool,
        initial: bool,
        generic: Callable[[], bool],
    ) -> None:
        """Set up the predictor.

        Args:
        otherwise: predicts where the patent's counts do not.
        plain: whether the 36 counters are taken as they are, not shrunk to others.
        initial: whether all decisions before the flop count together.
        generic: returns whether the generic shares still apply to everybody.
        """
        self._counters = counters
        self._otherwise = otherwise
        self._plain, self._initial, self._generic = plain, initial, generic
        self._alike = GenericChances()

    def shares(self, situation: DecisionPoint) -> Shares:
        """Return the three shares."""
        if self._generic():
            return self._alike.shares(situation)
        counts = self._counters.counts.sum(axis=0)
        cell = situation.cell
        if self._initial and cell < RAISES_TOLD_APART:
            cell_counts = counts[:RAISES_TOLD_APART].sum(axis=0)
        elif self._plain:
            cell_counts = counts[cell]
        else:
            return self._otherwise.shares(situation)
        cell_counts = cell_counts * np.array(situation.legal)
        if not cell_counts.any():
            return self._alike.shares(situation)
        fold, call, raise_ = (cell_counts / cell_counts.sum()).tolist()
        return fold, call, raise_


class PredictedChances:
    """What a trained model says of the betting, the board and the opponent's counters."""

    def __init__(self, model: Predictor, counters: OpponentCounters) -> None:
        self._model = model
        self._counters = counters

    def shares(self, situation: DecisionPoint) -> Shares:
        """Return the three shares."""
        habits = habits_of_cell(self._counters.counts.sum(axis=0), situation.cell)
        context = context_of(situation, habits)
        fold, call, raise_ = self._model.probabilities(context[np.newaxis])[0].tolist()
        return fold, call, raise_
