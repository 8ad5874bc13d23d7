"""The ranks of all 1326 combos on one board at once, to be called from other kernels.

    board   (B,)    uint8    3 to 5 cards
    out     (1326,) uint16   rank of each combo with the board as in `rank_kernels`, 1 to 7462,
                             higher wins; 0 for a combo that holds a card of the board

Without a flush only the two ranks of a combo matter, so 91 look-ups serve all; where the board has
three cards of a suit, the combos that make a flush of it are put right.  0.7 us a board, half a
nanosecond a combo; `rank_pairs`, which looks every combo up, takes twice that.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel
from engine.hands.cards import CARDS, COMBO_CARDS, COMBOS
from engine.hands.combo_kernels import combo_at
from engine.showdown import tables
from engine.showdown.rank_kernels import card_key, plain_rank

_RANKS = 13
_RANK_PAIRS = _RANKS * (_RANKS + 1) // 2
_PLAIN = (1 << tables.SUIT_SHIFT) - 1
"""The part of a key that does not count suits."""

_FLUSHES: Any = tables.flush_ranks()
_ROWS5, _RANKS5 = tables.plain_ranks(5)
_ROWS6, _RANKS6 = tables.plain_ranks(6)
_ROWS7, _RANKS7 = tables.plain_ranks(7)


def _pair_keys() -> Any:
    """Return (91,) int64, the keys of two ranks a >= b, at a (a + 1) / 2 + b."""
    keys = tables.card_keys()[::4] & _PLAIN
    high, low = np.tril_indices(_RANKS)
    return keys[high] + keys[low]


def _rank_pairs() -> Any:
    """Return (1326,) uint8, where in that list the ranks of each combo are."""
    high, low = COMBO_CARDS.T.astype(np.int64) >> 2
    return (high * (high + 1) // 2 + low).astype(np.uint8)


_PAIR_KEYS = _pair_keys()
_RANK_PAIR = _rank_pairs()

# Kernels: arguments are trusted, results go to the last argument.


@kernel
def fill_ranks(board: NDArray[np.uint8], out: NDArray[np.uint16]) -> None:
    """Write the ranks of all combos on a board."""
    key = 0
    suits = np.zeros(4, np.int64)
    counts = np.zeros(4, np.int64)
    for card in board:
        key += int(card_key(int(card))) & _PLAIN
        suits[card & 3] |= np.int64(1) << (card >> 2)
        counts[card & 3] += 1
    if len(board) == 5:
        _fill_plain(_ROWS7, _RANKS7, key, out)
    elif len(board) == 4:
        _fill_plain(_ROWS6, _RANKS6, key, out)
    else:
        _fill_plain(_ROWS5, _RANKS5, key, out)
    for suit in range(4):
        if counts[suit] >= 3:
            _fill_flushes(suit, suits[suit], counts[suit], out)
    for card in board:
        for other in range(CARDS):
            if other != card:
                out[combo_at(card, other)] = 0


@kernel
def ranks_of_boards(boards: NDArray[np.uint8], out: NDArray[np.uint16]) -> None:
    """Write the ranks of all combos on N boards (N, B) to out (N, 1326)."""
    for board in range(len(boards)):
        fill_ranks(boards[board], out[board])


@inlined_kernel
def _fill_plain(
    rows: NDArray[np.uint16], ranks: NDArray[np.uint16], key: int, out: NDArray[np.uint16]
) -> None:
    """Write the rank that each combo has if it makes no flush."""
    of_pair = np.empty(_RANK_PAIRS, np.uint16)
    for pair in range(_RANK_PAIRS):
        of_pair[pair] = plain_rank(rows, ranks, key + _PAIR_KEYS[pair])
    for combo in range(COMBOS):
        out[combo] = of_pair[_RANK_PAIR[combo]]


@inlined_kernel
def _fill_flushes(suit: int, held: int, count: int, out: NDArray[np.uint16]) -> None:
    """Write the rank of each combo that makes a flush with the `count` ranks `held` of a suit.

    Five to seven cards with a flush are never quads or a full house, so the flush is their rank.
    """
    for rank in range(_RANKS):
        if held >> rank & 1:
            continue
        card = 4 * rank + suit
        four = held | 1 << rank
        for other in range(rank):
            if not held >> other & 1:
                out[combo_at(card, 4 * other + suit)] = _FLUSHES[four | 1 << other]
        if count >= 4:
            for other in range(CARDS):
                if other & 3 != suit:
                    out[combo_at(card, other)] = _FLUSHES[four]
    if count == 5:
        for card in range(CARDS):
            for other in range(card):
                if card & 3 != suit and other & 3 != suit:
                    out[combo_at(card, other)] = _FLUSHES[held]
