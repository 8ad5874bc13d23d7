"""Compiled values of a tree's ends on one flop, sixteen of them side by side.

    reach, values   (N, 2, L)  float64   as of `engine.flop_holdem.walk_kernels`
    lanes, found    (L, 16)    float64   reach and values of sixteen ends, hand by hand
    sums            (52, 16)   float64   reach of the hands with each card

Sums over hands are added up in the same order as in `value_fold` and `value_showdown`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import raw_kernel
from engine.compiled.lanes import LANES, load, spread, store
from engine.hands.cards import CARDS


class EndScratch(NamedTuple):
    """See the module's table."""

    lanes: NDArray[np.float64]
    sums: NDArray[np.float64]
    found: NDArray[np.float64]
    stakes: NDArray[np.float64]
    """(16,) chips."""


# Kernels: arguments are trusted, nothing is allocated, results go to `found` or the last argument.


@raw_kernel
def _clear(sums: NDArray[np.float64]) -> None:
    zero = spread(0.0)
    for card in range(CARDS):
        store(sums, LANES * card, zero)


@raw_kernel
def _value_folds(cards: NDArray[np.uint8], scratch: EndScratch) -> None:
    lanes, sums, found = scratch.lanes, scratch.sums, scratch.found
    stake = load(scratch.stakes, 0)
    total = spread(0.0)
    _clear(sums)
    for hand in range(len(cards)):
        reached = load(lanes, LANES * hand)
        high, low = LANES * np.intp(cards[hand, 0]), LANES * np.intp(cards[hand, 1])
        total = total + reached
        store(sums, high, load(sums, high) + reached)
        store(sums, low, load(sums, low) + reached)
    for hand in range(len(cards)):
        high, low = LANES * np.intp(cards[hand, 0]), LANES * np.intp(cards[hand, 1])
        held = load(sums, high) + load(sums, low)
        store(found, LANES * hand, stake * (total - held + load(lanes, LANES * hand)))


@raw_kernel
def _value_showdowns(
    cards: NDArray[np.uint8], group_end: NDArray[np.int16], scratch: EndScratch
) -> None:
    lanes, sums, found = scratch.lanes, scratch.sums, scratch.found
    stake = load(scratch.stakes, 0)
    count = len(cards)
    for way in range(2):
        total = spread(0.0)
        _clear(sums)
        begin = 0
        while begin < count:
            if way == 0:
                first, end = begin, int(group_end[begin])
            else:  # the same from above: groups end where the next stronger one begins
                end = count - begin
                first = end - 1
                while first > 0 and group_end[first - 1] == group_end[end - 1]:
                    first -= 1
            for hand in range(first, end):
                high, low = LANES * np.intp(cards[hand, 0]), LANES * np.intp(cards[hand, 1])
                beaten = stake * (total - load(sums, high) - load(sums, low))
                if way == 0:
                    store(found, LANES * hand, beaten)
                else:
                    store(found, LANES * hand, load(found, LANES * hand) - beaten)
            for hand in range(first, end):
                reached = load(lanes, LANES * hand)
                high, low = LANES * np.intp(cards[hand, 0]), LANES * np.intp(cards[hand, 1])
                total = total + reached
                store(sums, high, load(sums, high) + reached)
                store(sums, low, load(sums, low) + reached)
            begin += end - first


@raw_kernel
def value_sixteen(
    ends: NDArray[np.int32],
    cards: NDArray[np.uint8],
    group_end: NDArray[np.int16],
    shown: bool,
    player: int,
    reach: NDArray[np.float64],
    scratch: EndScratch,
    values: NDArray[np.float64],
) -> None:
    """Write a player's values of sixteen ends, all showdowns or all folds.

    Args:
        ends: (16,) nodes.
        scratch: with stakes in it: with the player's sign at folds, without any at showdowns.
    """
    lanes, found = scratch.lanes, scratch.found
    for hand in range(len(cards)):
        for k in range(LANES):
            lanes[hand, k] = reach[ends[k], 1 - player, hand]
    if shown:
        _value_showdowns(cards, group_end, scratch)
    else:
        _value_folds(cards, scratch)
    for hand in range(len(cards)):
        for k in range(LANES):
            values[ends[k], player, hand] = found[hand, k]
