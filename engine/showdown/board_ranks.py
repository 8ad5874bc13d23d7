"""The ranks of all 1326 combos on a board, from which showdowns start, and the boards to come."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.hands.cards import CARDS, COMBOS, card_bits

WHOLE: Final = 5
"""Cards of a whole board."""


def board_ranks(board: Sequence[int]) -> NDArray[np.uint16]:
    """Return the rank of every combo with a board of 3, 4 or 5 cards.

    Returns:
        (1326,) uint16 by combo: 1 to 7462, higher wins and equal ranks tie, as in
        `engine.showdown.rank_kernels`; 0 where the board blocks the combo.

    Raises:
        ValueError: a card is none or named twice, or their number differs.
    """
    from engine.showdown.board_kernels import fill_ranks

    card_bits(board)
    if len(board) not in (3, 4, 5):
        raise ValueError(f"a board of {len(board)} cards: want 3, 4 or 5")
    ranks = np.empty(COMBOS, np.uint16)
    fill_ranks(np.array(board, np.uint8), ranks)
    return ranks


def whole_boards(board: Sequence[int]) -> NDArray[np.uint8]:
    """Return (R, 5) uint8 all whole boards that begin with a board of 3 to 5 cards.

    Raises:
        ValueError: a card is none or named twice.
    """
    seen = card_bits(board)
    left = [card for card in range(CARDS) if not seen >> card & 1]
    to_come = list(combinations(left, WHOLE - len(board)))
    boards = np.empty((len(to_come), WHOLE), np.uint8)
    boards[:, : len(board)] = board
    boards[:, len(board) :] = to_come
    return boards
