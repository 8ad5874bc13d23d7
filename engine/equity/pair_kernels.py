"""The last two cards: ranks of one hand with every pair of cards that may complete it.

Most enumerations end here.  L live cards in some order have P = L (L - 1) / 2 pairs.  The pair of
places hi > lo has number hi (hi - 1) / 2 + lo, so the pairs among the first l cards come first.
For the whole deck in order the number of a pair is its combo (`engine.hands.cards`).

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
