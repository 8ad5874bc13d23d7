"""How many of the hands that an opponent may hold make a straight or a flush already.

Counted, not listed: for the straights by pairs of ranks, for the flushes by what is left of a suit.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel
from engine.showdown import made_hands

RANKS: Final = 13
SUITS: Final = 4
_FLUSH: Final = 5

_straights = inlined_kernel(made_hands.straights)


@kernel
def straight_or_flush(hole: NDArray[np.int64], board: NDArray[np.int64]) -> float:
    """Return the share, 0 to 1, of the hands that can be held, which have a straight or a flush.

    Args:
        hole: (2,) own cards, which nobody else holds.
        board: (5,) cards, those to come negative; with fewer than three the share is 0.
    """
    left = np.full((RANKS, SUITS), True)  # cards that may be held
    ranks = 0  # of the board, a bit each
    suited = np.zeros(SUITS, np.int64)
    seen = 0
    for card in board:
        if card >= 0:
            seen += 1
            ranks |= 1 << (card // SUITS)
            suited[card % SUITS] += 1
            left[card // SUITS, card % SUITS] = False
    if seen < 3:
        return 0.0
    if suited.max() >= _FLUSH:
        return 1.0
    for card in hole:
        left[card // SUITS, card % SUITS] = False
    unseen = RANKS * SUITS - 2 - seen
    made = 0
    for one in range(RANKS):
        for other in range(one, RANKS):
            straight = _straights(ranks | 1 << one | 1 << other) != 0
            made += _holdings(left, suited, one, other, straight)
    return 2.0 * made / (unseen * (unseen - 1))


@inlined_kernel
def _holdings(
    left: NDArray[np.bool_], suited: NDArray[np.int64], one: int, other: int, straight: bool
) -> int:
    """Return how many holdings of two ranks are made hands, every one if they make a straight."""
    found = 0
    for suit in range(SUITS):
        if not left[one, suit]:
            continue
        for beside in range(suit + 1 if one == other else 0, SUITS):
            if not left[other, beside]:
                continue
            held = int(suit == beside)
            flush = suited[suit] + 1 + held >= _FLUSH or suited[beside] + 1 + held >= _FLUSH
            found += int(straight or flush)
    return found
