"""Compiled half of `engine.showdown.allin`: go through every board that can still come.

C contenders, those who put in most first; D cards still in the deck; L side pots:

    holes    (C,)          int64  card mask of each contender's hole cards (strength_kernels)
    live     (D,)          int64  mask of each single card that may still come
    rivals   (L,)          int64  contenders in a pot: always the first so many of them
    counts   (L, C, C + 1) int64  boards on which a contender is one of j best in a pot, [l, c, j]
"""

import numpy as np
from numpy.typing import NDArray

from engine._jit import inlined_kernel, kernel
from engine.showdown.strength_kernels import strength_of_mask

# Kernels: arguments are trusted, results go to the last argument.


@kernel
def count_boards(
    live: NDArray[np.int64],
    board: int,
    to_come: int,
    holes: NDArray[np.int64],
    rivals: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Add every board of `to_come` more cards to `counts`, each once."""
    cards = len(live)
    strengths = np.empty(len(holes), np.int64)
    if to_come == 0:
        _settle(board, holes, rivals, strengths, counts)
        return
    chosen = np.arange(to_come)  # indices into live, ascending; the last one has its own loop
    masks = np.empty(to_come, np.int64)  # the board with the first so many chosen cards
    masks[0] = board
    depth = 0
    last = to_come - 1
    while depth >= 0:
        if depth < last:
            if chosen[depth] >= cards - last + depth:
                depth -= 1
                if depth >= 0:
                    chosen[depth] += 1
                continue
            masks[depth + 1] = masks[depth] | live[chosen[depth]]
            chosen[depth + 1] = chosen[depth] + 1
            depth += 1
            continue
        if len(holes) == 2:
            _duel(live[chosen[last] :], masks[last], holes[0], holes[1], counts)
        else:
            for card in live[chosen[last] :]:
                _settle(masks[last] | card, holes, rivals, strengths, counts)
        depth -= 1
        if depth >= 0:
            chosen[depth] += 1


@inlined_kernel
def _duel(
    live: NDArray[np.int64], board: int, mine: int, other: int, counts: NDArray[np.int64]
) -> None:
    won = 0
    tied = 0
    for card in live:
        first = strength_of_mask(board | card | mine)
        second = strength_of_mask(board | card | other)
        won += first > second
        tied += first == second
    counts[0, 0, 1] += won
    counts[0, 1, 1] += len(live) - won - tied
    counts[0, 0, 2] += tied
    counts[0, 1, 2] += tied


@inlined_kernel
def _settle(
    board: int,
    holes: NDArray[np.int64],
    rivals: NDArray[np.int64],
    strengths: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    for contender in range(len(holes)):
        strengths[contender] = strength_of_mask(board | holes[contender])
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
