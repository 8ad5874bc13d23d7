"""Two players compared on the same deals against the same opponents.

A sample is a deal: what the first won of each opponent less what the second won, mean over the
opponents.  Luck of the deals that both share cancels, so the interval is that of the difference,
which two separate intervals do not tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from engine.estimates.betting import betting_p_value
from engine.estimates.winrate import WinRate, win_rate

if TYPE_CHECKING:
    from numpy.typing import NDArray


def paired_difference(
    first: Sequence[NDArray[np.float64]],
    second: Sequence[NDArray[np.float64]],
    big_blind: int,
    hands_per_deal: int,
    bounds: tuple[float, float] | None = None,
) -> WinRate:
    """Return what the first of two players wins more than the second, mbb/h.

    Deals that one of them has not played against every opponent are left out.

    Args:
        first: for each of O opponents, (D,) chips per hand that the first won in each deal, nan
            where it was not played.
        second: the same of the second, with the opponents in the same order.
        big_blind: chips.
        hands_per_deal: that each of the two plays against one opponent.
        bounds: the most chips that a hand can cost and bring a player; None: not known.

    Raises:
        ValueError: there is no opponent, or not as many for both.
    """
    if not first or len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} opponents: want the same, at least one")
    gains = np.mean(np.subtract(first, second), axis=0)
    samples = gains[~np.isnan(gains)]
    rate = win_rate(samples, big_blind, hands_per_sample=2 * len(first) * hands_per_deal)
    if bounds is None:
        return rate
    most = sum(bounds)  # one loses all that a hand can cost, the other wins all it can bring
    p = betting_p_value(samples, most, most)
    return replace(rate, most_lost=most * 1000 / big_blind, p_value=p)
