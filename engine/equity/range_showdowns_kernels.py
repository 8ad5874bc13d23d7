"""Compiled half of `engine.equity.range_showdowns`.

cards     (1326, 2) uint8    the cards of each combo
order     (R, 1326) uint16   on each board, the combos in order of strength, weakest first
strength  (R, 1326) uint16   their ranks, in that order
count     combos that a board leaves
"""

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel
from engine.hands.cards import CARDS, COMBOS
from engine.showdown.board_kernels import fill_ranks

_DIGIT = 128
"""Ranks are below 128 * 128 and sorted by two digits."""

# Kernels: arguments are trusted, results go to the last arguments.


@kernel
def order_combos(
    boards: NDArray[np.uint8], order: NDArray[np.uint16], strength: NDArray[np.uint16]
) -> int:
    """Sort the combos of each of (R, 5) boards by strength; return how many each leaves."""
    ranks = np.empty(COMBOS, np.uint16)
    by_low = np.empty(COMBOS, np.uint16)
    low = np.empty(_DIGIT + 1, np.int64)
    high = np.empty(_DIGIT + 1, np.int64)
    blocked = 0
    for board in range(len(boards)):
        fill_ranks(boards[board], ranks)
        low[:] = 0
        high[:] = 0
        for combo in range(COMBOS):
            low[(ranks[combo] & 127) + 1] += 1
            high[(ranks[combo] >> 7) + 1] += 1
        for digit in range(_DIGIT):
            low[digit + 1] += low[digit]
            high[digit + 1] += high[digit]
        for combo in range(COMBOS):
            digit = ranks[combo] & 127
            by_low[low[digit]] = combo
            low[digit] += 1
        blocked = 0
        for place in range(COMBOS):
            combo = by_low[place]
            blocked += ranks[combo] == 0
            digit = ranks[combo] >> 7
            order[board, high[digit]] = combo
            strength[board, high[digit]] = ranks[combo]
            high[digit] += 1
    return COMBOS - blocked


@kernel
def add_shown(
    cards: NDArray[np.uint8],
    order: NDArray[np.uint16],
    strength: NDArray[np.uint16],
    count: int,
    weights: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Add to out (1326,), for each board, the weight a combo beats less the weight that beats it.

    Only weights of combos that share no card with it count.
    """
    by_card = np.zeros(CARDS)
    all_by_card = np.zeros(CARDS)
    everything = 0.0
    for combo in range(COMBOS):
        everything += weights[combo]
        all_by_card[cards[combo, 0]] += weights[combo]
        all_by_card[cards[combo, 1]] += weights[combo]
    first = COMBOS - count
    for board in range(len(order)):
        row, ranks = order[board], strength[board]
        # Sums that begin at minus half of what there is end at what is below, less what is above;
        # the own weight, which both its cards count, cancels.
        total = -0.5 * everything
        by_card[:] = -0.5 * all_by_card
        for place in range(first):
            half = 0.5 * weights[row[place]]
            total += half
            by_card[cards[row[place], 0]] += half
            by_card[cards[row[place], 1]] += half
        start = first
        while start < COMBOS:
            end = start
            while end < COMBOS and ranks[end] == ranks[start]:
                combo = row[end]
                out[combo] += total - by_card[cards[combo, 0]] - by_card[cards[combo, 1]]
                end += 1
            for place in range(start, end):
                weight = weights[row[place]]
                total += weight
                by_card[cards[row[place], 0]] += weight
                by_card[cards[row[place], 1]] += weight
            for place in range(start, end):
                combo = row[place]
                out[combo] += total - by_card[cards[combo, 0]] - by_card[cards[combo, 1]]
            start = end


@kernel
def sum_met(
    cards: NDArray[np.uint8], weights: NDArray[np.float64], out: NDArray[np.float64]
) -> None:
    """Write the weight of the combos that share no card with each combo."""
    by_card = np.zeros(CARDS)
    total = 0.0
    for combo in range(COMBOS):
        total += weights[combo]
        by_card[cards[combo, 0]] += weights[combo]
        by_card[cards[combo, 1]] += weights[combo]
    for combo in range(COMBOS):
        out[combo] = total - by_card[cards[combo, 0]] - by_card[cards[combo, 1]] + weights[combo]
