"""Every hand of the full deck, for exhaustive checks of the evaluators."""

from itertools import chain, combinations
from math import comb

import numpy as np

from engine.compiled.jit import inlined_kernel, kernel
from engine.equity.allin_kernels import pairs_of, rank_pairs
from engine.showdown import tables
from engine.showdown.rank_kernels import card_key, rank5, rank6, rank7
from engine.showdown.strength_kernels import card_mask, strength_of_mask

DECK = np.arange(52, dtype=np.uint8)
BLOCK = 1 << 14
"""How many ranks are collected before they are counted; the counters below are 16 bits wide."""


def all_hands(count):
    """Return all hands of `count` cards as (N, count) uint8."""
    flat = chain.from_iterable(combinations(range(52), count))
    return np.fromiter(flat, np.uint8).reshape(-1, count)


def count_categories(cards):
    """Return how many of all hands of 5 to 7 cards fall into each of the nine categories."""
    categories = tables.strengths_by_rank() >> 20
    borders = np.searchsorted(categories, np.arange(1, 9)).astype(np.uint16)
    reached = np.zeros(10, np.int64)
    reached[0] = comb(52, cards)
    count_from(borders, cards, *tables.plain_ranks(cards), reached[1:9])
    return (reached[:-1] - reached[1:]).tolist()


@kernel
def count_from(borders, cards, rows, ranks, reached):
    """Add to `reached` how many of all hands have at least each of 8 ranks, 16-bit `borders`."""
    pairs, suited = pairs_of(DECK)
    block = np.empty(BLOCK + pairs.shape[1], np.uint16)
    filled = 0
    stay = cards - 2
    chosen = np.zeros(stay + 1, np.int64)  # descending; the last one is the limit of the pairs
    keys = np.zeros(stay + 1, np.int64)
    masks = np.zeros(stay + 1, np.int64)
    chosen[0] = 52
    level = 1
    while level > 0:
        if chosen[level] >= chosen[level - 1]:
            level -= 1
        else:
            keys[level] = keys[level - 1] + card_key(chosen[level])
            masks[level] = masks[level - 1] + card_mask(chosen[level])
            if level < stay:
                level += 1
                chosen[level] = 0
                continue
            count = chosen[level] * (chosen[level] - 1) // 2
            out = block[filled:]
            rank_pairs(rows, ranks, pairs, suited, count, keys[level], masks[level], out)
            filled += count
            if filled >= BLOCK:
                _tally(block, filled, borders, reached)
                filled = 0
        chosen[level] += 1
    _tally(block, filled, borders, reached)


@inlined_kernel
def _tally(block, filled, borders, reached):
    for i in range(len(borders)):
        found = np.uint16(0)
        for hand in range(filled):
            found = np.uint16(found + (block[hand] >= borders[i]))
        reached[i] += found


@kernel
def count_disagreements(cards, strengths):
    """Return on how many of all hands of 5 to 7 cards rank and strength differ.

    `strengths` has the strength that belongs to each rank.
    """
    differing = 0
    stay = cards - 1
    chosen = np.zeros(stay + 1, np.int64)
    keys = np.zeros(stay + 1, np.int64)
    masks = np.zeros(stay + 1, np.int64)
    chosen[0] = 52
    level = 1
    while level > 0:
        if chosen[level] >= chosen[level - 1]:
            level -= 1
        else:
            keys[level] = keys[level - 1] + card_key(chosen[level])
            masks[level] = masks[level - 1] + card_mask(chosen[level])
            if level < stay:
                level += 1
                chosen[level] = 0
                continue
            for last in range(chosen[level]):
                key = keys[level] + card_key(last)
                mask = masks[level] + card_mask(last)
                if cards == 5:
                    rank = rank5(key, mask)
                elif cards == 6:
                    rank = rank6(key, mask)
                else:
                    rank = rank7(key, mask)
                differing += strengths[rank] != strength_of_mask(mask)
        chosen[level] += 1
    return differing
