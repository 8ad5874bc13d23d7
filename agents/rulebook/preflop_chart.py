"""How good two hole cards are before the flop.

Score: Bill Chen's formula (Lou Krieger, "Hold'em Excellence", 1995).  The higher card counts 10
for an ace, 8, 7 and 6 for king, queen and jack, half its number for the others; a pair counts
twice that, at least 5; two suited cards earn 2; one, two, three, or more missing ranks between the
cards cost 1, 2, 4 or 5; cards that touch or leave out one rank, both below a queen, earn 1.
Halves are kept here (the formula rounds them up): they break ties.

`top_fraction` turns the score into the share of all hands that are at least as good: 0.01 means
"among the best 1 % of hands".
"""

from typing import Final

_HIGH_CARD: Final = (1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 10.0)
"""By rank, deuce first."""
_GAP_COST: Final = (0.0, 1.0, 2.0, 4.0, 5.0)
"""By missing ranks between the two cards; the last entry is for four and more."""
_QUEEN: Final = 10

OPEN_SHARE: Final = (0.40, 0.80, 0.45, 0.30, 0.23, 0.18, 0.15, 0.13, 0.12, 0.11)
"""Share of hands to raise with when nobody has raised, by the number of players who act
afterwards before the street can end; 0 is the big blind, for whom checking is free."""


def chen_score(hole: tuple[int, ...]) -> float:
    """Return the score of two hole cards, -1.5 (seven-deuce) to 20 (aces)."""
    low, high = sorted(card >> 2 for card in hole)
    score = _HIGH_CARD[high]
    if low == high:
        return max(5.0, 2 * score)
    if hole[0] & 3 == hole[1] & 3:
        score += 2.0
    missing = high - low - 1
    score -= _GAP_COST[min(missing, 4)]
    if missing < 2 and high < _QUEEN:
        score += 1.0
    return score


def _shares() -> dict[float, float]:
    """Return the share of the 1326 hands that score at least s, for each score s."""
    counts: dict[float, int] = {}
    for first in range(52):
        for second in range(first):
            score = chen_score((first, second))
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
    return _SHARES[chen_score(hole)]
