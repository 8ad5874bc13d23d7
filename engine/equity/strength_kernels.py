"""Compiled half of `strength`: what all combos win on a board, over run-outs.

    boards   (N, 5)    uint8   complete boards, the known cards first
    deals    (N,)      int32   run-outs that each of them stands for
    halves   (1326,)   int64   twice the opponents beaten plus those tied with, over all run-outs
    met      (1326,)   int64   run-outs that do not block the combo

Where no suit has three cards on the board only the ranks of a combo matter, and 91 pairs of ranks
take the place of 1081 combos.  That is so on half to five sixths of the run-outs of most flops.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel
from engine.equity.river_rows_kernels import BLOCKED, BoardScratch, fill_halves
from engine.hands.cards import CARDS, COMBO_CARDS, COMBOS
from engine.hands.combo_kernels import combo_at
from engine.showdown import tables
from engine.showdown.rank_kernels import plain_rank

_RANKS = 13
_SUITS = 4
_RANK_PAIRS = _RANKS * (_RANKS + 1) // 2
_PLAIN = (1 << tables.SUIT_SHIFT) - 1
_KEYS: Any = tables.card_keys() & _PLAIN
_ROWS7, _RANKS7 = tables.plain_ranks(7)
_HIGH, _LOW = (index.astype(np.int64) for index in np.tril_indices(_RANKS))
"""(91,) the ranks a >= b of pair a (a + 1) / 2 + b."""


def _pairs_of_combos() -> Any:
    high, low = COMBO_CARDS.T.astype(np.int64) >> 2
    return high * (high + 1) // 2 + low


_PAIR = _pairs_of_combos()

# Kernels: arguments are trusted, results go to the last arguments.


@kernel
def sum_halves(
    boards: NDArray[np.uint8],
    dealt_cards: int,
    deals: NDArray[np.int32],
    scratch: BoardScratch,
    halves: NDArray[np.int64],
    met: NDArray[np.int64],
) -> None:
    """Add up what each combo wins on some boards that share their first `dealt_cards` cards."""
    order = np.arange(_RANK_PAIRS)
    ranks = np.zeros(_RANK_PAIRS, np.int64)
    of_pair = np.zeros(_RANK_PAIRS, np.int64)
    sums = np.zeros(_RANK_PAIRS, np.int64)
    dealt: Any = 0
    for board in range(len(boards)):
        cards = boards[board]
        times: Any = np.int64(deals[board])
        if _flush_possible(cards):
            _add_combos(cards, times, scratch, halves, met)
        else:
            _fill_pairs(cards, order, ranks, of_pair)
            for pair in range(_RANK_PAIRS):
                sums[pair] += times * of_pair[pair]
            dealt += times
            _take_blocked(cards, dealt_cards, times, of_pair, halves, met)
    for combo in range(COMBOS):
        halves[combo] += sums[_PAIR[combo]]
        met[combo] += dealt
    for card in boards[0, :dealt_cards]:
        for other in range(CARDS):
            if other != card:
                halves[combo_at(card, other)] = 0
                met[combo_at(card, other)] = 0


@inlined_kernel
def _flush_possible(cards: NDArray[np.uint8]) -> bool:
    counts: Any = 0
    for card in cards:
        counts += 1 << 4 * np.int64(card & 3)
    return bool((counts + 0x5555) & 0x8888)


@inlined_kernel
def _add_combos(
    cards: NDArray[np.uint8],
    times: int,
    scratch: BoardScratch,
    halves: NDArray[np.int64],
    met: NDArray[np.int64],
) -> None:
    fill_halves(cards, scratch, scratch.halves)
    for combo in range(COMBOS):
        live = np.int64(scratch.halves[combo] != BLOCKED)
        halves[combo] += times * live * np.int64(scratch.halves[combo])
        met[combo] += times * live


@inlined_kernel
def _fill_pairs(
    cards: NDArray[np.uint8],
    order: NDArray[np.int64],
    ranks: NDArray[np.int64],
    of_pair: NDArray[np.int64],
) -> None:
    """Write the halves of each pair of ranks on a board without a flush, as `fill_halves` does.

    `order` sorts the pairs of the board before, which are nearly in order for this one.
    """
    left = np.full(_RANKS, _SUITS, np.int64)
    held = np.zeros(_RANKS, np.int64)  # weaker combos with one certain card of a rank
    key = np.int64(0)
    for card in cards:
        left[card >> 2] -= 1
        key += _KEYS[card]
    for pair in range(_RANK_PAIRS):
        both = _KEYS[_SUITS * _HIGH[pair]] + _KEYS[_SUITS * _LOW[pair]]
        ranks[pair] = plain_rank(_ROWS7, _RANKS7, key + both)
    for place in range(1, _RANK_PAIRS):
        pair = order[place]
        before = place - 1
        while before >= 0 and ranks[order[before]] > ranks[pair]:
            order[before + 1] = order[before]
            before -= 1
        order[before + 1] = pair
    weaker = np.int64(0)
    first = 0
    while first < _RANK_PAIRS:
        end = first
        upto = weaker
        while end < _RANK_PAIRS and ranks[order[end]] == ranks[order[first]]:
            pair = order[end]
            high, low = _HIGH[pair], _LOW[pair]
            of_pair[pair] = weaker - held[high] - held[low]
            end += 1
        for place in range(first, end):
            high, low = _HIGH[order[place]], _LOW[order[place]]
            if high == low:
                upto += left[high] * (left[high] - 1) // 2
                held[high] += left[high] - 1
            else:
                upto += left[high] * left[low]
                held[high] += left[low]
                held[low] += left[high]
        for place in range(first, end):
            pair = order[place]
            of_pair[pair] += upto - held[_HIGH[pair]] - held[_LOW[pair]] + 1
        weaker = upto
        first = end


@inlined_kernel
def _take_blocked(
    cards: NDArray[np.uint8],
    known: int,
    times: int,
    of_pair: NDArray[np.int64],
    halves: NDArray[np.int64],
    met: NDArray[np.int64],
) -> None:
    """Take away what the combos get with their pairs that the cards to come block."""
    for place in range(known, len(cards)):
        card: Any = np.int64(cards[place])
        for other in range(CARDS):
            counted = other == card
            for earlier in range(known, place):
                counted |= other == cards[earlier]
            if not counted:
                combo = combo_at(card, other)
                halves[combo] -= times * of_pair[_PAIR[combo]]
                met[combo] -= times
