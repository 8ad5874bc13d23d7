"""Effective hand strength of many known hands at once, for logs that show the cards.

The strengths are those of `agents.statistical.ranges.strength`.  Hands on boards that differ only by an
exchange of suits are counted together, so that the flops of any log take at most 1755 countings.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.statistical.ranges.strength import combo_strengths
from engine.hands.cards import combos_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

BOARD_CARDS: Final = 5
_SUITS: Final = 4
_PERMUTATIONS: Final = np.array(list(permutations(range(_SUITS))), np.int64)
_EMPTY: Final = 52
_NUMBERS: Final = 53


def known_strengths(
    holes: NDArray[np.integer],
    boards: NDArray[np.integer],
    progress: Callable[[float], None] | None = None,
) -> NDArray[np.float32]:
    """Return the strengths of hands.

    Args:
        holes: (N, 2) hole cards.
        boards: (N, 5) the board as far as it is dealt, in any order; -1 for cards to come.
        progress: told the share that is done.

    Returns:
        (N,) float32 within 0..1.

    Raises:
        ValueError: shapes differ, a card is named twice or none, or a board has not 0, 3, 4 or 5.
    """
    own, board = holes.astype(np.int64), boards.astype(np.int64)
    _check(own, board)
    keys, combos = _canonical(own, board)
    different, which = np.unique(keys, return_inverse=True)
    order = np.argsort(which, kind="stable")
    ends = np.cumsum(np.bincount(which, minlength=len(different)))
    strengths = np.empty(len(own), np.float32)
    first = 0
    for group, end in enumerate(ends.tolist()):
        rows = order[first:end]
        strengths[rows] = combo_strengths(_board_of(int(different[group])))[combos[rows]]
        first = end
        if progress is not None:
            progress((group + 1) / len(ends))
    return strengths


def _check(holes: NDArray[np.int64], boards: NDArray[np.int64]) -> None:
    if holes.shape != (len(holes), 2) or boards.shape != (len(holes), BOARD_CARDS):
        raise ValueError(f"want (N, 2) hole cards and (N, 5) boards: {holes.shape}, {boards.shape}")
    if len(holes) == 0:
        return
    if holes.min() < 0 or boards.min() < -1 or max(holes.max(), boards.max()) >= _EMPTY:
        raise ValueError("a number is no card")
    cards = np.sort(np.concatenate((holes, boards), axis=1), axis=1)
    if ((cards[:, 1:] == cards[:, :-1]) & (cards[:, 1:] >= 0)).any():
        raise ValueError("a card is named twice")
    if not np.isin((boards >= 0).sum(axis=1), (0, 3, 4, BOARD_CARDS)).all():
        raise ValueError("a board of one or two cards")


def _canonical(
    holes: NDArray[np.int64], boards: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return a number for each board, alike up to suits, and the combos after the same exchange."""
    cards = np.concatenate((holes, boards), axis=1)
    ranks, suits, seen = cards >> 2, cards & 3, cards >= 0
    keys = np.full(len(cards), np.iinfo(np.int64).max)
    combos = np.zeros(len(cards), np.int32)
    powers = _NUMBERS ** np.arange(BOARD_CARDS)
    for new_suits in _PERMUTATIONS:
        moved = np.where(seen, 4 * ranks + new_suits[suits], _EMPTY)
        key = np.sort(moved[:, 2:], axis=1) @ powers
        better = key < keys
        keys[better] = key[better]
        combos[better] = combos_of(moved[better, :2])
    return keys, combos


def _board_of(key: int) -> list[int]:
    """Return the board of a number that `_canonical` gave."""
    board = []
    for _ in range(BOARD_CARDS):
        key, card = divmod(key, _NUMBERS)
        if card != _EMPTY:
            board.append(card)
    return board
