"""Compiled twin of `engine.showdown.evaluator`: over arrays, and to be called from other kernels.

Cards travel as one 64-bit mask, 16 bits per suit, bit 16 * suit + rank for a card; unions of hands
and boards are then a single "or".  The table of rank sets is a constant of this module and frozen
into the kernels that use it: 32 KB that never change, and callers need not hand it around.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel
from engine.showdown import evaluator

_RANK_SETS: Any = np.array(evaluator.RANK_SETS, np.int32)
_SUIT = 0x1FFF
_DECK = 52

_look_up = inlined_kernel(evaluator.strength_of_masks)


def strengths(cards: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Return the strengths of N hands of K cards each.

    Args:
        cards: (N, K) uint8, distinct cards within a row.

    Returns:
        (N,) int32.

    Raises:
        ValueError: the shape or dtype differs, K is over 10, or a value is no card.
    """
    if cards.dtype != np.uint8 or cards.ndim != 2 or cards.shape[1] > evaluator.MAX_CARDS:
        raise ValueError(f"cards: want (N, K <= 10) uint8, got {cards.shape} {cards.dtype}")
    if cards.size and int(cards.max()) >= _DECK:
        raise ValueError(f"cards: {int(cards.max())} is no card")
    out = np.empty(len(cards), np.int32)
    strengths_of_rows(np.require(cards, requirements=["C", "W"]), out)
    return out


# Kernels: arguments are trusted, nothing is allocated, results go to the last argument.


@inlined_kernel
def strength_of_masks(s0: int, s1: int, s2: int, s3: int) -> int:
    """Return the strength (int64) of the cards in four 13-bit suit masks (int64)."""
    return _look_up(_RANK_SETS, s0, s1, s2, s3)


@inlined_kernel
def strength_of_mask(cards: int) -> int:
    """Return the strength (int64) of the cards in a 64-bit card mask (int64)."""
    return _look_up(
        _RANK_SETS,
        cards & _SUIT,
        (cards >> 16) & _SUIT,
        (cards >> 32) & _SUIT,
        (cards >> 48) & _SUIT,
    )


@inlined_kernel
def card_mask(card: int) -> int:
    """Return the 64-bit mask (int64) of one card (int64)."""
    return 1 << (16 * (card & 3) + (card >> 2))


@kernel
def strength_kernel(cards: NDArray[np.uint8], n: int) -> int:
    """Return the strength (int64) of the first n of `cards` (uint8)."""
    mask = 0
    for i in range(n):
        mask |= card_mask(int(cards[i]))
    return strength_of_mask(mask)


@kernel
def strengths_of_rows(cards: NDArray[np.uint8], out: NDArray[np.int32]) -> None:
    """Evaluate each row of cards (N, K) uint8 into out (N,) int32."""
    hands, n = cards.shape
    for hand in range(hands):
        mask = 0
        for i in range(n):
            mask |= card_mask(int(cards[hand, i]))
        out[hand] = strength_of_mask(mask)
