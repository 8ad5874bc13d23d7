"""Ranges: how likely a player is to hold each private hand, of 1326 in hold'em.

weights   (H,)  any non-negative numbers, one per hand in the order of `engine.hands.private_hands`
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.hands.cards import CARDS
from engine.hands.private_hands import HOLDEM_HANDS, PrivateHands


def as_weights(weights: ArrayLike, hands: PrivateHands = HOLDEM_HANDS) -> NDArray[np.float64]:
    """Return a copy of some weights as (H,) float64.

    Raises:
        ValueError: another shape, or a weight that is negative or not finite.
    """
    checked = np.array(weights, np.float64)
    if checked.shape != (hands.count,):
        raise ValueError(f"a range has {hands.count} weights, not shape {checked.shape}")
    if not np.isfinite(checked).all() or (checked < 0).any():
        raise ValueError("a range has a weight that is negative or not finite")
    return checked


def without_blocked(
    weights: ArrayLike, dead: Sequence[int], hands: PrivateHands = HOLDEM_HANDS
) -> NDArray[np.float64]:
    """Return weights as (H,) float64, 0 for every hand that holds one of the dead cards.

    Raises:
        ValueError: bad weights, or a dead card that is none or named twice.
    """
    return np.where(hands.live(dead), as_weights(weights, hands), 0.0)


def normalised(weights: ArrayLike, hands: PrivateHands = HOLDEM_HANDS) -> NDArray[np.float64]:
    """Return weights divided by their sum, float64.

    Raises:
        ValueError: bad weights, or all of them are 0.
    """
    checked = as_weights(weights, hands)
    total = checked.sum()
    if not 0 < total < np.inf:
        raise ValueError("an empty range: no hand has a positive weight")
    shares: NDArray[np.float64] = checked / total
    return shares


def floored(weights: ArrayLike, dead: Sequence[int], floor: float) -> NDArray[np.float64]:
    """Return a range of sum 1, float64, of which a share is spread over all combos that can be.

    Args:
        floor: the share, 0 to 1; all of it is spread where no weight is left.

    Raises:
        ValueError: bad weights or cards.
    """
    live = without_blocked(np.ones(HOLDEM_HANDS.count), dead)
    possible = without_blocked(weights, dead)
    total = possible.sum()
    share = floor if total > 0 else 1.0
    spread: NDArray[np.float64] = (1 - share) * possible / (
        total or 1.0
    ) + share * live / live.sum()
    return spread


def compatible_reach(weights: ArrayLike, hands: PrivateHands = HOLDEM_HANDS) -> NDArray[np.float64]:
    """Return (H,) float64: for each hand, the weight of all hands that share no card with it.

    Computed as the sum of all weights less those that share a card.  So each result is off by up to
    some 1e-15 of that sum, however small it is itself; what should be 0 may come out as that
    little.  Whether anything is left at all is exact for whole weights below 2**53 in all, as those
    of `weights > 0`.

    Raises:
        ValueError: bad weights.
    """
    checked = as_weights(weights, hands)
    # numpy 2.4's add.at reads past the end of weights that it broadcasts; bincount does not.
    by_card = np.bincount(hands.cards.ravel(), np.repeat(checked, 2), CARDS)
    free: NDArray[np.float64] = checked.sum() - by_card[hands.cards].sum(axis=1) + checked
    return np.maximum(free, 0.0)


def joint_reach(first: ArrayLike, second: ArrayLike) -> float:
    """Return the sum of first * second over all pairs of combos without a card in common.

    Raises:
        ValueError: bad weights.
    """
    return float(as_weights(first) @ compatible_reach(second))
