"""Ranks 1..7462 of hands of 5, 6 and 7 cards, for use inside other kernels; about 3 ns each.

A hand is two sums, both int64, to which cards are added in any order:

    key     of card_key(c) over its cards; see `engine.showdown.tables`
    mask    of card_mask(c), bit 16 * suit + rank, as in `strength_kernels`

`rank7(key, mask)` is the rank of seven cards, `rank6` and `rank5` those of six and five: 1 is the
worst hand, 7462 the royal flush, equal ranks tie.  An enumeration keeps the sums of the cards that
stay and adds one card at a time; `engine.equity.allin_kernels` has the loop over the last two.
The mask is looked at only when five cards share a suit.

The tables of `rank7` and its kin are constants frozen into their callers, which need not hand them
around and compile 20 ms longer.  The loops that matter most take the tables as arguments instead
and call `rank_of`: LLVM then keeps them in registers (measured: a tenth to a fifth faster).  A card
counted twice makes a rank meaningless but leads nowhere outside the tables.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel
from engine.showdown import tables

_KEYS: Any = tables.card_keys()
_FLUSHES: Any = tables.flush_ranks()
_ROWS5, _RANKS5 = tables.plain_ranks(5)
_ROWS6, _RANKS6 = tables.plain_ranks(6)
_ROWS7, _RANKS7 = tables.plain_ranks(7)

_SUM = 0xFFFF
_SUIT = 0x1FFF
_HIGH = tables.HIGH_SHIFT
_EIGHT = 0x8888 << tables.SUIT_SHIFT
"""The bits that say eight or more cards of a suit."""
_SECOND, _THIRD, _FOURTH = (0x8 << tables.SUIT_SHIFT + 4 * suit for suit in (1, 2, 3))
_ONE_MORE = 0x1111 << tables.SUIT_SHIFT


@cache
def row_type(cards: int) -> np.dtype[np.void]:
    """Return the type under which `rank_rows` reads a row of so many uint8: four at a time first.

    One load of four bytes is 8 % faster than four of one; the order of cards does not matter.
    """
    return np.dtype([("first", np.uint32), ("rest", np.uint8, (cards - 4,))])


# Kernels: arguments are trusted, nothing is allocated, results go to the last argument.


@inlined_kernel
def card_key(card: int) -> int:
    """Return the key (int64) of one card (any integer type)."""
    return _KEYS[card]  # type: ignore[no-any-return]


@inlined_kernel
def rank5(key: int, mask: int) -> int:
    """Return the rank (int64) of five cards."""
    return rank_of(_FLUSHES, _ROWS5, _RANKS5, key, mask)


@inlined_kernel
def rank6(key: int, mask: int) -> int:
    """Return the rank (int64) of six cards."""
    return rank_of(_FLUSHES, _ROWS6, _RANKS6, key, mask)


@inlined_kernel
def rank7(key: int, mask: int) -> int:
    """Return the rank (int64) of seven cards."""
    return rank_of(_FLUSHES, _ROWS7, _RANKS7, key, mask)


@inlined_kernel
def rank_of(
    flushes: NDArray[np.uint16],
    rows: NDArray[np.uint16],
    ranks: NDArray[np.uint16],
    key: int,
    mask: int,
) -> int:
    """Return the rank (int64) of a hand, with the tables for its number of cards."""
    suited = at_least(key, 5)
    if suited:
        return flush_rank(flushes, mask, suit_of(suited))
    return plain_rank(rows, ranks, key)


@inlined_kernel
def plain_rank(rows: NDArray[np.uint16], ranks: NDArray[np.uint16], key: int) -> int:
    """Return the rank (int64) of a hand as if it held no flush."""
    rank = ranks[np.int64(rows[key & _SUM]) + ((key >> _HIGH) & _SUM)]
    return np.int64(rank)  # type: ignore[return-value]


@inlined_kernel
def flush_rank(flushes: NDArray[np.uint16], mask: int, suit: int) -> int:
    """Return the rank (int64) of the cards of one suit, 0 when there are fewer than five."""
    return np.int64(flushes[(mask >> 16 * suit) & _SUIT])  # type: ignore[return-value]


@inlined_kernel
def at_least(key: int, cards: int) -> int:
    """Return a number with one bit for each suit that has so many cards in a key."""
    return (key + (8 - cards) * _ONE_MORE) & _EIGHT


@inlined_kernel
def suit_of(bit: int) -> int:
    """Return the suit that a bit of `at_least` stands for, the last of them if there are more."""
    return int(bit >= _SECOND) + int(bit >= _THIRD) + int(bit >= _FOURTH)


@kernel
def rank_rows(
    hands: NDArray[Any],
    keys: NDArray[np.int64],
    masks: NDArray[np.int64],
    flushes: NDArray[np.uint16],
    rows: NDArray[np.uint16],
    ranks: NDArray[np.uint16],
    out: NDArray[np.uint16],
) -> None:
    """Write the ranks of N hands (`row_type`) to out (N,); compiled for each number of cards."""
    for hand in range(len(hands)):
        key = _sum(keys, hands[hand])
        suited = at_least(key, 5)
        if suited:
            out[hand] = flush_rank(flushes, _sum(masks, hands[hand]), suit_of(suited))
        else:
            out[hand] = plain_rank(rows, ranks, key)


@inlined_kernel
def _sum(values: NDArray[np.int64], hand: Any) -> Any:
    """Return the sum of a value per card over one row."""
    first = hand["first"]
    total = values[first & 0xFF] + values[first >> 8 & 0xFF]
    total += values[first >> 16 & 0xFF] + values[first >> 24]
    for card in hand["rest"]:
        total += values[card]
    return total
