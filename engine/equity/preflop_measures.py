"""How good a starting hand is before the flop, by three measures.

    equity     share of the pot against a random hand, all boards counted
    sklansky   group 1, the best, to 8; 9 is the rest
    chen       points, 20 for aces down to -1

The last two are charts of `engine.hands.starting_hands`, made for full tables; heads-up they order
hands poorly.  A percentile makes the three comparable: the share of combos that are worse, plus
half of those that are as good.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.equity.preflop import equities_against_random
from engine.hands.cards import COMBOS
from engine.hands.starting_hands import CHEN_POINTS, COMBO_STARTING_HAND, SKLANSKY_GROUPS

if TYPE_CHECKING:
    from numpy.typing import NDArray

EQUITY: Final = "equity"
SKLANSKY: Final = "sklansky"
CHEN: Final = "chen"
MEASURES: Final = (EQUITY, SKLANSKY, CHEN)


def check_measure(measure: str) -> str:
    """Return a measure.  Raises ValueError for an unknown name."""
    if measure not in MEASURES:
        raise ValueError(f"preflop {measure!r}: want {', '.join(MEASURES)}")
    return measure


def preflop_values(measure: str) -> NDArray[np.float64]:
    """Return (169,) what each starting hand is worth, in the measure's own unit.

    Raises:
        ValueError: there is no such measure.
        ArtifactMismatch: the shipped counts of all matchups are missing or damaged.
    """
    if check_measure(measure) == EQUITY:
        return equities_against_random()
    return (SKLANSKY_GROUPS if measure == SKLANSKY else CHEN_POINTS).astype(np.float64)


@cache
def preflop_percentiles(measure: str = EQUITY) -> NDArray[np.float64]:
    """Return (1326,) the percentile of each combo, above 0 and below 1, read-only.

    Raises:
        ValueError: there is no such measure.
        ArtifactMismatch: the shipped counts of all matchups are missing or damaged.
    """
    values = preflop_values(measure)[COMBO_STARTING_HAND]
    if measure == SKLANSKY:
        values = -values
    order = np.sort(values)
    below = np.searchsorted(order, values, "left")
    upto = np.searchsorted(order, values, "right")
    percentiles: NDArray[np.float64] = (below + upto) / (2 * COMBOS)
    percentiles.flags.writeable = False
    return percentiles
