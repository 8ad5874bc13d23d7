"""Compiled half of `engine.abstraction.ochs`: equity against eight groups of opponents at once.

    won   (8,) or (1326, 8) int16   per cluster, twice the opponents beaten plus those tied with
    met   likewise                  possible opponents, given the board and the own cards

`fill_ochs` does all combos of a board, `ochs_of_combo` one of them, with the same results.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import as_int, inlined_kernel, kernel
from engine.equity.river_rows_kernels import HIGH, LOW, BoardScratch, order_live_combos
from engine.hands.cards import CARDS, COMBOS
from engine.hands.combo_kernels import combo_at
from engine.showdown.board_kernels import fill_ranks

CLUSTERS: Final = 8

_BLOCKED: Final = 0x7FFF
"""In place of a strength: neither beaten nor tied with."""
_TOTAL: Final = CARDS


class ClusterTables(NamedTuple):
    """Which combos make up the clusters."""

    of_combo: NDArray[np.int64]
    """(1326,) cluster of each combo, 0..7."""
    by_cluster: NDArray[np.int64]
    """(1326,) combos, cluster by cluster."""
    ends: NDArray[np.int64]
    """(8,) how many combos there are up to each cluster."""
    with_card: NDArray[np.int16]
    """(53, 8) combos of each cluster with each card; in the last row all of them."""
    holding: NDArray[np.int64]
    """(52, 51) the combos with each card."""


class OchsScratch(NamedTuple):
    """Scratch of one thread."""

    board: BoardScratch
    held: NDArray[np.int16]
    """(53, 8) combos seen so far with each card and in all, by cluster."""
    sorted: NDArray[np.int16]
    """(1326,) strengths of `by_cluster`."""
    won: NDArray[np.int16]
    """(8,)"""
    met: NDArray[np.int16]
    """(8,)"""
    point: NDArray[np.float32]
    """(8,)"""


# Kernels: arguments are trusted, nothing is allocated, results go to the last arguments.


@inlined_kernel
def _free(held: NDArray[np.int16], combo: int, k: int) -> Any:
    """Return the combos of a cluster among those held that share no card with `combo`.

    If `combo` is among them, the result is one less: it is counted once and taken away twice.
    """
    return held[_TOTAL, k] - held[HIGH[combo], k] - held[LOW[combo], k]


@kernel
def fill_ochs(
    board: NDArray[np.uint8],
    clusters: ClusterTables,
    scratch: OchsScratch,
    won: NDArray[np.int16],
    met: NDArray[np.int16],
) -> int:
    """Write won and met (1326, 8) of all combos; return how many of them the board leaves.

    Those combos are `scratch.board.order[:n]`; the rows of others are not written to.
    """
    fill_ranks(board, scratch.board.strengths)
    groups = order_live_combos(scratch.board)
    order, ends, held, of_combo = (
        scratch.board.order,
        scratch.board.ends,
        scratch.held,
        clusters.of_combo,
    )
    held[:] = 0
    first = 0
    for group in range(groups):
        end = ends[group]
        for i in range(first, end):
            combo = order[i]
            for k in range(CLUSTERS):
                won[combo, k] = _free(held, combo, k)
        for i in range(first, end):
            combo = order[i]
            k = of_combo[combo]
            held[HIGH[combo], k] += np.int16(1)
            held[LOW[combo], k] += np.int16(1)
            held[_TOTAL, k] += np.int16(1)
        for i in range(first, end):
            combo = order[i]
            for k in range(CLUSTERS):
                won[combo, k] += np.int16(_free(held, combo, k))
            won[combo, of_combo[combo]] += np.int16(1)
        first = end
    for i in range(first):
        combo = order[i]
        for k in range(CLUSTERS):
            met[combo, k] = _free(held, combo, k)
        met[combo, of_combo[combo]] += np.int16(1)
    return first


@kernel
def sort_strengths(
    strengths: NDArray[np.uint16], by_cluster: NDArray[np.int64], out: NDArray[np.int16]
) -> None:
    """Put the strengths of a board's combos into the order in which `ochs_of_combo` reads them."""
    for i in range(COMBOS):
        strength = np.int16(strengths[by_cluster[i]])
        out[i] = _BLOCKED if strength == 0 else strength


@kernel
def ochs_of_combo(
    combo: int,
    board: NDArray[np.uint8],
    clusters: ClusterTables,
    scratch: OchsScratch,
) -> None:
    """Write the numbers of one combo to scratch.won and scratch.met.

    `scratch.board.strengths` and `scratch.sorted` are those of the board.
    """
    strengths, won, met = scratch.board.strengths, scratch.won, scratch.met
    of_combo, holding = clusters.of_combo, clusters.holding
    mine = np.int16(strengths[combo])
    _count_won(mine, clusters.ends, scratch.sorted, won)
    for own in (HIGH[combo], LOW[combo]):
        for i in range(CARDS - 1):
            other = holding[own, i]
            strength = np.int16(strengths[other])
            counted = as_int(strength < mine) + as_int(strength <= mine)
            won[of_combo[other]] -= np.int16(counted * (strength > 0))
    won[of_combo[combo]] += np.int16(1)
    _count_met(combo, board, of_combo, clusters.with_card, met)


@kernel
def _count_won(
    mine: np.int16,
    ends: NDArray[np.int64],
    by_cluster: NDArray[np.int16],
    won: NDArray[np.int16],
) -> None:
    """Count twice the combos that are beaten, and those tied with."""
    first = 0
    for k in range(CLUSTERS):
        halves = np.int16(0)
        for i in range(first, ends[k]):
            halves = np.int16(halves + (by_cluster[i] < mine) + (by_cluster[i] <= mine))
        won[k] = halves
        first = ends[k]


@kernel
def _count_met(
    combo: int,
    board: NDArray[np.uint8],
    of_combo: NDArray[np.int64],
    with_card: NDArray[np.int16],
    met: NDArray[np.int16],
) -> None:
    """Count combos without any of the seven known cards.

    All combos, less those with each known card; those with two of them are taken away once.
    """
    for k in range(CLUSTERS):
        met[k] = with_card[_TOTAL, k]
    for i in range(7):
        card = _known_card(combo, board, i)
        for k in range(CLUSTERS):
            met[k] -= with_card[card, k]
        for j in range(i):
            other = _known_card(combo, board, j)
            met[of_combo[combo_at(card, other)]] += np.int16(1)


@inlined_kernel
def _known_card(combo: int, board: NDArray[np.uint8], i: int) -> Any:
    if i < 5:
        return as_int(board[i])
    return HIGH[combo] if i == 5 else LOW[combo]


@inlined_kernel
def ochs_point(
    won: NDArray[np.int16], met: NDArray[np.int16], scale: int, point: NDArray[np.float32]
) -> None:
    """Write equities, 0..scale and rounded half up, to a point (8,)."""
    for k in range(CLUSTERS):
        point[k] = (as_int(won[k]) * scale + met[k]) // (2 * as_int(met[k]))
