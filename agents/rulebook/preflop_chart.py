"""How good two hole cards are before the flop.

Score: Bill Chen's formula, `engine.hands.starting_hands.chen_points`.

`top_fraction` turns the score into the share of all hands that are at least as good: 0.01 means
"among the best 1 % of hands".
"""

from typing import Final

from engine.hands.starting_hands import chen_points

OPEN_SHARE: Final = (0.40, 0.80, 0.45, 0.30, 0.23, 0.18, 0.15, 0.13, 0.12, 0.11)
"""Share of hands to raise with when nobody has raised, by the number of players who act
afterwards before the street can end; 0 is the big blind, for whom checking is free."""


def _score(hole: tuple[int, ...]) -> float:
    low, high = sorted(card >> 2 for card in hole)
    return chen_points(high, low, hole[0] & 3 == hole[1] & 3)


def _shares() -> dict[float, float]:
    """Return the share of the 1326 hands that score at least s, for each score s."""
    counts: dict[float, int] = {}
    for first in range(52):
        for second in range(first):
            score = _score((first, second))
            counts[score] = counts.get(score, 0) + 1
    shares: dict[float, float] = {}
    better = 0
    for score in sorted(counts, reverse=True):
        better += counts[score]
        shares[score] = better / 1326
    return shares


_SHARES: Final = _shares()


def top_fraction(hole: tuple[int, ...]) -> float:
    """Return the share of all hands that score at least as well as `hole`, in (0, 1]."""
    return _SHARES[_score(hole)]
