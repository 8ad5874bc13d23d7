"""Compiled half of `engine.abstraction.board_buckets`: how strong hands become."""

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel
from engine.equity.river_rows_kernels import BLOCKED, HALVES, BoardScratch, fill_halves
from engine.hands.cards import CARDS, COMBOS

_BOARD = 5


# Kernels: arguments are trusted, results go to the last argument.


@inlined_kernel
def _count(cards: NDArray[np.uint8], scratch: BoardScratch, moments: NDArray[np.float64]) -> None:
    """Count one whole board."""
    halves = scratch.halves
    fill_halves(cards, scratch, halves)
    for hand in range(COMBOS):
        if halves[hand] != BLOCKED:
            share = halves[hand] / HALVES
            moments[0, hand] += 1
            moments[1, hand] += share
            moments[2, hand] += share * share


@kernel
def add_moments(
    board: NDArray[np.uint8], scratch: BoardScratch, moments: NDArray[np.float64]
) -> None:
    """Add all whole boards that begin with 3 to 5 cards to (3, 1326) sums.

    They are how many there are, and of the share of other hands that a hand beats there, ties as
    halves, the sum and that of its squares.
    """
    cards = np.empty(_BOARD, np.uint8)
    cards[: len(board)] = board
    live = np.ones(CARDS, np.bool_)
    for card in board:
        live[card] = False
    if len(board) == _BOARD:
        _count(cards, scratch, moments)
        return
    for last in range(CARDS):
        if not live[last]:
            continue
        cards[_BOARD - 1] = last
        if len(board) == _BOARD - 1:
            _count(cards, scratch, moments)
            continue
        for card in range(last):
            if live[card]:
                cards[_BOARD - 2] = card
                _count(cards, scratch, moments)
