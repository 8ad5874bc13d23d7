"""Ranges: how likely a player is to hold each of the 1326 combos.

weights   (1326,)  any non-negative numbers, one per combo in the order of `engine.hands.cards`
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.hands.cards import CARDS, COMBO_CARDS, COMBOS, card_bits, live_combos


def as_weights(weights: ArrayLike) -> NDArray[np.float64]:
    """Return a copy of some weights as (1326,) float64.

    Raises:
        ValueError: another shape, or a weight that is negative or not finite.
    """
    checked = np.array(weights, np.float64)
    if checked.shape != (COMBOS,):
        raise ValueError(f"a range has {COMBOS} weights, not shape {checked.shape}")
    if not np.isfinite(checked).all() or (checked < 0).any():
        raise ValueError("a range has a weight that is negative or not finite")
    return checked


def without_blocked(weights: ArrayLike, dead: Sequence[int]) -> NDArray[np.float64]:
    """Return weights as (1326,) float64, 0 for every combo that holds one of the dead cards.

    Raises:
        ValueError: bad weights, or a dead card that is none or named twice.
    """
    return np.where(live_combos(card_bits(dead)), as_weights(weights), 0.0)


def normalised(weights: ArrayLike) -> NDArray[np.float64]:
    """Return weights divided by their sum, float64.

    Raises:
        ValueError: bad weights, or all of them are 0.
    """
    checked = as_weights(weights)
    total = checked.sum()
    if not 0 < total < np.inf:
        raise ValueError("an empty range: no combo has a positive weight")
    shares: NDArray[np.float64] = checked / total
    return shares


def floored(weights: ArrayLike, dead: Sequence[int], floor: float) -> NDArray[np.float64]:
    """Return a range of sum 1, float64, of which a share is spread over all combos that can be.

    Args:
        floor: the share, 0 to 1; all of it is spread where no weight is left.

    Raises:
        ValueError: bad weights or cards.
    """
    live = without_blocked(np.ones(COMBOS), dead)
    possible = without_blocked(weights, dead)
    total = possible.sum()
    share = floor if total > 0 else 1.0
    spread: NDArray[np.float64] = (1 - share) * possible / (
        total or 1.0
    ) + share * live / live.sum()
    return spread


def compatible_reach(weights: ArrayLike) -> NDArray[np.float64]:
    """Return (1326,) float64: for each combo, the weight of all combos that share no card with it.

    Computed as the sum of all weights less those that share a card.  So each result is off by up to
    some 1e-15 of that sum, however small it is itself; what should be 0 may come out as that
    little.  Whether anything is left at all is exact for whole weights below 2**53 in all, as those
    of `weights > 0`.

    Raises:
        ValueError: bad weights.
    """
    checked = as_weights(weights)
    # numpy 2.4's add.at reads past the end of weights that it broadcasts; bincount does not.
    by_card = np.bincount(COMBO_CARDS.ravel(), np.repeat(checked, 2), CARDS)
    free: NDArray[np.float64] = checked.sum() - by_card[COMBO_CARDS].sum(axis=1) + checked
    return np.maximum(free, 0.0)


def joint_reach(first: ArrayLike, second: ArrayLike) -> float:
    """Return the sum of first * second over all pairs of combos without a card in common.

    Raises:
        ValueError: bad weights.
    """
    return float(as_weights(first) @ compatible_reach(second))
