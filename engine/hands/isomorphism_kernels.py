"""Compiled half of `engine.hands.isomorphism`, to be called from other kernels.

    tables   IndexTables      of a `CanonicalIndex`, an ordinary argument of a kernel
    suits    (SCRATCH,) int64 what has been dealt so far, one word for each suit and a mask:
                              profile << PROFILE_SHIFT | position, then bit 16 * suit + rank
                              for each card; the caller's scratch, allocated once

A class takes three steps, of which the middle one is repeated for each group:

    clear_suits(suits)
    deal_group(tables, suits, group, cards, start, stop)     cards[start:stop] as group `group`
    class_of_suits(tables, suits)

`suits` keeps its meaning from one grouping to a longer one that starts with the same groups: what
was dealt with the tables of (2, 3) may use those of (2, 3, 1).  `class_of_cards` does it
all at once.
"""

from math import comb
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel

SCRATCH: Final = 5
"""Length of `suits`."""
PROFILE_SHIFT: Final = 32

_DEALT: Final = 4
_POSITION_BITS: Final = (1 << PROFILE_SHIFT) - 1
_COUNT_SHIFT: Final = 12
_COLEX_BITS: Final = (1 << _COUNT_SHIFT) - 1
_RANK_BITS: Final = 0x1FFF
_MAX_GROUP: Final = 7

_int: Any = np.int64
_at: Any = np.uint64
"""For an index known not to be negative: numba need not ask, which saves 10 % here."""


class IndexTables(NamedTuple):
    """Tables of a grouping: G groups, P profiles, sums of codes below M; all int64, C order."""

    groups: NDArray[np.int64]
    """(G,) cards in each group."""
    steps: NDArray[np.int64]
    """(G,) what a card of this group adds to the word of its suit."""
    counts: NDArray[np.int64]
    """(P, G) cards a suit of this profile holds of each group."""
    positions: NDArray[np.int64]
    """(P,) number of positions of this profile."""
    codes: NDArray[np.int64]
    """(P,) code of this profile."""
    blocks: NDArray[np.int64]
    """(M, 8) by the sum of codes: first class; factors of suits 1 to 3; the four profiles."""
    multisets: NDArray[np.int64]
    """(4, W) C(x + j, j + 1): the multisets of j + 1 positions of which none reaches x."""


def _colex_table() -> NDArray[np.int64]:
    table = np.zeros((14, _MAX_GROUP + 1), np.int64)
    table[:, 0] = 1
    for rank in range(1, 14):
        table[rank, 1:] = table[rank - 1, 1:] + table[rank - 1, :-1]
    return table


def _sets_table() -> NDArray[np.int16]:
    table = np.zeros((_MAX_GROUP + 1, comb(13, 6)), np.int16)
    for held in range(_MAX_GROUP + 1):
        sets = [ranks for ranks in range(_RANK_BITS + 1) if ranks.bit_count() == held]
        table[held, : len(sets)] = sets
    return table


_COLEX: Any = _colex_table()
"""(14, 8) C(rank, n), how many sets of n ranks have none of `rank` or above."""
_COLEX_SETS: Any = _sets_table()
"""(8, 1716) the sets of n ranks in colexicographic order, which is that of their masks."""

# Kernels: arguments are trusted, nothing is allocated, results go to the last argument.


@inlined_kernel
def clear_suits(suits: NDArray[np.int64]) -> None:
    """Reset `suits`: no card has been dealt."""
    for i in range(SCRATCH):
        suits[i] = 0


