"""Compiled half of `engine.equity.equity` and `potential`: showdowns of many combos at once.

N boards, complete or with as many cards as wanted; K own combos:

    boards    (N, B)       uint8    their cards
    deals     (N,)         int32    run-outs that each of them stands for
    own       (K,)         int32    the combos whose results are wanted
    lost      (K, 1326)    int32    run-outs on which an own combo loses to each one; tied likewise
    other     (M,)         int32    combos of the other player's range
    weights   (1326,)      float64  that range; zero outside `other`
    won       (1326,)      float64  weight that each own combo beats, over run-outs; drawn likewise

Ranks are those of `engine.showdown.board_kernels`: 0 for a combo that the board blocks.
"""

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel
from engine.hands.cards import CARDS, COMBO_CARDS, COMBOS
from engine.showdown.board_kernels import fill_ranks
from engine.showdown.tables import RANKS

_TOTAL = CARDS
_ROW = CARDS + 4
"""Sums of weights: one per card, then the total, filled up to whole vectors."""
_HIGH = COMBO_CARDS[:, 0].copy()
_LOW = COMBO_CARDS[:, 1].copy()

# Kernels: arguments are trusted, results go to the last arguments.


@inlined_kernel
def _compare(
    ranks: NDArray[np.uint16],
    mine: int,
    deals: int,
    lost: NDArray[np.int32],
    tied: NDArray[np.int32],
) -> None:
    """Count one board for one rank against every combo; vectorised by the compiler."""
    for combo in range(COMBOS):
        lost[combo] += (ranks[combo] > mine) * deals
        tied[combo] += (ranks[combo] == mine) * deals


@kernel
def count_showdowns(
    boards: NDArray[np.uint8],
    deals: NDArray[np.int32],
    combos: NDArray[np.int32],
    lost: NDArray[np.int32],
    tied: NDArray[np.int32],
) -> None:
    """Add the results of each combo against all others, those that share a card with it too."""
    ranks = np.empty(COMBOS, np.uint16)
    for board in range(len(boards)):
        fill_ranks(boards[board], ranks)
        for k in range(len(combos)):
            mine = ranks[combos[k]]
            if mine > 0:
                _compare(ranks, mine, deals[board], lost[k], tied[k])


@kernel
def add_showdowns(
    boards: NDArray[np.uint8],
    deals: NDArray[np.int32],
    combos: NDArray[np.int32],
    rivals: NDArray[np.int32],
    weights: NDArray[np.float64],
    won: NDArray[np.float64],
    drawn: NDArray[np.float64],
) -> None:
    """Add the results of each combo against a whole range, in time linear in both.

    On every board the combos fall into groups of equal strength.  Sums of weights up to each
    group, in total and per card, give what a combo beats: the total below it, less the combos
    with one of its cards.  No combo below it has both cards; among its equals only itself has.
    """
    ranks = np.empty(COMBOS, np.uint16)
    seen = np.zeros((RANKS + 8) // 8 * 8, np.uint8)
    group_of = np.zeros(RANKS + 1, np.uint16)
    sums = np.empty((len(combos) + len(rivals) + 1, _ROW), np.float64)
    for board in range(len(boards)):
        fill_ranks(boards[board], ranks)
        _see(ranks, combos, seen)
        _see(ranks, rivals, seen)
        groups = _number_groups(seen, group_of)
        _sum_weights(ranks, group_of, rivals, weights, sums[:groups])
        for combo in combos:
            if ranks[combo] > 0:
                high = _HIGH[combo]
                low = _LOW[combo]
                upto = sums[group_of[ranks[combo]]]
                below = sums[group_of[ranks[combo]] - 1]
                beaten = below[_TOTAL] - below[high] - below[low]
                level = upto[_TOTAL] - upto[high] - upto[low] + weights[combo]
                won[combo] += deals[board] * beaten
                drawn[combo] += deals[board] * (level - beaten)


@inlined_kernel
def _see(ranks: NDArray[np.uint16], combos: NDArray[np.int32], seen: NDArray[np.uint8]) -> None:
    for combo in combos:
        seen[ranks[combo]] = 1


@inlined_kernel
def _number_groups(seen: NDArray[np.uint8], group_of: NDArray[np.uint16]) -> int:
    """Number the ranks seen from 1 up and clear `seen`; return the number of groups + 1."""
    seen[0] = 0
    words = seen.view(np.uint64)  # most are zero: a board has about 80 ranks
    groups = 1
    for word in range(len(words)):
        if words[word] != 0:
            for rank in range(8 * word, 8 * word + 8):
                if seen[rank]:
                    group_of[rank] = groups
                    groups += 1
            words[word] = 0
    return groups


@inlined_kernel
def _sum_weights(
    ranks: NDArray[np.uint16],
    group_of: NDArray[np.uint16],
    other: NDArray[np.int32],
    weights: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None:
    """Fill sums (groups + 1, 56) with the weights up to each group, per card and in total."""
    sums[:] = 0.0
    for combo in other:
        if ranks[combo] > 0:
            row = sums[group_of[ranks[combo]]]
            row[_HIGH[combo]] += weights[combo]
            row[_LOW[combo]] += weights[combo]
            row[_TOTAL] += weights[combo]
    for group in range(1, len(sums)):
        row = sums[group]
        before = sums[group - 1]
        for column in range(_ROW):
            row[column] += before[column]


@kernel
def add_transitions(
    now: NDArray[np.uint16],
    then: NDArray[np.uint16],
    combos: NDArray[np.int32],
    rivals: NDArray[np.int32],
    weights: NDArray[np.float64],
    boards: int,
    matrix: NDArray[np.float64],
) -> None:
    """Add how each combo's standing against a range changes when more cards come.

    Args:
        now: (1326,) ranks on the board as it is.
        then: (N, 1326) ranks on every board that may follow.
        combos: (K,) combos whose results are wanted.
        rivals: (M,) combos of the range; by strength, so that branches are predictable.
        weights: (1326,) their weights.
        boards: how many of the N are possible for two combos without a common card.
        matrix: (1326, 3, 3) weight that goes from a standing (ahead, tied, behind) to another.
    """
    lost = np.empty(COMBOS, np.int32)
    tied = np.empty(COMBOS, np.int32)
    for mine in combos:
        lost[:] = 0
        tied[:] = 0
        for board in range(len(then)):
            if then[board, mine] > 0:
                _compare(then[board], then[board, mine], 1, lost, tied)
        high = _HIGH[mine]
        low = _LOW[mine]
        for combo in rivals:
            shared = (_HIGH[combo] == high) | (_LOW[combo] == low)
            shared |= (_HIGH[combo] == low) | (_LOW[combo] == high)
            if not shared:
                standing = int(now[mine] <= now[combo]) + int(now[mine] < now[combo])
                weight = weights[combo]
                matrix[mine, standing, 0] += weight * (boards - lost[combo] - tied[combo])
                matrix[mine, standing, 1] += weight * tied[combo]
                matrix[mine, standing, 2] += weight * lost[combo]
