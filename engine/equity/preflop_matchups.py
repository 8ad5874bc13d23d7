"""Name the ways two hold'em hands can meet before the flop: 47 008 of them, suits aside.

    first, second   (N,) int    combos that share no card
    key             (N,) int32  the same for (first, second) and (second, first), below KEYS
    swapped         (N,) bool   whether the key is about second against first

A matchup is two starting hands (`starting_hands`), the lower number first, and a suit pattern: the
suits of their four cards, each hand's higher card first, renamed 0, 1, ... as they first appear.
Two cards of one rank may come in either order, and so may two equal starting hands; the pattern is
the lowest that can be made.  key = (hand * 169 + other_hand) * 16 + number of the pattern.

Plain numpy, because the tables of `engine.equity.preflop` must open without compiling.
"""

from __future__ import annotations

from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.hands.cards import COMBO_CARDS
from engine.hands.starting_hands import COMBO_STARTING_HAND, STARTING_HANDS

MATCHUPS: Final = 47_008
KEYS: Final = STARTING_HANDS * STARTING_HANDS * 16

_SUITS: Final = (COMBO_CARDS[:, 0] & 3) << 2 | COMBO_CARDS[:, 1] & 3
"""(1326,) the suits of a combo, two bits each."""


def matchup_keys(
    first: NDArray[np.integer], second: NDArray[np.integer]
) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Return the key of each matchup, and whether it has the second combo's hand first."""
    starts = COMBO_STARTING_HAND
    by_hand = starts[first] > starts[second]
    one, other = np.where(by_hand, second, first), np.where(by_hand, first, second)
    hand, other_hand = starts[one].astype(np.int32), starts[other].astype(np.int32)
    pattern = _PATTERN_OF_SUITS[_SUITS[one] << 4 | _SUITS[other]]
    kind = _kind(hand, other_hand)
    keys = (hand * STARTING_HANDS + other_hand) << 4 | _LOWEST[kind, pattern]
    return keys, by_hand ^ _SWAPPED[kind, pattern]


def matchup_hands(keys: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the two starting hands of each matchup, the lower number first."""
    return (keys >> 4) // STARTING_HANDS, (keys >> 4) % STARTING_HANDS


def matchup_deals(keys: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return how many ways each matchup can be dealt: a combo of one hand, then of the other.

    Over all matchups of two different starting hands that is every pair of disjoint combos once;
    of a hand with itself, twice.
    """
    kind = _kind(*matchup_hands(keys))
    pairs = (kind & 1) + (kind >> 1 & 1)  # either order of their suits is the same combo
    deals: NDArray[np.int64] = _DEALS[kind, keys & 15] >> pairs
    return deals


def _kind(hand: NDArray[np.int32], other_hand: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return which orders of the four cards are the same matchup: bits for the three swaps.

    1 swaps the cards of the first hand, a pair; 2 those of the second; 4 the hands.
    """
    pair, other_pair = hand % 14 == 0, other_hand % 14 == 0
    kind: NDArray[np.int64] = pair | np.int64(2) * other_pair | np.int64(4) * (hand == other_hand)
    return kind


def _renamed(suits: tuple[int, ...]) -> tuple[int, ...]:
    names: dict[int, int] = {}
    return tuple(names.setdefault(suit, len(names)) for suit in suits)


def _lowest(kind: int, pattern: tuple[int, ...]) -> tuple[tuple[int, ...], bool]:
    """Return the lowest pattern that swaps of this kind can make, and whether hands swap."""
    found = []
    for swaps in range(8):
        if swaps & ~kind == 0:
            a, b, c, d = pattern
            a, b = (b, a) if swaps & 1 else (a, b)
            c, d = (d, c) if swaps & 2 else (c, d)
            suits = (c, d, a, b) if swaps & 4 else (a, b, c, d)
            found.append((_renamed(suits), swaps >= 4))
    return min(found)


_ALL_SUITS: Final = list(product(range(4), repeat=4))
_PATTERNS: Final = sorted({_renamed(suits) for suits in _ALL_SUITS})
"""The 15 possible patterns, (0, 0, 0, 0) to (0, 1, 2, 3)."""
_PATTERN_OF_SUITS: Final = np.array([_PATTERNS.index(_renamed(suits)) for suits in _ALL_SUITS])
_BY_KIND: Final = [[_lowest(kind, pattern) for pattern in _PATTERNS] for kind in range(8)]
_LOWEST: Final = np.array([[_PATTERNS.index(low) for low, _ in row] for row in _BY_KIND], np.int32)
_SWAPPED: Final = np.array([[swapped for _, swapped in row] for row in _BY_KIND])
"""(8, 15) by kind of matchup and pattern."""
_DEALS: Final = np.array([np.bincount(row[_PATTERN_OF_SUITS], minlength=15) for row in _LOWEST])
"""(8, 15) choices of four suits with which a matchup of this kind has this lowest pattern."""