@inlined_kernel
def deal_group(
    tables: IndexTables,
    suits: NDArray[np.int64],
    group: int,
    cards: NDArray[np.uint8],
    start: int,
    stop: int,
) -> None:
    """Deal cards[start:stop], all that the group has."""
    dealt = suits[_DEALT]
    if stop - start == 1:  # turns and rivers: 4 ns less
        shift = (_int(cards[start]) & 3) << 4
        bit = 1 << (_int(cards[start]) >> 2)
        free = _bits((bit - 1) & ~(dealt >> shift))
        word = suits[shift >> 4]
        suits[shift >> 4] = (
            word + tables.positions[_at(word >> PROFILE_SHIFT)] * free + tables.steps[group]
        )
        suits[_DEALT] = dealt | bit << shift
        return
    group_mask = 0
    for i in range(start, stop):
        card = _int(cards[i])
        group_mask |= 1 << ((card & 3) << 4 | card >> 2)
    sets = 0  # 16 bits for each suit: colexicographic position of its set, number of cards
    for i in range(start, stop):
        shift = (_int(cards[i]) & 3) << 4
        below = (1 << (_int(cards[i]) >> 2)) - 1
        free = _bits(below & ~(dealt >> shift))
        nth = _bits(below & (group_mask >> shift)) + 1
        sets += (_COLEX[_at(free), _at(nth)] | 1 << _COUNT_SHIFT) << shift
    for suit in range(4):
        of_suit = sets >> (16 * suit)
        word = suits[suit]
        suits[suit] = (
            word
            + tables.positions[_at(word >> PROFILE_SHIFT)] * (of_suit & _COLEX_BITS)
            + tables.steps[group] * (of_suit >> _COUNT_SHIFT & _MAX_GROUP)
        )
    suits[_DEALT] = dealt | group_mask


@inlined_kernel
def class_of_suits(tables: IndexTables, suits: NDArray[np.int64]) -> int:
    """Return the class (int64) of what has been dealt; `suits` stays as it is."""
    a, b, c, d = suits[0], suits[1], suits[2], suits[3]
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    p, q = _at(a >> PROFILE_SHIFT), _at(b >> PROFILE_SHIFT)
    r, s = _at(c >> PROFILE_SHIFT), _at(d >> PROFILE_SHIFT)
    codes, blocks = tables.codes, tables.blocks
    row = _at(codes[p] + codes[q] + codes[r] + codes[s])
    alike_b = _int(q == p)
    alike_c = _int(r == q) * (alike_b + 1)
    alike_d = _int(s == r) * (alike_c + 1)
    index: int = (
        blocks[row, 0]
        + (a & _POSITION_BITS)
        + blocks[row, 1] * _place_of_suit(tables, b, alike_b)
        + blocks[row, 2] * _place_of_suit(tables, c, alike_c)
        + blocks[row, 3] * _place_of_suit(tables, d, alike_d)
    )
    return index


@inlined_kernel
def _place_of_suit(tables: IndexTables, word: int, alike: int) -> int:
    """Return how many places lie before a suit, of whose profile `alike` lower suits are."""
    position = word & _POSITION_BITS
    shared = _int(alike != 0)  # arithmetic instead of a branch that nobody can predict
    before: int = tables.multisets[_at(alike), _at(shared * position)]
    return before if shared else position


