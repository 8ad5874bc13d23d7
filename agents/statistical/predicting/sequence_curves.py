"""How likely each part of a range is to act as it did, by the whole sequence of actions.

The curves of `action_curves` know the street and the raises faced.  These know what the player did
before in the hand, too: with each tenth of the range

    counts  (144, 3, 10) int64  decisions by row and action, and by the tenth of the own range

A row is (street before, this street, cell): what the player did on the street before and so far on
this one (nothing, calls or checks, raises; on this street also both), and the cell of the counters.
The likelihoods of a sequence's actions multiply to that of the sequence: this is the patent's
second way to change weights, by the sequences of actions of each range of strength.

Rows are sparse, so the curve of the cell counts as some decisions more in each of its rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from agents.statistical.counting.situations import ACTIONS, CELLS, RAISES_TOLD_APART
from agents.statistical.predicting.action_curves import TENTHS, ActionCurves, smoothed
from agents.statistical.predicting.trained import REMEDY, check_counts
from engine.storage.artifacts import Kind

if TYPE_CHECKING:
    from agents.statistical.counting.situations import DecisionPoint

_BEFORE: Final = 3
_HERE: Final = 4
_CELL_CURVE_DECISIONS: Final = 8.0
"""Decisions of a tenth that the curve of the cell counts for in a row."""


@dataclass(eq=False)
class SequenceCurves(ActionCurves):
    """What players did with each tenth of their range, by their actions before."""

    KIND: ClassVar = Kind("curves of sequences", 1, REMEDY)
    ROWS: ClassVar = _BEFORE * _HERE * CELLS

    def __post_init__(self) -> None:
        check_counts(self.counts, (self.ROWS, ACTIONS, TENTHS))
        by_cell = smoothed(self.counts.reshape(-1, CELLS, ACTIONS, TENTHS).sum(axis=0))
        blurred = self.counts.astype(np.float64)
        blurred[:, :, 1:] += self.counts[:, :, :-1] / 2
        blurred[:, :, :-1] += self.counts[:, :, 1:] / 2
        blurred += _CELL_CURVE_DECISIONS * np.tile(by_cell, (_BEFORE * _HERE, 1, 1))
        self.curves = blurred / blurred.sum(axis=1, keepdims=True)
        self.curves.flags.writeable = False

    @staticmethod
    def row_of(situation: DecisionPoint) -> int:
        """Return the row of a decision, from the actor's actions in the hand so far."""
        actor, street = situation.state.actor, situation.cell // RAISES_TOLD_APART
        called, raised = [0, 0], [0, 0]  # on the street before, and on this one
        for past in situation.state.history:
            here = int(past.state.street == street)
            if past.state.actor == actor and past.state.street >= street - 1:
                raised[here] |= past.action.kind == "r"
                called[here] |= past.action.kind == "c"
        before = 2 if raised[0] else called[0]
        return (before * _HERE + called[1] + 2 * raised[1]) * CELLS + situation.cell
