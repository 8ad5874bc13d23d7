"""What people read of estimators: their names, which one to quote, and what one saves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.estimates.estimators import AIVAT, ALLIN, RAW, name_in_sets
from engine.estimates.winrate import WinRate

TITLES: Final = {
    "raw": "raw",
    "sets": "duplicate sets",
    "allin": "all-in expectation",
    "allin_sets": "all-in exp. in sets",
    "aivat": "AIVAT",
    "aivat_sets": "AIVAT in sets",
}
"""Tables have their columns in this order."""
_LEAST_LUCK: Final = (AIVAT, ALLIN, RAW)


def prefers_sets(sets: WinRate, hands: WinRate) -> bool:
    """Return whether duplicate sets say more than hands one by one: most hands are in one."""
    return sets.samples > 1 and 2 * sets.hands >= hands.hands


def quoted_name(rates: Mapping[str, WinRate]) -> str:
    """Return the lowest-variance estimator available that covers the hands.

    It is chosen by what was played, never by what came of it, or its interval would be too narrow.
    """
    kind = next(name for name in _LEAST_LUCK if name in rates)
    sets = name_in_sets(kind)
    return sets if sets in rates and prefers_sets(rates[sets], rates[kind]) else kind


def saved_text(factor: float | None) -> str:
    """Return "x1.39" for 1.39 hands of raw to one, "" where nothing is known."""
    if factor is None:
        return ""
    return f"x{factor:,.{2 if factor < 10 else 1 if factor < 100 else 0}f}"
