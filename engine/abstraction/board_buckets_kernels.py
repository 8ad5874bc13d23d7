"""Compiled half of `engine.abstraction.board_buckets`: how strong hands become, and who wins.

strengths   (R, 1326) uint16   ranks of hands on the R whole boards that begin with a board, 0
                               where one blocks them
moments     (3, 1326) float64  sums over these boards
wins        (B, B) integers    pairs of hands, and whole boards, of which the row's hand wins
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel
from engine.equity.river_rows_kernels import (
    BLOCKED,
    HALVES,
    BoardScratch,
    fill_halves,
    order_live_combos,
)
from engine.hands.cards import CARDS, COMBO_MASKS, COMBOS

_BOARD = 5
_MASKS: Any = COMBO_MASKS.astype(np.int64)


# Kernels: arguments are trusted, results go to the last argument.


@inlined_kernel
def _count(
    cards: NDArray[np.uint8],
    scratch: BoardScratch,
    strengths: NDArray[np.uint16],
    moments: NDArray[np.float64],
) -> None:
    """Count one whole board, and keep its ranks."""
    halves = scratch.halves
    fill_halves(cards, scratch, halves)
    strengths[:] = scratch.strengths
    for hand in range(COMBOS):
        if halves[hand] != BLOCKED:
            share = halves[hand] / HALVES
            moments[0, hand] += 1
            moments[1, hand] += share
            moments[2, hand] += share * share


@kernel
def add_moments(
    board: NDArray[np.uint8],
    scratch: BoardScratch,
    strengths: NDArray[np.uint16],
    moments: NDArray[np.float64],
) -> None:
    """Add all whole boards that begin with 3 to 5 cards to `moments`; write their ranks.

    The sums are how many there are, and of the share of other hands that a hand beats there, ties
    as halves, the sum and that of its squares.
    """
    cards = np.empty(_BOARD, np.uint8)
    cards[: len(board)] = board
    live = np.ones(CARDS, np.bool_)
    for card in board:
        live[card] = False
    if len(board) == _BOARD:
        _count(cards, scratch, strengths[0], moments)
        return
    row = 0
    for last in range(CARDS):
        if not live[last]:
            continue
        cards[_BOARD - 1] = last
        if len(board) == _BOARD - 1:
            _count(cards, scratch, strengths[row], moments)
            row += 1
            continue
        for card in range(last):
            if live[card]:
                cards[_BOARD - 2] = card
                _count(cards, scratch, strengths[row], moments)
                row += 1


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
