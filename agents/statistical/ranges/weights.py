"""What an opponent may hold: one weight for every combo, changed after each of its actions.

    weights    (1326,) float64   0.01 to 1, never 0 while the combo is possible: whoever seemed to
                                 be out of the question may still be there; 0 for dead combos
    strengths  (1326,) float64   as of `strength`, nan where the board blocks

After an action whose likelihood grows with strength as a ramp of mean u and error v tells,

    factor = min(1, max(0.01, (strength - u + v) / 2v)),    weight = max(0.01, weight factor)

and for a call, which the strongest hands would not have made, the mirrored ramp beside it,

    factor = min(1, max(0.01, (u + v - strength) / 2v)).

Strengths stand on one of two scales: as they are, or as percentiles among what the opponent may
still hold (`percentiles`), so that "raises with the best 30 %" means 30 % of its own hands.
Sources: Papp, "Dealing with imperfect information in poker", MSc thesis, University of Alberta
1998, 7.2; Billings, Papp, Schaeffer, Szafron, "Opponent modeling in poker", AAAI 1998.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from engine.hands.cards import COMBOS, card_bits, live_combos

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from agents.statistical.ranges.thresholds import Ramp

LEAST_WEIGHT: Final = 0.01


def ramp_factors(strengths: NDArray[np.float64], ramp: Ramp) -> NDArray[np.float64]:
    """Return (N,) the factors, 0.01 to 1, that an action gives hands of some strengths.

    Raises:
        ValueError: the ramp's error is not above 0.
    """
    _check(ramp)
    rising = (strengths - ramp.mean + ramp.error) / (2 * ramp.error)
    return np.minimum(1.0, np.maximum(LEAST_WEIGHT, rising))


def mirrored_factors(strengths: NDArray[np.float64], ramp: Ramp) -> NDArray[np.float64]:
    """Return (N,) the factors of an action that becomes less likely with strength.

    Raises:
        ValueError: the ramp's error is not above 0.
    """
    _check(ramp)
    falling = (ramp.mean + ramp.error - strengths) / (2 * ramp.error)
    return np.minimum(1.0, np.maximum(LEAST_WEIGHT, falling))


def action_factors(
    strengths: NDArray[np.float64], rising: Ramp | None, falling: Ramp | None = None
) -> NDArray[np.float64]:
    """Return (N,) the factors that an action gives hands of some strengths.

    Args:
        strengths: (N,) on the scale of the ramps.
        rising: how likely the action becomes with strength; None: equally likely for all.
        falling: how likely it becomes with weakness, likewise.

    Raises:
        ValueError: a ramp's error is not above 0.
    """
    factors = np.ones(len(strengths))
    if rising is not None:
        factors = factors * ramp_factors(strengths, rising)
    if falling is not None:
        factors = factors * mirrored_factors(strengths, falling)
    return factors


class HandWeights:
    """The weights of one opponent's combos in one hand.

    Attributes:
        live: (1326,) bool, the combos that no known card blocks.
    """

    def __init__(self, dead: Iterable[int] = ()) -> None:
        """Start with every combo equally likely but those that hold a dead card.

        Raises:
            ValueError: a card is none or named twice.
        """
        self._dead = card_bits(dead)
        self.live: NDArray[np.bool_] = live_combos(self._dead)
        self._weights: NDArray[np.float64] = np.where(self.live, 1.0, 0.0)

    @property
    def weights(self) -> NDArray[np.float64]:
        """(1326,) the weights, a copy."""
        return self._weights.copy()

    @property
    def possible(self) -> int:
        """How many combos no known card blocks."""
        return int(np.count_nonzero(self.live))

    def remove(self, cards: Iterable[int]) -> None:
        """Take out the combos that hold one of some cards; cards taken out before may come again.

        Raises:
            ValueError: a card is none or named twice.
        """
        self._dead |= card_bits(cards)
        self.live = live_combos(self._dead)
        self._weights[~self.live] = 0.0

    def multiply(self, factors: NDArray[np.float64]) -> None:
        """Change the weights after an action.

        Args:
            factors: (1326,) how likely each combo takes it, 0 to 1; only those of live combos are
                looked at.

        Raises:
            ValueError: not (1326,) factors, or one of a live combo is not within 0..1.
        """
        if factors.shape != (COMBOS,):
            raise ValueError(f"factors: want ({COMBOS},), got {factors.shape}")
        live = self.live
        found = factors[live]
        if not ((found >= 0) & (found <= 1)).all():
            raise ValueError("a factor is not within 0..1")
        self._weights[live] = np.maximum(LEAST_WEIGHT, self._weights[live] * found)

    def percentiles(self, strengths: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (1326,) the weighted share of weaker combos plus half of the equal ones.

        Combos that are not live have nan.

        Raises:
            ValueError: not (1326,) strengths, or one of a live combo is unknown.
        """
        self._check_strengths(strengths)
        found, weights = strengths[self.live], self._weights[self.live]
        different, which = np.unique(found, return_inverse=True)
        mass = np.bincount(which, weights, len(different))
        upto = np.cumsum(mass)
        shares = np.full(COMBOS, np.nan)
        shares[self.live] = ((upto - mass / 2) / upto[-1])[which]
        return shares

    def mean_strength(self, strengths: NDArray[np.float64]) -> float:
        """Return the mean of (1326,) strengths by weight.

        Raises:
            ValueError: not (1326,) strengths, one of a live combo is unknown, or no combo is live.
        """
        self._check_strengths(strengths)
        weights = self._weights[self.live]
        if not len(weights):
            raise ValueError("no combo is left")
        return float(weights @ strengths[self.live] / weights.sum())

    def belief(self) -> NDArray[np.float64]:
        """Return (1326,) the weights scaled to a sum of 1: how likely each combo is.

        Raises:
            ValueError: no combo is live.
        """
        total = self._weights.sum()
        if not total > 0:
            raise ValueError("no combo is left")
        shares: NDArray[np.float64] = self._weights / total
        return shares

    def _check_strengths(self, strengths: NDArray[np.float64]) -> None:
        if strengths.shape != (COMBOS,):
            raise ValueError(f"strengths: want ({COMBOS},), got {strengths.shape}")
        if np.isnan(strengths[self.live]).any():
            raise ValueError("the strength of a live combo is unknown: remove the board's cards")


def _check(ramp: Ramp) -> None:
    if not ramp.error > 0:
        raise ValueError(f"a ramp of error {ramp.error}: want more than 0")
