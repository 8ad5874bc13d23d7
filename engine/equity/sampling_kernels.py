"""Compiled half of `engine.equity.sampling`: deal P players and a board, again and again.

first        (P + 1,)  int64    where the C combos of each player begin
holes        (2, C)    int64    masks and keys of the combos (`rank_kernels`)
cumulative   (C,)      float64  probability of a player's combos up to each, the last above 1
guide        (P, G)    int64    the first combo with a cumulative probability above g / G
deck         (2, 52)   int64    masks and keys of the cards
counts       (P, P+1)  int64    deals in which a player is one of j best, [p, j]
"""

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel
from engine.hands.cards import CARDS
from engine.showdown.rank_kernels import rank7

# Kernels: arguments are trusted, results go to the last argument.


@kernel
def sample_showdowns(
    rng: np.random.Generator,
    first: NDArray[np.int64],
    holes: NDArray[np.int64],
    cumulative: NDArray[np.float64],
    guide: NDArray[np.int64],
    deck: NDArray[np.int64],
    board: NDArray[np.uint8],
    samples: int,
    attempts: int,
    counts: NDArray[np.int64],
) -> bool:
    """Add `samples` deals to the counts; return whether `attempts` were enough for them."""
    chosen = np.empty(len(counts), np.int64)
    ranks = np.empty(len(counts), np.int64)
    known = np.int64(0)
    for card in board:
        known |= deck[0, card]
    dealt = 0
    for _ in range(attempts):
        used = _deal_holes(rng, first, holes, cumulative, guide, known, chosen)
        if used == 0:
            continue
        mask = known
        key = np.int64(0)
        for card in board:
            key += deck[1, card]
        missing = 5 - len(board)
        while missing > 0:
            drawn = int(rng.random() * CARDS)
            if used & deck[0, drawn] == 0:
                used |= deck[0, drawn]
                mask |= deck[0, drawn]
                key += deck[1, drawn]
                missing -= 1
        for player in range(len(chosen)):
            at = chosen[player]
            ranks[player] = rank7(key + holes[1, at], mask | holes[0, at])
        _count_winners(ranks, counts)
        dealt += 1
        if dealt == samples:
            return True
    return False


@inlined_kernel
def _deal_holes(
    rng: np.random.Generator,
    first: NDArray[np.int64],
    holes: NDArray[np.int64],
    cumulative: NDArray[np.float64],
    guide: NDArray[np.int64],
    known: np.int64,
    chosen: NDArray[np.int64],
) -> np.int64:
    """Choose a combo for each player; return the mask of all known cards, 0 if one came twice."""
    used = known
    for player in range(len(chosen)):
        at = first[player]
        if first[player + 1] > at + 1:
            point = rng.random()
            at = guide[player, int(point * guide.shape[1])]
            while cumulative[at] <= point:
                at += 1
        if used & holes[0, at]:
            return np.int64(0)
        used |= holes[0, at]
        chosen[player] = at
    return used


@inlined_kernel
def _count_winners(ranks: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
    best = ranks.max()
    winners = 0
    for player in range(len(ranks)):
        winners += ranks[player] == best
    for player in range(len(ranks)):
        if ranks[player] == best:
            counts[player, winners] += 1
