"""How a win rate and its interval came about, hand by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.estimates.winrate import WinRate, win_rate_from_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class RateCurve:
    """K points of a match, the last one at its end."""

    hands: NDArray[np.int64]
    """(K,) hands up to there, ascending."""
    chips: NDArray[np.float64]
    """(K,) chips won in them."""
    rates: tuple[WinRate, ...]
    """K win rates over them, each hand a sample."""


def rate_curve(chips: NDArray[np.float64], big_blind: int, points: int) -> RateCurve:
    """Return the win rate after more and more of some hands.

    Args:
        chips: (H,) chips won hand by hand.
        big_blind: chips.
        points: at most so many, evenly apart.

    Raises:
        ValueError: `points` or `big_blind` is not positive.
    """
    if points < 1:
        raise ValueError(f"{points} points: want 1 or more")
    hands = np.unique(np.ceil(len(chips) * np.arange(1, points + 1) / points).astype(np.int64))
    hands = hands[hands > 0]
    totals = np.cumsum(chips)[hands - 1]
    squares = np.cumsum(np.square(chips))[hands - 1]
    rates = (
        win_rate_from_sums(int(count), float(total), float(square), big_blind)
        for count, total, square in zip(hands, totals, squares, strict=True)
    )
    return RateCurve(hands, totals, tuple(rates))
