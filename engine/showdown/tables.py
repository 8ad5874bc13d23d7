"""The tables behind `engine.showdown.rank_kernels`; all are built in a quarter of a second.

A **rank** numbers the 7462 classes of five-card hands in ascending order: 1 is 7-5-4-3-2, 7462 the
royal flush.  Six and seven cards have the rank of their best five.  A hand is the sum of the keys
of its cards, and its rank two look-ups away unless it holds a flush:

    key             int64    bits 0-15 the low sum, 16-31 the high sum, from 32 four bits per suit
    low sum         < 43718  over the cards from deuce to eight, weights LOW_WEIGHTS
    high sum        < 2104   over the cards from nine to ace, weights HIGH_WEIGHTS
    rows (65536,)   uint16   where the row of a low sum begins
    ranks (R,)      uint16   without a flush the rank is ranks[rows[low sum] + high sum]

Low sums of up to seven cards all differ.  High sums differ between hands of equally many high
cards, which is enough: the number of cards is known, so the low sum tells how many are high.  Hands
with the same low cards make a row.  Low cards seldom play, so most rows occur many times: for seven
cards 3180 low sums share 693 rows, which are slid into each other's gaps.  The look-ups of a random
hand then miss the first-level cache 0.5 times, against 0.8 to 1.0 times for a perfect hash over the
sum of all cards (simulated, 32 KB).  Random hands are a quarter faster.

Any seven cards, repeated ones too, stay inside the arrays; kernels need not skip such hands.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import chain, combinations_with_replacement, pairwise
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.showdown.evaluator import RANK_SETS, strength, strength_of_masks

RANKS: Final = 7462
"""Number of classes of five cards; the rank of the royal flush."""

LOW_WEIGHTS: Final = (1, 5, 24, 112, 521, 2247, 9244)
"""Deuce to eight: each the least that keeps all sums of at most 7 cards, 4 of a rank, apart."""
HIGH_WEIGHTS: Final = (0, 1, 5, 22, 98, 453)
"""Nine to ace: each the least that keeps all sums of equally many cards, at most 7, apart."""

HIGH_SHIFT: Final = 16
SUIT_SHIFT: Final = 32
"""Where the high sum and the numbers of cards of each suit begin in a key."""

_MOST: Final = 7
_Ranks = NDArray[np.uint16]
_A = TypeVar("_A", bound=NDArray[Any])


@cache
def card_keys() -> NDArray[np.int64]:
    """Return the (52,) int64 keys of the cards."""
    low, high = _rank_weights()
    cards = np.arange(52)
    suits = np.int64(1) << (SUIT_SHIFT + 4 * (cards & 3))
    return _frozen(low[cards >> 2] + (high[cards >> 2] << HIGH_SHIFT) + suits)


@cache
def card_masks() -> NDArray[np.int64]:
    """Return the (52,) int64 masks of the cards: bit 16 * suit + rank."""
    cards = np.arange(52)
    return _frozen(np.int64(1) << (16 * (cards & 3) + (cards >> 2)))


@cache
def strengths_by_rank() -> NDArray[np.int32]:
    """Return (7463,) int32, the strength (`engine.showdown.evaluator`) of each rank, 0 for 0."""
    return _frozen(np.unique(np.concatenate((_plain_strengths(), _flush_strengths()))))


@cache
def flush_ranks() -> _Ranks:
    """Return (8192,) uint16, the rank of each set of ranks of one suit, 0 below five cards."""
    return _frozen(np.searchsorted(strengths_by_rank(), _flush_strengths()).astype(np.uint16))


@cache
def plain_ranks(cards: int) -> tuple[_Ranks, _Ranks]:
    """Return `rows` and `ranks` of hands of so many cards that hold no flush.

    Raises:
        ValueError: not 5, 6 or 7 cards.
    """
    if cards not in (5, 6, 7):
        raise ValueError(f"want 5, 6 or 7 cards, got {cards}")
    hands = _multisets(cards)
    low_of, high_of = _rank_weights()
    low, high = low_of[hands].sum(axis=1), high_of[hands].sum(axis=1)
    if cards == 5:
        best = np.searchsorted(strengths_by_rank(), _plain_strengths()).astype(np.uint16)
    else:
        rows, ranks = plain_ranks(cards - 1)
        best = np.zeros(len(hands), np.uint16)
        for card in hands.T:  # the best of the hands that leave one card out
            np.maximum(best, ranks[rows[low - low_of[card]] + high - high_of[card]], out=best)
    return _pack(low, high, best)


def _pack(low: NDArray[np.int64], high: NDArray[np.int64], best: _Ranks) -> tuple[_Ranks, _Ranks]:
    """Return `rows` and `ranks` such that ranks[rows[low] + high] = best.

    Rows are laid most frequent first, each where all its entries fall into gaps; what is looked up
    often is then close together.  A big integer marks the places taken; shifted by one entry's sum
    it marks the beginnings which that entry forbids.
    """
    order = np.lexsort((high, low))
    sums, starts = np.unique(low[order], return_index=True)
    high, best = high[order], best[order]
    bounds = [*starts.tolist(), len(order)]
    contents = [(high[a:b].tobytes(), best[a:b].tobytes()) for a, b in pairwise(bounds)]
    begins: dict[tuple[bytes, bytes], int] = {}
    ranks = np.zeros(1 << HIGH_SHIFT, np.uint16)
    taken = 0
    for content, _ in Counter(contents).most_common():
        entries = np.frombuffer(content[0], np.int64)
        forbidden = marks = 0
        for entry in entries.tolist():
            forbidden |= taken >> entry
            marks |= 1 << entry
        begin = (~forbidden & forbidden + 1).bit_length() - 1
        begins[content] = begin
        ranks[begin + entries] = np.frombuffer(content[1], np.uint16)
        taken |= marks << begin
    rows = np.zeros(1 << HIGH_SHIFT, np.uint16)
    rows[sums] = [begins[content] for content in contents]
    used = max(begins.values()) + _MOST * HIGH_WEIGHTS[-1] + 1
    return _frozen(rows), _frozen(ranks[:used].copy())


def _rank_weights() -> NDArray[np.int64]:
    """Return (2, 13), what a card of each rank adds to the low and to the high sum."""
    weights = np.zeros((2, 13), np.int64)
    weights[0, : len(LOW_WEIGHTS)] = LOW_WEIGHTS
    weights[1, len(LOW_WEIGHTS) :] = HIGH_WEIGHTS
    return weights


def _multisets(cards: int) -> NDArray[np.int64]:
    """Return (M, cards), the ranks in ascending order, at most four alike."""
    every = combinations_with_replacement(range(13), cards)
    hands = np.fromiter(chain.from_iterable(every), np.int64).reshape(-1, cards)
    possible: NDArray[np.bool_] = (hands[:, 4:] != hands[:, :-4]).all(axis=1)
    return hands[possible]


@cache
def _plain_strengths() -> NDArray[np.int32]:
    """Return the strength of each five-card multiset; neighbours differ in suit, so no flush."""
    hands = (4 * _multisets(5) + [0, 1, 2, 3, 0]).tolist()
    return np.array([strength(hand) for hand in hands], np.int32)


@cache
def _flush_strengths() -> NDArray[np.int32]:
    """Return the strength of each of the 8192 sets of ranks of one suit, 0 below five cards."""
    sets = [ranks if ranks.bit_count() >= 5 else 0 for ranks in range(1 << 13)]
    return np.array([strength_of_masks(RANK_SETS, ranks, 0, 0, 0) for ranks in sets], np.int32)


def _frozen(array: _A) -> _A:
    """Return the array, made read-only: cached arrays are handed out again and again."""
    array.flags.writeable = False
    return array
