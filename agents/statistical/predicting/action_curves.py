"""How likely players are to fold, call and raise with each part of what they may hold.

A ramp has one slope and expresses neither bluffs nor slow-played hands.  Curves are counted:

    counts  (12, 3, 10) int64  decisions by cell and action, as those of the counters, and by the
                               tenth of the own range that the hand was in, weakest first

Neighbouring tenths count half, and a few decisions as in the whole cell are added.  For a player
who folds or raises more than those counted, the odds of all hands change by the same factor:

    likelihood(action, x)  ~  curve(action, x) * share of the player / share of those
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from agents.statistical.counting.situations import ACTIONS, CELLS
from agents.statistical.predicting.trained import REMEDY, TrainedModel, check_counts
from engine.storage.artifacts import Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.statistical.counting.situations import DecisionPoint

TENTHS: Final = 10
_MIDDLES: Final = (np.arange(TENTHS) + 0.5) / TENTHS
_LEAST_CHANCE: Final = 0.001
_CELL_PRIOR_DECISIONS: Final = 8.0
_ACTION_PRIOR_DECISIONS: Final = 2.0


@dataclass(eq=False)
class ActionCurves(TrainedModel):
    """What players did with each tenth of their range."""

    counts: NDArray[np.int64]
    """(12, 3, 10) see the module."""
    curves: NDArray[np.float64] = field(init=False)
    """(12, 3, 10) how likely each action is; sums over actions are 1."""

    KIND: ClassVar = Kind("curves of actions", 1, REMEDY)
    ARRAYS: ClassVar = ("counts",)
    ROWS: ClassVar = CELLS

    def __post_init__(self) -> None:
        check_counts(self.counts, (CELLS, ACTIONS, TENTHS))
        self.curves = smoothed(self.counts)
        self.curves.flags.writeable = False

    @staticmethod
    def row_of(situation: DecisionPoint) -> int:
        """Return the row of `curves` that a decision is counted in."""
        return situation.cell

    def likelihoods(
        self,
        row: int,
        shares: Sequence[float],
        legal: Sequence[bool],
        places: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Return the likelihood of each action for hands of the player's range.

        Args:
            shares: how often the player folds, calls and raises there, over all hands.
            legal: which of the three may be done.
            places: (N,) percentiles of the hands in the player's range, 0 weakest to 1.

        Returns:
            (3, N) float64; each hand's sum is 1, nan where its place is.
        """
        may = np.array(legal, np.float64)
        curves = self.curves[row]
        usual = curves.mean(axis=1) * may
        usual = np.maximum(usual / usual.sum(), _LEAST_CHANCE)
        ratios = np.maximum(np.array(shares), _LEAST_CHANCE) / usual * may
        densities = np.stack([np.interp(places, _MIDDLES, curve) for curve in curves])
        densities *= ratios[:, np.newaxis]
        likely: NDArray[np.float64] = densities / densities.sum(axis=0)
        return likely


def tenth_of(percentile: float) -> int:
    """Return 0 to 9, the tenth that a place in the own range, 0 to 1, is in."""
    return min(int(percentile * TENTHS), TENTHS - 1)


def smoothed(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return (12, 3, 10) how likely each action is; sums over actions are 1."""
    usual = counts.sum(axis=2) + _ACTION_PRIOR_DECISIONS
    usual /= usual.sum(axis=1, keepdims=True)
    blurred = counts + _CELL_PRIOR_DECISIONS * usual[:, :, np.newaxis]
    blurred[:, :, 1:] += counts[:, :, :-1] / 2
    blurred[:, :, :-1] += counts[:, :, 1:] / 2
    curves = np.maximum(blurred / blurred.sum(axis=1, keepdims=True), _LEAST_CHANCE)
    shares: NDArray[np.float64] = curves / curves.sum(axis=1, keepdims=True)
    return shares
