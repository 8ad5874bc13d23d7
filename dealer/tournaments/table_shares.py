"""What bots won from each other at tables of any number.

At a table of P, what a bot won from another is (P - 1) / P of the difference between their
results. The mean over its opponents at the table is then what it won there, and at a table of two
what it won from the other is just that. So rankings of pairs rank the bots of larger tables too.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dealer.results.played_hands import PlayedHands

Pair = tuple[int, int]


def shares_of_pairs(
    tables: Mapping[tuple[int, ...], PlayedHands], name: str
) -> dict[Pair, list[NDArray[np.float64]]]:
    """Return what the first of each two bots won from the other, of those with a complete deal.

    Args:
        tables: bots at a table, ascending -> what they played there.
        name: of the estimator.

    Returns:
        (one, other) -> for each table with both, (D,) chips per hand in each deal, nan where a
        seating is missing.
    """
    found: dict[Pair, list[NDArray[np.float64]]] = {}
    for bots, hands in tables.items():
        if not hands.sets:
            continue
        if len(bots) == 2:
            found[bots[0], bots[1]] = [hands.set_means(name, 0)]
            continue
        won = [hands.set_means(name, place) for place in range(len(bots))]
        part = (len(bots) - 1) / len(bots)
        for one, other in combinations(range(len(bots)), 2):
            shares = found.setdefault((bots[one], bots[other]), [])
            shares.append(part * (won[one] - won[other]))
    return found
