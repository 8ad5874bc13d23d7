"""What an action says about the hand: how likely each combo is to take it.

The shares of folding, calling and raising cut the opponent's own range: who bets 30 % of the time
on the turn bets the best 30 % of its range there.  Ramps (`thresholds`) soften the cuts, for
players do not always go by strength.  Instead of ramps, strengths of shown hands may be used, or
curves counted from what players did with each tenth of their range.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from agents.statistical.counting.situations import FOLD, RAISE
from agents.statistical.ranges.thresholds import (
    LEAST_WEIGHT_FACTOR,
    Ramp,
    Ramps,
    band_of,
    blurred_ramps,
    sharp_ramps,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.statistical.counting.counters import OpponentCounters
    from agents.statistical.counting.situations import DecisionPoint
    from agents.statistical.predicting.action_chances import Shares
    from agents.statistical.predicting.action_curves import ActionCurves


@dataclass(frozen=True, slots=True)
class ActionInterpretation:
    """A way to interpret actions."""

    mirrored: bool = True
    """Whether a call also lowers the hands that would have raised."""
    blur: float = 1.0
    """Widths of the ramps, see `blurred_ramps`."""
    shown: Callable[[int, int], Ramp | None] | None = None
    """From a cell and an action to the ramp, in strengths, that shown hands give, if any. It
    replaces the ramp by shares of raises, and of calls that might have been folds.
    """
    curves: ActionCurves | None = None
    """Take the place of all other ramps; mirrored and blur are ignored then."""
    absolute: bool = False
    """Whether combos stand on ramps by their strengths, not by their percentiles in the range."""
    sharp: bool = False
    """Whether ramps are as wide as the bands beside them, see `sharp_ramps`; blur is ignored."""
    initial: bool = False
    """Whether of a player's actions before the flop only the strongest says something."""
    by_street: bool = False
    """Whether the first action on a later street starts over with the weights of before the
    flop."""

    def of(self, counters: OpponentCounters) -> Self:
        """Return the interpretation of an opponent with these counters, where that makes a
        difference."""
        return self

    def ramps(
        self, shares: Shares, strengths: NDArray[np.float64], percentiles: NDArray[np.float64]
    ) -> tuple[Ramps, NDArray[np.float64]]:
        """Return the ramps of a player with some shares, and (1326,) where on them combos stand."""
        band = band_of(*shares)
        ramps = sharp_ramps(band) if self.sharp else blurred_ramps(band, self.blur)
        return ramps, strengths if self.absolute else percentiles

    def likelihoods(
        self,
        kind: int,
        shares: Shares,
        situation: DecisionPoint,
        strengths: NDArray[np.float64],
        percentiles: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Return (1326,) how likely each combo takes an action, 0 to 1; only ratios matter.

        Args:
            kind: CALL or RAISE.
            shares: how often the opponent folds, calls and raises there.
            strengths: (1326,) on the board.
            percentiles: (1326,) of the same in its range.
        """
        legal, cell = situation.legal, situation.cell
        if not legal[kind]:
            return np.full(len(strengths), LEAST_WEIGHT_FACTOR)
        if self.shown is not None and (kind == RAISE or legal[FOLD]):
            learnt = self.shown(cell, kind)
            if learnt is not None:
                return learnt.rising(strengths)
        if self.curves is not None:
            likely = self.curves.likelihoods(
                self.curves.row_of(situation), shares, legal, percentiles
            )[kind]
            scaled: NDArray[np.float64] = likely / np.nanmax(likely)
            return scaled
        ramps, places = self.ramps(shares, strengths, percentiles)
        if kind == RAISE:
            return ramps.raising.rising(places)
        factors = np.ones(len(places))
        if legal[FOLD]:
            factors *= ramps.staying.rising(places)
        if self.mirrored and legal[RAISE]:
            factors *= ramps.not_raising.falling(places)
        return factors
