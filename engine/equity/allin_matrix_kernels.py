"""Compiled half of `engine.equity.allin_matrix`: all pairs of hands on all boards to come.

wins     (1326, 1326) int16   below the diagonal: boards on which the row's hand beats the
                              column's, less those on which it loses, of those that block neither
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel
from engine.hands.cards import CARDS, COMBOS
from engine.showdown.board_kernels import fill_ranks

_BOARD = 5
_ABOVE_ALL: Any = np.int16(32767)
_BELOW_ALL: Any = np.int16(-1)


# Kernels: arguments are trusted, results go to the last argument.


@inlined_kernel
def _compare(
    ranks: NDArray[np.uint16],
    above: NDArray[np.int16],
    below: NDArray[np.int16],
    wins: NDArray[np.int16],
) -> None:
    """Count one whole board; `above` and `below` are scratch.

    No rank beats or loses to a blocked hand's, so the inner loop has no branch.
    """
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


@kernel
def count_wins(board: NDArray[np.uint8], wins: NDArray[np.int16]) -> None:
    """Add all whole boards that begin with 3 to 5 cards to `wins`."""
    ranks = np.empty(COMBOS, np.uint16)
    above, below = np.empty(COMBOS, np.int16), np.empty(COMBOS, np.int16)
    cards = np.empty(_BOARD, np.uint8)
    cards[: len(board)] = board
    if len(board) == _BOARD:
        fill_ranks(cards, ranks)
        _compare(ranks, above, below, wins)
        return
    live = np.ones(CARDS, np.bool_)
    for card in board:
        live[card] = False
    for last in range(CARDS):
        cards[_BOARD - 1] = last
        if not live[last]:
            continue
        if len(board) == _BOARD - 1:
            fill_ranks(cards, ranks)
            _compare(ranks, above, below, wins)
            continue
        for card in range(last):
            if live[card]:
                cards[_BOARD - 2] = card
                fill_ranks(cards, ranks)
                _compare(ranks, above, below, wins)
