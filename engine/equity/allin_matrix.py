"""What every hand wins from every other one when nobody bets any more, over all cards to come."""

from __future__ import annotations

from functools import cache
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from engine.equity.preflop import combo_equities
from engine.hands.cards import CARDS, COMBO_CARDS, COMBOS
from engine.showdown.board_ranks import WHOLE, whole_boards

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def allin_matrix(board: Sequence[int]) -> NDArray[np.float32]:
    """Return (1326, 1326) float32: how often the row's hand wins less how often it loses, -1 to 1.

    A mean over all whole boards that two hands leave; 0 for hands that share a card, and for those
    that the board blocks.  0.13 s for a flop, 6 ms for a turn, 0.1 s before the flop.

    Args:
        board: no card, or 3 or 4.

    Raises:
        ValueError: a card is none or named twice, or their number differs.
    """
    from engine.equity.allin_matrix_kernels import count_wins
    from engine.showdown.board_kernels import ranks_of_boards

    if not board:
        return np.where(apart(), 2 * combo_equities() - 1, np.float32(0))
    if len(board) not in (WHOLE - 2, WHOLE - 1):
        raise ValueError(f"a board of {len(board)} cards: want none, 3 or 4")
    boards = whole_boards(board)
    strengths = np.empty((len(boards), COMBOS), np.uint16)
    wins = np.zeros((COMBOS, COMBOS), np.int16)
    ranks_of_boards(boards, strengths)
    count_wins(strengths, wins)
    left = CARDS - len(board) - 4
    matrix = (wins - wins.T) * np.float32(1 / comb(left, WHOLE - len(board)))
    matrix[~apart()] = 0
    return matrix


@cache
def apart() -> NDArray[np.bool_]:
    """Return (1326, 1326) whether two hands can be held together."""
    incidence = np.zeros((COMBOS, CARDS), np.float32)
    incidence[np.arange(COMBOS)[:, None], COMBO_CARDS] = 1
    pairs: NDArray[np.bool_] = incidence @ incidence.T == 0
    return pairs
