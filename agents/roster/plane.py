"""The plane of tightness and aggression: where a way to play lies in it, in words.

Across is the share of hands played, up the share of those played that are raised.
"""

from __future__ import annotations

from typing import Final

TIGHT_WEAK: Final = "tight-weak"
TIGHT_AGGRESSIVE: Final = "tight-aggressive"
LOOSE_WEAK: Final = "loose-weak"
LOOSE_AGGRESSIVE: Final = "loose-aggressive"
EVERYWHERE: Final = "everywhere"

LOOSE_ABOVE: Final = 0.40
"""Share of hands played.  Zhang et al. (see `agents.opponents.laws`): loose plays more than 40 % of
all hands, tight less; exactly 40 % counts as tight.  Bots that play fewer hands the more a bet asks
have their place by what was measured."""
AGGRESSIVE_ABOVE: Final = 0.40
"""Share of raises between weak and aggressive, which no source fixes."""


def quadrant_of(played: float, raised: float) -> str:
    """Return the quadrant of a point of the plane, given by two shares, 0 to 1."""
    quadrants = ((TIGHT_WEAK, TIGHT_AGGRESSIVE), (LOOSE_WEAK, LOOSE_AGGRESSIVE))
    return quadrants[played > LOOSE_ABOVE][raised > AGGRESSIVE_ABOVE]
