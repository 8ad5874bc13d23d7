"""Phase 2: our own strength against that of the hands which the opponent may hold.

    own > opponent + tolerance      raise
    |own - opponent| <= tolerance   call
    otherwise                       fold, or check where that is free

(The patent, see `agents.statistical`, gives no tolerance.)  The plain rule knows neither pot odds
nor folds of the opponent: `values` does, and may overrule it.  No-limit raises
of the rule grow with the margin, from half a pot at the tolerance to a pot and a quarter.
"""

from __future__ import annotations

from typing import Final

from agents.statistical.counting.situations import CALL, FOLD, RAISE

LEAST_FRACTION: Final = 0.5
MOST_FRACTION: Final = 1.25
POTS_PER_MARGIN: Final = 3.0


def decide_by_strengths(strength: float, opponent: float, tolerance: float) -> int:
    """Return RAISE, CALL or FOLD by the rule of the module."""
    if strength > opponent + tolerance:
        return RAISE
    return CALL if strength >= opponent - tolerance else FOLD


def value_fraction(strength: float, opponent: float, tolerance: float) -> float:
    """Return the size of a raise, a fraction of the pot after calling."""
    beyond = strength - opponent - tolerance
    return min(max(LEAST_FRACTION + POTS_PER_MARGIN * beyond, LEAST_FRACTION), MOST_FRACTION)


def mean_call_value(equity: float, pot: int, to_call: int) -> float:
    """Return the mean chips that a call wins without further betting; a fold wins 0."""
    return equity * (pot + to_call) - to_call
