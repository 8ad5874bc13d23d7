"""How likely is each action of the opponent, given the situation: one question, several answers.

Whatever answers it decides how weights change (`agents.statistical.ranges.range_reader`): the generic
2:5:3, the opponent's own counters, or a trained predictor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from agents.statistical.ranges.thresholds import GENERIC_SHARES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents.statistical.counting.counters import OpponentCounters
    from agents.statistical.predicting.contexts import HandReader
    from agents.statistical.predicting.predictor import Predictor

Shares = tuple[float, float, float]
"""Fold, call, raise; they sum to 1."""


class OpponentSpot(NamedTuple):
    """A situation in which the opponent is to act, or acted."""

    button: bool
    """Whether the opponent has the button."""
    cell: int
    """Of the counters."""
    legal: tuple[bool, bool, bool]
    """Fold, call, raise; a call always is."""
    board: Sequence[int]
    """The cards of the streets reached."""
    hand: HandReader
    """The betting up to here; it goes on afterwards, so ask at once."""
    size: int = 0
    """Of the bet that it has to answer, see `agents.statistical.counting.counters`."""


class ActionChances(Protocol):
    """Says how likely the opponent is to fold, call and raise, before it is known what it holds."""

    def shares(self, spot: OpponentSpot) -> Shares:
        """Return the three shares; illegal actions have 0."""


class GenericChances:
    """The same 2:5:3 for everybody, among the legal actions."""

    def shares(self, spot: OpponentSpot) -> Shares:
        """Return the three shares."""
        fold, call, raise_ = (
            share * may for share, may in zip(GENERIC_SHARES, spot.legal, strict=True)
        )
        total = fold + call + raise_
        return fold / total, call / total, raise_ / total


class CountedChances:
    """What the opponent has done so far in the same cell and position."""

    def __init__(self, counters: OpponentCounters) -> None:
        self._counters = counters

    def shares(self, spot: OpponentSpot) -> Shares:
        """Return the three shares; the generic ones where nothing was counted."""
        return self._counters.shares(spot.button, spot.cell, spot.legal, spot.size)


class PredictedChances:
    """What a trained predictor says of the betting, the board and the opponent's counters."""

    def __init__(self, predictor: Predictor, counters: OpponentCounters) -> None:
        self._predictor = predictor
        self._counters = counters

    def shares(self, spot: OpponentSpot) -> Shares:
        """Return the three shares."""
        context = spot.hand.context(spot.board, self._counters.habits)
        fold, call, raise_ = self._predictor.probabilities(context[np.newaxis])[0].tolist()
        return fold, call, raise_
