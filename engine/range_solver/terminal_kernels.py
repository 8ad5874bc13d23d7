"""Kernels of `engine.range_solver.terminal`: values of folds and showdowns against sixteen ranges.

One player, "own", holds each of its hands against ranges of the other, sixteen side by side, one
per lane; H and G are padded lengths:

    LaneHands, the hands of one player
    cards      (H, 2)    uint8     their cards
    held                           how many of the H hands there are
    twin       (H,)      int32     where the other player keeps the same two cards; where it does
                                   not have them, any place with reach 0
    group_end  (G,)      int32     hands are in ascending order of strength; number of hands up to
                                   the g-th strength found in either list; G = 0 before the river

    LaneStakes
    amount     (L,)      float32   chips at stake in each lane
    ratio      (L,)      float32   what a fold wins as a multiple of `amount`, where a showdown is
                                   valued with it

    LaneWork
    sums       (52, 16)  float64   scratch: reach per card
    below      (H, 16)   float64   scratch: values half done
    value      (H, 16)   float32   the result, 0 in the padding

    reach      (2, H, 16) float32  the other player's reach, hand by hand, times its belief: first
                                   where somebody folds, then at the showdown

Sums are float64: a hand's value is a small difference of large sums.  Values within the rounding
error of the sums are set to 0, because regret matching knows no scale.
Otherwise noise alone would decide how a hand plays that meets no opponent here.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_raw_kernel, raw_kernel
from engine.compiled.lanes import (
    LANES,
    cleared,
    lanes_to_rows,
    load,
    magnitude,
    rows_to_lanes,
    spread,
    store,
)

_CARDS: Final = 52
_NOISE: Final = 1e-13
"""Rounding error of sums of a thousand float64, relative to the total; measured 1e-15 to 1e-14."""


class LaneHands(NamedTuple):
    """One player's hands on a board; see the module's table."""

    cards: NDArray[np.uint8]
    held: int
    twin: NDArray[np.int32]
    group_end: NDArray[np.int32]


class LaneStakes(NamedTuple):
    """Chips at stake; see the module's table."""

    ratio: NDArray[np.float32]
    amount: NDArray[np.float32]


class LaneWork(NamedTuple):
    """Scratch and result of one valuation; see the module's table."""

    sums: NDArray[np.float64]
    below: NDArray[np.float64]
    value: NDArray[np.float32]


# Kernels: arguments are trusted, nothing is allocated, results go to the last argument.


@inlined_raw_kernel
def _held(cards: NDArray[np.uint8], hand: int, sums: NDArray[np.float64]) -> Any:
    """Return the lanes of all reach that shares a card with a hand, twice where it shares both."""
    high = LANES * np.intp(cards[hand, 0])
    low = LANES * np.intp(cards[hand, 1])
    return load(sums, high) + load(sums, low)


@inlined_raw_kernel
def _add_hand(cards: NDArray[np.uint8], hand: int, reached: Any, sums: NDArray[np.float64]) -> None:
    high = LANES * np.intp(cards[hand, 0])
    low = LANES * np.intp(cards[hand, 1])
    store(sums, high, load(sums, high) + reached)
    store(sums, low, load(sums, low) + reached)


@inlined_raw_kernel
def _clear_sums(sums: NDArray[np.float64]) -> None:
    zero = spread(0.0)
    for card in range(_CARDS):
        store(sums, LANES * card, zero)


@inlined_raw_kernel
def _clear_padding(first: int, value: NDArray[np.float32]) -> None:
    zero = spread(0.0)
    for hand in range(first, value.shape[0]):
        store(value, LANES * hand, zero)


