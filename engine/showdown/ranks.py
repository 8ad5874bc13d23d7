"""Ranks of many hands at once, and the ways between the three scales of hand strength.

    rank        1..7462   ascending: 1 is 7-5-4-3-2, 7462 the royal flush; equal ranks tie
    classical   7462..1   the descending scale of other evaluators: 1 is the royal flush
    strength    0xCabcde  category and deciding ranks (`engine.showdown.evaluator`)

Ranks exist for hands of 5, 6 and 7 cards.  They are dense, which suits tables and sorting;
strengths can be read, and exist for 1 to 10 cards.  Inside kernels use
`engine.showdown.rank_kernels`.  The first call builds the tables (a quarter of a second) and
compiles, or loads from the cache.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.showdown.tables import (
    RANKS,
    card_keys,
    card_masks,
    flush_ranks,
    plain_ranks,
    strengths_by_rank,
)


def ranks(cards: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Return the ranks of N hands of K cards each, 370 million random hands a second measured.

    Args:
        cards: (N, K) uint8, K 5 to 7, distinct cards within a row (not checked).

    Returns:
        (N,) uint16.

    Raises:
        ValueError: the shape or dtype differs, or a value is no card.
    """
    from engine.showdown.rank_kernels import rank_rows, row_type

    if cards.dtype != np.uint8 or cards.ndim != 2 or cards.shape[1] not in (5, 6, 7):
        raise ValueError(f"cards: want (N, 5 to 7) uint8, got {cards.shape} {cards.dtype}")
    if cards.size and int(cards.max()) >= 52:
        raise ValueError(f"cards: {int(cards.max())} is no card")
    count = cards.shape[1]
    out = np.empty(len(cards), np.uint16)
    hands = np.require(cards, requirements=["C", "W"]).reshape(-1).view(row_type(count))
    rank_rows(hands, card_keys(), card_masks(), flush_ranks(), *plain_ranks(count), out)
    return out


def classical_rank(rank: ArrayLike) -> NDArray[np.uint16]:
    """Return ranks on the classical scale, 1 for the royal flush; it is its own inverse.

    Raises:
        ValueError: a number is outside 1..7462.
    """
    return (RANKS + 1 - _checked(rank)).astype(np.uint16)


def strength_of_rank(rank: ArrayLike) -> NDArray[np.int32]:
    """Return the strength of each rank.

    Raises:
        ValueError: a number is outside 1..7462.
    """
    return strengths_by_rank()[_checked(rank)]


def _checked(rank: ArrayLike) -> NDArray[np.int64]:
    numbers = np.asarray(rank)
    if numbers.dtype.kind not in "iu" or not np.all((numbers >= 1) & (numbers <= RANKS)):
        raise ValueError(f"rank: want integers from 1 to {RANKS}")
    return numbers.astype(np.int64)
