"""Compiled half of `engine.abstraction.board_buckets`: how strong hands become, and who wins.

strengths   (R, 1326) uint16   ranks of hands on the R whole boards that begin with a board, 0
                               where one blocks them
moments     (3, 1326) int64    of the halves that a hand beats: on how many boards it can be held,
                               their sum, and that of squares
wins        (B, B) integers    pairs of hands, and whole boards, of which the row's hand wins
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import as_int, kernel
from engine.equity.river_rows_kernels import BLOCKED, BoardScratch, order_live_combos
from engine.hands.cards import COMBO_MASKS, COMBOS

_MASKS: Any = COMBO_MASKS.astype(np.int64)


# Kernels: arguments are trusted, results go to the last argument.


@kernel
def add_moments(halves: NDArray[np.uint16], moments: NDArray[np.int64]) -> None:
    """Add whole boards to `moments`.

    Args:
        halves: (R, 1326) as of `engine.equity.river_rows_kernels`.
    """
    for row in range(len(halves)):
        for hand in range(COMBOS):
            if halves[row, hand] != BLOCKED:
                beaten = as_int(halves[row, hand])
                moments[0, hand] += 1
                moments[1, hand] += beaten
                moments[2, hand] += beaten * beaten


@kernel
def add_wins(
    strengths: NDArray[np.uint16],
    bucket: NDArray[np.int16],
    scratch: BoardScratch,
    wins: NDArray[Any],
) -> None:
    """Add pairs of hands up by bucket, those that share a card, too.

    From the weakest hand on, so that a hand adds a row of all that are weaker at once.

    Args:
        wins: the narrower its integers, the more are added at once.
    """
    weaker, one = np.empty(len(wins), wins.dtype), wins.dtype.type(1)
    order, ends = scratch.order, scratch.ends
    for row in range(len(strengths)):
        scratch.strengths[:] = strengths[row]
        groups = order_live_combos(scratch)
        weaker[:] = 0
        first = 0
        for group in range(groups):
            for place in range(first, ends[group]):
                sums = wins[bucket[order[place]]]
                for number in range(len(weaker)):
                    sums[number] += weaker[number]
            for place in range(first, ends[group]):
                weaker[bucket[order[place]]] += one
            first = ends[group]


@kernel
def take_blocked_wins(
    strengths: NDArray[np.uint16], bucket: NDArray[np.int16], wins: NDArray[np.int32]
) -> None:
    """Take away what pairs that share a card won.

    Args:
        strengths: (1326, R), the other way round.
    """
    for hand in range(COMBOS):
        mine, cards, ranks = bucket[hand], _MASKS[hand], strengths[hand]
        if mine < 0:
            continue
        for other in range(hand):
            theirs = bucket[other]
            if theirs < 0 or cards & _MASKS[other] == 0:
                continue
            against = strengths[other]
            won, lost = np.int32(0), np.int32(0)
            for row in range(len(ranks)):
                met = (ranks[row] > 0) & (against[row] > 0)
                won += np.int32(met & (ranks[row] > against[row]))
                lost += np.int32(met & (ranks[row] < against[row]))
            wins[mine, theirs] -= won
            wins[theirs, mine] -= lost