@raw_kernel
def fold_lanes(
    player: LaneHands,
    rival: LaneHands,
    reach: NDArray[np.float32],
    stakes: LaneStakes,
    lane: int,
    work: LaneWork,
) -> None:
    """Value amount * the reach of all hands that share no card with each of the player's hands."""
    folded, sums, value = reach[0], work.sums, work.value
    cards, own_cards, twin = rival.cards, player.cards, player.twin
    total = spread(0.0)
    _clear_sums(sums)
    for hand in range(rival.held):
        reached = load(folded, LANES * hand)
        _add_hand(cards, hand, reached, sums)
        total = total + reached
    noise = total * spread(_NOISE)
    stake = load(stakes.amount, lane)
    for hand in range(player.held):
        twice = load(folded, LANES * np.intp(twin[hand]))  # in both of its cards' sums
        free = total - _held(own_cards, hand, sums) + twice
        store(value, LANES * hand, cleared(free, noise) * stake)
    _clear_padding(player.held, value)


@raw_kernel
def showdown_lanes(
    has_folds: bool,
    player: LaneHands,
    rival: LaneHands,
    reach: NDArray[np.float32],
    stakes: LaneStakes,
    lane: int,
    work: LaneWork,
) -> None:
    """Value each hand: amount * (reach that it beats - reach that beats it + ratio * what folds).

    With B and U the compatible reach below a strength and up to it, A all of it and F what folds,
    times the ratio of the stakes, that is B - (A - U) + F.  Starting the sums at (F - A) / 2 makes
    it the sum of two look-ups, before and after the hands of equal strength are added.  What the
    twin adds to both of its cards cancels, but for F.  Without folds, reach[0] is not read.
    """
    folded, shown = reach[0], reach[1]
    sums, below, value = work.sums, work.below, work.value
    cards, own_cards, twin = rival.cards, player.cards, player.twin
    group_end, own_end = rival.group_end, player.group_end
    stake = load(stakes.amount, lane)
    share = load(stakes.ratio, lane)
    half_share = share * spread(0.5)
    minus_half = spread(-0.5)
    total = spread(0.0)
    size = spread(0.0)
    _clear_sums(sums)
    for hand in range(np.intp(group_end[-1])):
        change = load(shown, LANES * hand) * minus_half
        size = size - change
        if has_folds:
            given = load(folded, LANES * hand) * half_share
            size = size + magnitude(given)
            change = change + given
        _add_hand(cards, hand, change, sums)
        total = total + change
    noise = size * spread(_NOISE)
    first = np.intp(0)
    own_first = np.intp(0)
    for group in range(group_end.shape[0]):
        end = np.intp(group_end[group])
        own_last = np.intp(own_end[group])
        for hand in range(own_first, own_last):
            store(below, LANES * (hand - own_first), total - _held(own_cards, hand, sums))
        for hand in range(first, end):
            reached = load(shown, LANES * hand)
            _add_hand(cards, hand, reached, sums)
            total = total + reached
        for hand in range(own_first, own_last):
            both = total - _held(own_cards, hand, sums) + load(below, LANES * (hand - own_first))
            if has_folds:
                both = both + load(folded, LANES * np.intp(twin[hand])) * share
            store(value, LANES * hand, cleared(both, noise) * stake)
        first = end
        own_first = own_last
    _clear_padding(int(own_first), value)


@raw_kernel
def value_rows(
    reach: NDArray[np.float32],
    rows: NDArray[np.int32],
    hands: LaneHands,
    ones: NDArray[np.float32],
    lanes: NDArray[np.float32],
    work: LaneWork,
    value: NDArray[np.float32],
) -> None:
    """Value rows of reach (R, H) for a player with the same hands; folds where G = 0.

    `rows` (L,) int32 names them, in whole groups of sixteen; `hands.twin` counts from 0, `ones` is
    as long as hands and rows, `lanes` (2, H, 16) is scratch; `value` (R, H) receives the values.
    """
    width = reach.shape[1]
    stakes = LaneStakes(ones, ones)
    folds = len(hands.group_end) == 0
    for lane in range(0, len(rows), LANES):
        for hand in range(0, width, LANES):
            rows_to_lanes(reach, ones, rows, lane, hand, lanes[0 if folds else 1])
        if folds:
            fold_lanes(hands, hands, lanes, stakes, lane, work)
        else:
            showdown_lanes(False, hands, hands, lanes, stakes, lane, work)
        for hand in range(0, width, LANES):
            lanes_to_rows(work.value, value, rows, lane, hand)
