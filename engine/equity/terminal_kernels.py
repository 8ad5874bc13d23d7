"""Kernels of `engine.equity.terminal`: what folds and showdowns are worth against sixteen ranges.

One player, "own", holds each of its hands against ranges of the other, sixteen side by side, one
per lane; H and G are padded lengths, the counts say how many of the H hands there are:

    folded     (H, 16)   float32   the other player's reach where somebody folds, hand by hand,
                                   times its belief
    shown      (H, 16)   float32   the same at the showdown
    cards      (H, 2)    uint8     the cards of its hands; own_cards those of the own hands
    twin       (H,)      int32     where the other player keeps the same two cards; where it does
                                   not have them, any place with reach 0
    group_end  (G,)      int32     hands are in ascending order of strength; number of hands up to
                                   the g-th strength found in either list; own_end too
    amount     (L,)      float32   chips at stake in each lane
    sums       (52, 16)  float64   scratch: reach per card
    below      (H, 16)   float64   scratch: values half done
    value      (H, 16)   float32   the result, 0 in the padding

Sums are float64: a hand's value is a small difference of large sums.  What cannot be told from the
rounding errors of the sums is cleared, because regret matching knows no scale: with nothing but
noise in its regrets, a hand that nobody can meet here would play as if it knew what to do.
"""

from __future__ import annotations

from typing import Any, Final

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

# Kernels: arguments are trusted, nothing is allocated, results go to the last argument.


@inlined_raw_kernel
def _held(cards: NDArray[np.uint8], hand: int, sums: NDArray[np.float64]) -> Any:
    """Return the lanes of all reach that shares a card with a hand, twice where it shares both."""
    high = LANES * np.intp(cards[hand, 0])
    low = LANES * np.intp(cards[hand, 1])
    return load(sums, high) + load(sums, low)


@inlined_raw_kernel
def _add_hand(cards: NDArray[np.uint8], hand: int, reached: Any, sums: NDArray[np.float64]) -> None:
    """Add the lanes of one hand to the sums of its cards."""
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
    folded: NDArray[np.float32],
    cards: NDArray[np.uint8],
    count: int,
    own_cards: NDArray[np.uint8],
    own_count: int,
    twin: NDArray[np.int32],
    amount: NDArray[np.float32],
    lane: int,
    sums: NDArray[np.float64],
    value: NDArray[np.float32],
) -> None:
    """Write amount * the reach of all hands that share no card with each own hand."""
    total = spread(0.0)
    _clear_sums(sums)
    for hand in range(count):
        reached = load(folded, LANES * hand)
        _add_hand(cards, hand, reached, sums)
        total = total + reached
    noise = total * spread(_NOISE)
    stake = load(amount, lane)
    for hand in range(own_count):
        twice = load(folded, LANES * np.intp(twin[hand]))  # in both of its cards' sums
        free = total - _held(own_cards, hand, sums) + twice
        store(value, LANES * hand, cleared(free, noise) * stake)
    _clear_padding(own_count, value)


@raw_kernel
def showdown_lanes(
    has_folds: bool,
    folded: NDArray[np.float32],
    shown: NDArray[np.float32],
    cards: NDArray[np.uint8],
    group_end: NDArray[np.int32],
    own_cards: NDArray[np.uint8],
    own_end: NDArray[np.int32],
    twin: NDArray[np.int32],
    ratio: NDArray[np.float32],
    amount: NDArray[np.float32],
    lane: int,
    sums: NDArray[np.float64],
    below: NDArray[np.float64],
    value: NDArray[np.float32],
) -> None:
    """Write amount * (reach that each own hand beats - reach that beats it + ratio * what folds).

    With B and U the compatible reach below a strength and up to it, A all of it and F what folds,
    times the ratio of the stakes, that is B - (A - U) + F.  Starting the sums at (F - A) / 2 makes
    it the sum of two look-ups, before and after the hands of equal strength are added; what the
    twin adds to both of its cards cancels, but for F.  Without folds, `folded` is not looked at.
    """
    stake = load(amount, lane)
    share = load(ratio, lane)
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
    cards: NDArray[np.uint8],
    count: int,
    group_end: NDArray[np.int32],
    places: NDArray[np.int32],
    ones: NDArray[np.float32],
    lanes: NDArray[np.float32],
    sums: NDArray[np.float64],
    below: NDArray[np.float64],
    value: NDArray[np.float32],
) -> None:
    """Value rows of reach (R, H) for a player with the same hands; folds where G = 0.

    `rows` (L,) int32 names them, in whole groups of sixteen; `places` (H,) counts from 0, `ones` is
    as long as hands and rows, `lanes` (3, H, 16) is scratch.
    """
    hands = reach.shape[1]
    for lane in range(0, len(rows), LANES):
        for hand in range(0, hands, LANES):
            rows_to_lanes(reach, ones, rows, lane, hand, lanes[0])
        if len(group_end) == 0:
            fold_lanes(lanes[0], cards, count, cards, count, places, ones, lane, sums, lanes[1])
        else:
            showdown_lanes(
                False,
                lanes[2],
                lanes[0],
                cards,
                group_end,
                cards,
                group_end,
                places,
                ones,
                ones,
                lane,
                sums,
                below,
                lanes[1],
            )
        for hand in range(0, hands, LANES):
            lanes_to_rows(lanes[1], value, rows, lane, hand)
