"""The boards that can still come, each once up to exchanges of suits that change no equity.

Exchanges are numbered as in `engine.hands.suits`.  One that maps the board, the cards that cannot
come and all ranges to themselves changes no equity.  Of the run-outs that it maps to each other one
is listed, with the number that it stands for.  With all 24 of them there are 134 459 boards before
the flop instead of 2 598 960.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from engine.hands.cards import CARDS, card_bits
from engine.hands.suits import SUIT_SWAPS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

BOARD_CARDS: Final = 5
NO_SWAPS: Final = (0,)


class Runouts(NamedTuple):
    """Boards of N run-outs."""

    boards: NDArray[np.uint8]
    """(N, B) known cards first, then those to come in ascending order."""
    deals: NDArray[np.int32]
    """(N,) run-outs that each row stands for, itself included."""


def list_runouts(
    board: Sequence[int], to_come: int, dead: int = 0, swaps: Sequence[int] = NO_SWAPS
) -> Runouts:
    """Return all sets of cards that may come on a board.

    Args:
        board: the known cards, 0 to 5.
        dead: mask of further cards that cannot come.
        swaps: exchanges of suits, a group, that map the known and the dead cards to themselves.

    Raises:
        ValueError: a card is invalid or named twice, or the board would have more than five cards.
    """
    from engine.equity.runouts_kernels import enumerate_runouts

    board_bits = card_bits(board)
    if to_come < 0 or len(board) + to_come > BOARD_CARDS:
        raise ValueError(f"{to_come} cards cannot follow a board of {len(board)}")
    live = np.array([c for c in range(CARDS) if not (board_bits | dead) >> c & 1], np.uint8)
    most = comb(len(live), to_come)
    boards = np.empty((most, len(board) + to_come), np.uint8)
    boards[:, : len(board)] = np.array(board, np.uint8)
    deals = np.empty(most, np.int32)
    lanes = SUIT_SWAPS[list(swaps)].astype(np.int64)
    count = enumerate_runouts(live, len(board), lanes, boards, deals)
    if count == most:
        return Runouts(boards, deals)
    return Runouts(boards[:count].copy(), deals[:count].copy())
