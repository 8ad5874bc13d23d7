"""Compiled half of `engine.equity.allin`: go through every board that can still come.

C contenders, those who put in most first; D cards still in the deck; L side pots:

    live     (D,)          uint8  the cards that may still come
    rivals   (L,)          int64  contenders in a pot, always the first ones
    counts   (L, C, C + 1) int64  boards on which a contender is one of j best in a pot, [l, c, j]

`count_boards` serves every game.  Where two or more cards come and five to seven make a hand,
`count_ranked_boards` is eleven times as fast for two hands (2.8 ms before the flop) and twice as
fast for three.

The last two cards are where most of the time goes.  L live cards in some order have
P = L (L - 1) / 2 pairs.  The pair of places hi > lo has number hi (hi - 1) / 2 + lo, so the pairs
among the first l cards come first.  For the whole deck in order the number of a pair is its combo
(`engine.hands.cards`).

    pairs    (2, P)   int64   sum of the keys and sum of the masks of both cards (`rank_kernels`)
    suited   (4, S)   int32   the pairs within a suit, ascending, and after them P; S <= 79
    out      (P,)     uint16  ranks

`rank_pairs` looks up all ranks as if there were no flushes, a short loop over consecutive pairs,
and then corrects the few that are: 1 ns a hand instead of 3.
"""

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel
from engine.showdown import tables
from engine.showdown.rank_kernels import at_least, flush_rank, plain_rank, suit_of
from engine.showdown.strength_kernels import card_mask, strength_of_mask

_KEYS = tables.card_keys()
_MASKS = tables.card_masks()
_FLUSHES = tables.flush_ranks()
_MOST_SUITED = 78

# Kernels: arguments are trusted, results go to the last argument.


