"""Phase 2: our own strength against that of the hands which the opponent may hold.

    own > opponent + tolerance      raise
    |own - opponent| <= tolerance   call
    otherwise                       fold, or check where that is free

(ALGORITHMS 2.6; the patent gives no tolerance.)  Three things are added; the first two can be left
out.  A hand is not folded where its share of the pot against the opponent's weighted hands pays
for the call: the plain rule knows no pot odds.  A hand that the rule does not raise is raised where
the opponent folds so often that this wins more than calling, even if a raise that is called never
won.  And no-limit raises grow with the margin, from half a pot at the tolerance to a pot and a
quarter, because what is to be exploited here seldom looks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from agents.statistical.habits import CALL, FOLD, RAISE
from engine.showdown.equity import matchups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

LEAST_FRACTION: Final = 0.5
BLUFF_FRACTION: Final = 0.75
"""Size of a raise that wants a fold, as the first raise of phase 1 before the flop."""
MOST_FRACTION: Final = 1.25
FRACTION_PER_MARGIN: Final = 3.0
"""Pots that a raise grows by for each unit of strength above the tolerance."""


def compare(own: float, opponent: float, tolerance: float) -> int:
    """Return RAISE, CALL or FOLD by the rule of the module.

    Raises:
        ValueError: a negative tolerance.
    """
    if tolerance < 0:
        raise ValueError(f"a tolerance of {tolerance}: want 0 or more")
    if own > opponent + tolerance:
        return RAISE
    return CALL if own >= opponent - tolerance else FOLD


def value_fraction(own: float, opponent: float, tolerance: float) -> float:
    """Return the size of a raise, a fraction of the pot after calling."""
    beyond = own - opponent - tolerance
    return min(max(LEAST_FRACTION + FRACTION_PER_MARGIN * beyond, LEAST_FRACTION), MOST_FRACTION)


def equity_against(hole: Sequence[int], board: Sequence[int], belief: NDArray[np.float64]) -> float:
    """Return the share of the pot, 0 to 1, of a hand against weighted combos, all boards counted.

    Args:
        hole: two cards.
        board: 0, 3, 4 or 5 cards.
        belief: (1326,) weights of the opponent's combos; those that are blocked do not count.

    Raises:
        ValueError: cards or weights are none, or no combo that can be met has any weight.
    """
    counts = matchups(hole, board)
    possible = counts.win + counts.tie + counts.lose
    met = float(belief @ possible)
    if not met > 0:
        raise ValueError("no combo that the hand can meet has any weight")
    return float(belief @ (counts.win + counts.tie / 2)) / met


def bluff_value(fold_share: float, pot: int, cost: int) -> float:
    """Return what a raise wins, chips on average, if it always loses when it is not folded to."""
    return fold_share * pot - (1 - fold_share) * cost


def call_value(equity: float, pot: int, to_call: int) -> float:
    """Return what a call wins, chips on average, if nobody bets any more; a fold wins 0."""
    return equity * (pot + to_call) - to_call
