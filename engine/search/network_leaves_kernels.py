"""Compiled passes between the hands of leaves and the buckets that a network knows.

reach    (N, 2, 1326) float32   weights of both players' hands at N leaves of one board
bucket   (1326,) int16          of each hand; -1 where the board blocks it
shares   (N, 2, B) float32      of each player's range in each bucket, summing to 1
values   (N, 2, B) float32      pots that the hands of a bucket win
chips    (N, 2, 1326) float32   counterfactual values, as `engine.range_solver.leaves` has them
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel
from engine.hands.cards import CARDS, COMBOS

LEAST_TOTAL: Final = 1e-30
"""Of a range; of less float32 has not all digits, and not the inverse."""

# Kernels: arguments are trusted, results go to the last argument.


@kernel
def share_out(
    reach: NDArray[np.float32], bucket: NDArray[np.int16], shares: NDArray[np.float32]
) -> None:
    """Add hands up by bucket; a range of nothing, or of next to nothing, is nothing."""
    shares[:] = 0
    for leaf in range(len(reach)):
        for player in range(2):
            row, sums = reach[leaf, player], shares[leaf, player]
            total = 0.0
            for hand in range(COMBOS):
                if bucket[hand] >= 0:
                    sums[bucket[hand]] += row[hand]
                    total += row[hand]
            scale = np.float32(1 / total) if total > LEAST_TOTAL else np.float32(0)
            for number in range(len(sums)):
                sums[number] *= scale


@kernel
def spread_out(
    reach: NDArray[np.float32],
    bucket: NDArray[np.int16],
    values: NDArray[np.float32],
    pots: NDArray[np.float32],
    players: tuple[int, ...],
    chips: NDArray[np.float32],
) -> None:
    """Give each hand its bucket's value, times the pot and what it can meet of the other range."""
    by_card = np.empty(CARDS)
    for leaf in range(len(reach)):
        for player in players:
            others, row, told = reach[leaf, 1 - player], chips[leaf, player], values[leaf, player]
            by_card[:] = 0
            total, hand = 0.0, 0
            for high in range(CARDS):  # hands come in this order
                with_high = 0.0
                for low in range(high):
                    with_high += others[hand]
                    by_card[low] += others[hand]
                    hand += 1
                by_card[high] += with_high
                total += with_high
            hand = 0
            for high in range(CARDS):
                left = total - by_card[high]
                for low in range(high):
                    met = max(left - by_card[low] + others[hand], 0.0)
                    number = bucket[hand]
                    value = told[max(number, 0)] if number >= 0 else np.float32(0)
                    row[hand] = np.float32(met * pots[leaf]) * value
                    hand += 1