@inlined_kernel
def _bits(mask: int) -> int:
    """Return the number of bits set; LLVM makes one instruction of it."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@inlined_kernel
def class_of_cards(tables: IndexTables, suits: NDArray[np.int64], cards: NDArray[np.uint8]) -> int:
    """Return the class (int64) of a deal, (K,) uint8, the groups one after another."""
    clear_suits(suits)
    start = 0
    for group in range(len(tables.groups)):
        stop = start + tables.groups[group]
        deal_group(tables, suits, group, cards, start, stop)
        start = stop
    return class_of_suits(tables, suits)


@inlined_kernel
def suits_of_class(tables: IndexTables, suits: NDArray[np.int64], index: int) -> None:
    """Write the words of a class to `suits`, ascending, no card marked as dealt yet."""
    blocks = tables.blocks
    row = _last_not_above(blocks[:, 0], index)
    rest = index - blocks[row, 0]
    last = 3
    while last >= 0:
        first = last  # of the suits that share this profile
        while first > 0 and blocks[row, 3 + first] == blocks[row, 4 + last]:
            first -= 1
        profile = blocks[row, 4 + last] << PROFILE_SHIFT
        place = rest
        if first > 0:
            place //= blocks[row, first]
            rest -= place * blocks[row, first]
        for suit in range(last, first, -1):
            smaller = tables.multisets[suit - first]
            position = _last_not_above(smaller, place)
            place -= smaller[position]
            suits[suit] = profile | position
        suits[first] = profile | place
        last = first - 1
    suits[_DEALT] = 0


@inlined_kernel
def cards_of_class(
    tables: IndexTables, suits: NDArray[np.int64], index: int, cards: NDArray[np.uint8]
) -> None:
    """Write one deal of a class to `cards` (K,) uint8, the highest card of each group first."""
    suits_of_class(tables, suits, index)
    stop = 0
    for group in range(len(tables.groups)):
        start = stop
        for suit in range(4):
            held = tables.counts[suits[suit] >> PROFILE_SHIFT, group]
            if held == 0:
                continue
            dealt = suits[_DEALT] >> (16 * suit) & _RANK_BITS
            position = suits[suit] & _POSITION_BITS
            sets = _COLEX[13 - _bits(dealt), held]
            suits[suit] += position // sets - position
            ranks = _spread(_int(_COLEX_SETS[held, position % sets]), dealt)
            suits[_DEALT] |= ranks << (16 * suit)
            while ranks:
                card = 4 * _bits((ranks & -ranks) - 1) + suit
                ranks &= ranks - 1
                place = stop
                while place > start and cards[place - 1] < card:
                    cards[place] = cards[place - 1]
                    place -= 1
                cards[place] = card
                stop += 1


@inlined_kernel
def _spread(ranks: int, dealt: int) -> int:
    """Return as a mask the ranks of a set that was numbered among the ranks not yet dealt."""
    while dealt:
        below = (dealt & -dealt) - 1
        ranks = (ranks & below) | (ranks & ~below) << 1
        dealt &= dealt - 1
    return ranks


@inlined_kernel
def _last_not_above(ascending: NDArray[np.int64], value: int) -> int:
    """Return the last place that holds at most `value`."""
    place = 0
    above = len(ascending)
    while above - place > 1:
        middle = (place + above) // 2
        if ascending[middle] <= value:
            place = middle
        else:
            above = middle
    return place


@kernel
def classes_of_rows(
    tables: IndexTables,
    cards: NDArray[np.uint8],
    suits: NDArray[np.int64],
    classes: NDArray[np.int64],
) -> int:
    """Index each row of cards (N, K) into classes (N,); return the first bad row, or -1.

    A bad row names a card twice, and ends the work.
    """
    deals, width = cards.shape
    for deal in range(deals):
        classes[deal] = class_of_cards(tables, suits, cards[deal])
        if _bits(suits[_DEALT]) < width:
            return deal
    return -1


@kernel
def cards_of_rows(
    tables: IndexTables,
    classes: NDArray[np.int64],
    suits: NDArray[np.int64],
    cards: NDArray[np.uint8],
) -> None:
    """Write one deal of each class (N,) to cards (N, K)."""
    for row in range(len(classes)):
        cards_of_class(tables, suits, classes[row], cards[row])


@kernel
def deals_of_rows(
    tables: IndexTables,
    classes: NDArray[np.int64],
    suits: NDArray[np.int64],
    deals: NDArray[np.uint8],
) -> None:
    """Write the number of deals in each class (N,) to deals (N,): 4!, less what looks alike."""
    for row in range(len(classes)):
        suits_of_class(tables, suits, classes[row])
        count = 24
        alike = 1
        for suit in range(1, 4):
            alike = alike + 1 if suits[suit] == suits[suit - 1] else 1
            count //= alike
        deals[row] = count
