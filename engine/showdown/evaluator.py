"""How strong a hand is: the best poker hand out of all given cards, as one comparable number.

Any 1 to 10 cards of any deck count (every hole card and every board card; at most five make the
hand).  The order is that of ordinary high hands: straights and flushes need five cards, A-5 is a
straight, suits never break ties.  With fewer than five cards: quads > full house > trips > two
pair > pair > high card, then kickers.  Only hands of equally many cards are ever compared.

A strength reads best in hexadecimal, 0xCabcde: C is the category (`STRAIGHT_FLUSH` = 8 down to
`HIGH_CARD` = 0), a to e the ranks that decide, most important first, each rank 1 (deuce) to 13
(ace, 0xd), 0 where the hand has no such card.  Aces and kings with a queen are 0x2dcb00; straights
carry their highest card only, so the wheel is 0x440000.

This module is plain Python for the one evaluation a showdown needs; `strength_kernels` has the
compiled twin, for arrays and for use inside other kernels.  Both run the same
function, `strength_of_masks`, over four 13-bit masks (bit r: the card of rank r in that suit).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

HIGH_CARD: Final = 0
PAIR: Final = 1
TWO_PAIR: Final = 2
TRIPS: Final = 3
STRAIGHT: Final = 4
FLUSH: Final = 5
FULL_HOUSE: Final = 6
QUADS: Final = 7
STRAIGHT_FLUSH: Final = 8

MAX_CARDS: Final = 10
"""Most cards a hand can have: three in the hole and seven on the board."""

_RANKS: Final = 13
_WHEEL: Final = 0x100F
"""The set of A, 2, 3, 4 and 5."""
_FIFTH: Final = 0xF
_RUN: Final = 0xF00000
"""Parts of an entry of `RANK_SETS`: the fifth highest rank, the highest straight."""


def category(strength: int) -> int:
    """Return the category of a strength, `HIGH_CARD` = 0 to `STRAIGHT_FLUSH` = 8."""
    return strength >> 20


def strength(cards: Sequence[int]) -> int:
    """Return the strength of a hand of distinct cards; higher wins, equal splits."""
    masks = [0, 0, 0, 0]
    for card in cards:
        masks[card & 3] |= 1 << (card >> 2)
    return strength_of_masks(RANK_SETS, masks[0], masks[1], masks[2], masks[3])


def strength_of_masks(rank_sets: Sequence[int], s0: int, s1: int, s2: int, s3: int) -> int:
    """Return the strength of the cards in four suit masks.

    Args:
        rank_sets: `RANK_SETS`, or the same numbers as an int32 array when compiled.
        s0: ranks held in the first suit, bit r for rank r; s1 to s3 the others.
    """
    every = s0 | s1 | s2 | s3
    held = rank_sets[every]
    best = 0
    if (rank_sets[s0] | rank_sets[s1] | rank_sets[s2] | rank_sets[s3]) & _FIFTH:
        for suit in (s0, s1, s2, s3):
            suited = rank_sets[suit]
            if suited & _RUN:
                best = max(best, STRAIGHT_FLUSH << 20 | (suited & _RUN) >> 4)
            elif suited & _FIFTH:
                best = max(best, FLUSH << 20 | suited)
    twice = (s0 & s1) | (s2 & s3) | ((s0 | s1) & (s2 | s3))
    if twice == 0:
        if held & _RUN:
            return max(best, STRAIGHT << 20 | (held & _RUN) >> 4)
        return max(best, held)
    thrice = (s0 & s1 & (s2 | s3)) | (s2 & s3 & (s0 | s1))
    pairs = rank_sets[twice]
    if thrice:
        fours = s0 & s1 & s2 & s3
        if fours:
            top = rank_sets[fours] & 0xF0000
            rest = rank_sets[every ^ (1 << ((top >> 16) - 1))] & 0xF0000
            return max(best, QUADS << 20 | top | rest >> 4)
        top = rank_sets[thrice] & 0xF0000
        bit = 1 << ((top >> 16) - 1)
        if twice != bit:
            rest = rank_sets[twice ^ bit] & 0xF0000
            return max(best, FULL_HOUSE << 20 | top | rest >> 4)
        if held & _RUN:
            return max(best, STRAIGHT << 20 | (held & _RUN) >> 4)
        return max(best, TRIPS << 20 | top | (rank_sets[every ^ bit] & 0xFF000) >> 4)
    if held & _RUN:
        return max(best, STRAIGHT << 20 | (held & _RUN) >> 4)
    if best:
        return best
    top = pairs & 0xF0000
    bit = 1 << ((top >> 16) - 1)
    second = pairs & 0xF000
    if second:
        bit |= 1 << ((second >> 12) - 1)
        return TWO_PAIR << 20 | top | second | (rank_sets[every ^ bit] & 0xF0000) >> 8
    return PAIR << 20 | top | (rank_sets[every ^ bit] & 0xFFF00) >> 4


def _build_rank_sets() -> list[int]:
    """Describe each of the 8192 sets of ranks by one number.

    Bits 0-19: its five highest ranks as nibbles, highest first, rank + 1 each, 0 where it has
    fewer; bits 20-23: the highest rank of its best straight, + 1, or 0 for none.
    """
    table = [0]
    for top in range(_RANKS):
        window = 0x1F << top >> 4
        for below in range(1 << top):  # the sets whose highest rank is `top`, in order
            ranks = (top + 1) << 16 | (table[below] & 0xFFFF0) >> 4
            run = table[below] & _RUN
            if (1 << top | below) & window == window and top >= 4:
                run = (top + 1) << 20
            elif not run and (1 << top | below) & _WHEEL == _WHEEL:
                run = 4 << 20
            table.append(run | ranks)
    return table


RANK_SETS: Final = _build_rank_sets()
"""What `strength_of_masks` looks up; 8192 numbers below 2**24, built in a few milliseconds."""