@kernel
def pairs_of(live: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return `pairs` and `suited` of L different cards."""
    count = len(live) * (len(live) - 1) // 2
    pairs = np.empty((2, count), np.int64)
    suited = np.full((4, min(count, _MOST_SUITED) + 1), count, np.int32)
    found = np.zeros(4, np.int64)
    pair = 0
    for place in range(len(live)):
        high = live[place]
        for low in live[:place]:
            pairs[0, pair] = _KEYS[high] + _KEYS[low]
            pairs[1, pair] = _MASKS[high] + _MASKS[low]
            if (high ^ low) & 3 == 0:
                suited[high & 3, found[high & 3]] = pair
                found[high & 3] += 1
            pair += 1
    return pairs, suited


@inlined_kernel
def rank_pairs(
    rows: NDArray[np.uint16],
    ranks: NDArray[np.uint16],
    pairs: NDArray[np.int64],
    suited: NDArray[np.int32],
    count: int,
    key: int,
    mask: int,
    out: NDArray[np.uint16],
) -> None:
    """Write the ranks of a hand with each of the first `count` pairs to out[:count].

    Args:
        rows: with `ranks`, the tables of `plain_ranks` for the number of cards with the pair.
        pairs: of the live cards, as is `suited` (`pairs_of`).
        count: l (l - 1) / 2 to use the first l live cards only.
        key: of the 3 to 5 cards that stay; so is `mask`.
    """
    for pair in range(count):
        out[pair] = plain_rank(rows, ranks, key + pairs[0, pair])
    draw = at_least(key, 3)  # of at most five cards, so in at most one suit
    if draw == 0:
        return
    suit = suit_of(draw)
    if at_least(key, 4):
        for pair in range(count):
            flush = flush_rank(_FLUSHES, mask + pairs[1, pair], suit)
            if flush > 0:
                out[pair] = flush
        return
    at = 0
    pair = suited[suit, 0]
    while pair < count:
        out[pair] = flush_rank(_FLUSHES, mask + pairs[1, pair], suit)
        at += 1
        pair = suited[suit, at]


@kernel
def count_boards(
    live: NDArray[np.uint8],
    to_come: int,
    hands: NDArray[np.int64],
    rivals: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Add every board of `to_come` more cards to `counts`, each once.

    Args:
        hands: (C,) masks of the hole and board cards known (`strength_kernels`).
    """
    strengths = np.empty(len(hands), np.int64)
    places = np.zeros(to_come + 1, np.int64)  # where each card to come is looked for next
    limits = np.zeros(to_come + 1, np.int64)  # cards come in descending order of their places
    masks = np.zeros(to_come + 1, np.int64)  # of the cards that have come
    limits[0] = len(live)
    level = 0
    while level >= 0:
        if level == to_come:
            for c in range(len(hands)):
                strengths[c] = strength_of_mask(hands[c] | masks[level])
            _settle(strengths, rivals, counts)
            level -= 1
        elif places[level] < limits[level]:
            place = places[level]
            places[level] += 1
            level += 1
            limits[level] = place
            places[level] = 0
            masks[level] = masks[level - 1] | card_mask(int(live[place]))
        else:
            level -= 1


@kernel
def count_ranked_boards(
    live: NDArray[np.uint8],
    to_come: int,
    hands: NDArray[np.int64],
    rivals: NDArray[np.int64],
    rows: NDArray[np.uint16],
    ranks: NDArray[np.uint16],
    counts: NDArray[np.int64],
) -> None:
    """Add every board of `to_come` >= 2 more cards to `counts`, each once.

    Args:
        hands: (2, C) sums of the keys and of the masks of the hole and board cards known.
        rows: with `ranks`, the tables of `plain_ranks` for the cards that make a hand.
    """
    contenders = hands.shape[1]
    pairs, suited = pairs_of(live)
    ranked = np.empty((contenders, pairs.shape[1]), np.uint16)
    prefix = to_come - 2
    places = np.zeros(prefix + 1, np.int64)  # as in count_boards
    limits = np.zeros(prefix + 1, np.int64)
    keys = np.zeros(prefix + 1, np.int64)
    masks = np.zeros(prefix + 1, np.int64)
    limits[0] = len(live)
    level = 0
    while level >= 0:
        if level == prefix:
            count = limits[level] * (limits[level] - 1) // 2
            for c in range(contenders):
                key = hands[0, c] + keys[level]
                mask = hands[1, c] + masks[level]
                rank_pairs(rows, ranks, pairs, suited, count, key, mask, ranked[c])
            _settle_pairs(ranked, count, rivals, counts)
            level -= 1
        elif places[level] < limits[level]:
            place = places[level]
            places[level] += 1
            level += 1
            limits[level] = place
            places[level] = 0
            keys[level] = keys[level - 1] + _KEYS[live[place]]
            masks[level] = masks[level - 1] + _MASKS[live[place]]
        else:
            level -= 1


@inlined_kernel
def _settle_pairs(
    ranked: NDArray[np.uint16],
    count: int,
    rivals: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Settle the hands of all contenders, (C, P), for the first `count` pairs."""
    contenders = len(ranked)
    if contenders > 2:
        strengths = np.empty(contenders, np.int64)
        for pair in range(count):
            for c in range(contenders):
                strengths[c] = ranked[c, pair]
            _settle(strengths, rivals, counts)
        return
    won = 0
    tied = 0
    for pair in range(count):
        won += ranked[0, pair] > ranked[1, pair]
        tied += ranked[0, pair] == ranked[1, pair]
    counts[0, 0, 1] += won
    counts[0, 1, 1] += count - won - tied
    counts[0, 0, 2] += tied
    counts[0, 1, 2] += tied


@inlined_kernel
def _settle(
    strengths: NDArray[np.int64], rivals: NDArray[np.int64], counts: NDArray[np.int64]
) -> None:
    best = np.int64(-1)
    winners = 0
    contender = 0
    for pot in range(len(rivals)):
        while contender < rivals[pot]:
            if strengths[contender] > best:
                best = strengths[contender]
                winners = 1
            elif strengths[contender] == best:
                winners += 1
            contender += 1
        for c in range(contender):
            if strengths[c] == best:
                counts[pot, c, winners] += 1


@kernel
def count_duels(
    decks: NDArray[np.uint64],
    to_come: int,
    sums: NDArray[np.int64],
    rows: NDArray[np.uint16],
    ranks: NDArray[np.uint16],
    counts: NDArray[np.int64],
) -> None:
    """Count the boards that the first of two hold'em hands wins and ties, for many pairs of hands.

    Args:
        decks: (N,) the cards that may still come, bit c for card c.
        to_come: the same for all.
        sums: (N, 2, 2) keys and masks of each hand as `count_ranked_boards` has them.
        rows: with `ranks`, the tables of `plain_ranks` for seven cards.
        counts: (N, 2) boards won and tied.
    """
    live = np.empty(52, np.uint8)
    rivals = np.full(1, 2, np.int64)
    found = np.empty((1, 2, 3), np.int64)
    for hand in range(len(decks)):
        cards = 0
        for card in range(52):
            if decks[hand] >> np.uint64(card) & np.uint64(1):
                live[cards] = card
                cards += 1
        found[:] = 0
        if to_come > 1:
            count_ranked_boards(live[:cards], to_come, sums[hand], rivals, rows, ranks, found)
        else:
            count_boards(live[:cards], to_come, sums[hand, 1], rivals, found)
        counts[hand, 0] = found[0, 0, 1]
        counts[hand, 1] = found[0, 0, 2]
