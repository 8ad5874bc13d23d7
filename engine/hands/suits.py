"""Exchanges of suits: which of them change nothing, and what they make of cards and combos.

    SUIT_SWAPS    (24, 4)    int8    every order of the four suits; 0 leaves all as they are
    CARD_SWAPS    (24, 52)   uint8   the card that each card becomes
    COMBO_SWAPS   (24, 1326) int16   the combo that each combo becomes

An exchange that maps the board to itself and leaves both ranges as they are is a symmetry of the
subgame: boards that it maps to each other have the same solution, exchanged.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.hands.cards import CARDS, COMBO_CARDS, combos_of


def board_symmetries(board: Iterable[int]) -> tuple[int, ...]:
    """Return the exchanges, by number, that map a set of cards to itself; 0 is always one."""
    cards = np.array(sorted(board), np.intp)
    same = (np.sort(CARD_SWAPS[:, cards], axis=1) == cards).all(axis=1)
    return tuple(np.flatnonzero(same).tolist())


def range_symmetries(swaps: Iterable[int], ranges: NDArray[np.float64]) -> tuple[int, ...]:
    """Return those of some exchanges that leave every one of (P, 1326) ranges exactly as it is.

    The ranges may be any numbers per combo; nan equals nan.
    """
    return tuple(
        swap
        for swap in swaps
        if np.array_equal(ranges[:, COMBO_SWAPS[swap]], ranges, equal_nan=True)
    )


def inverse(swap: int) -> int:
    """Return the exchange that undoes another one."""
    order = np.argsort(SUIT_SWAPS[swap])
    return int(np.flatnonzero((order == SUIT_SWAPS).all(axis=1))[0])


def _card_swaps() -> NDArray[np.uint8]:
    cards = np.arange(CARDS)
    return (cards // 4 * 4 + SUIT_SWAPS[:, cards % 4]).astype(np.uint8)


def _combo_swaps() -> NDArray[np.int16]:
    return combos_of(CARD_SWAPS[:, COMBO_CARDS]).astype(np.int16)


ALL_SWAPS: Final = tuple(range(24))
SUIT_SWAPS: Final = np.array(list(permutations(range(4))), np.int8)
CARD_SWAPS: Final = _card_swaps()
COMBO_SWAPS: Final = _combo_swaps()
for _table in (SUIT_SWAPS, CARD_SWAPS, COMBO_SWAPS):
    _table.flags.writeable = False
