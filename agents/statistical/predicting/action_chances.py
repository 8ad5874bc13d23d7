"""How likely is each action of the opponent, given the situation: one question, several answers.

Whatever answers it decides how weights change (`ranges.opponent_range`): the generic
2:5:3, the opponent's own counters (`counting.counters`), or a trained predictor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from agents.statistical.counting.habits import GENERIC_SHARES, habits_of
from agents.statistical.predicting.contexts import context_of

if TYPE_CHECKING:
    from agents.statistical.counting.counters import OpponentCounters
    from agents.statistical.counting.situations import DecisionPoint
    from agents.statistical.predicting.predictor import Predictor

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


class PredictedChances:
    """What a trained predictor says of the betting, the board and the opponent's counters."""

    def __init__(self, predictor: Predictor, counters: OpponentCounters) -> None:
        self._predictor = predictor
        self._counters = counters

    def shares(self, situation: DecisionPoint) -> Shares:
        """Return the three shares."""
        habits = habits_of(self._counters.counts.sum(axis=0), situation.cell)
        context = context_of(situation, habits)
        fold, call, raise_ = self._predictor.probabilities(context[np.newaxis])[0].tolist()
        return fold, call, raise_
