"""Compiled half of `engine.equity.allin_matrix`: all pairs of hands on all boards to come.

wins     (1326, 1326) int16   below the diagonal: boards on which the row's hand beats the
                              column's, less those on which it loses, of those that block neither
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel
from engine.hands.cards import COMBOS

_ABOVE_ALL: Any = np.int16(32767)
_BELOW_ALL: Any = np.int16(-1)


# Kernels: arguments are trusted, results go to the last argument.


@kernel
def count_wins(strengths: NDArray[np.uint16], wins: NDArray[np.int16]) -> None:
    """Add R whole boards to `wins`.

    No rank beats or loses to a blocked hand's, so the inner loop has no branch.

    Args:
        strengths: (R, 1326) ranks of hands on each, 0 where it blocks one.
    """
    above, below = np.empty(COMBOS, np.int16), np.empty(COMBOS, np.int16)
    for ranks in strengths:
        for hand in range(COMBOS):
            rank = np.int16(ranks[hand])
            above[hand] = rank if rank > 0 else _ABOVE_ALL
            below[hand] = rank if rank > 0 else _BELOW_ALL
        for hand in range(COMBOS):
            rank = np.int16(ranks[hand])
            if rank > 0:
                row = wins[hand]
                for other in range(hand):
                    row[other] += np.int16(rank > above[other]) - np.int16(rank < below[other])
