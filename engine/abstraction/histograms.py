"""Equity histograms, the features of buckets: how strong combos are against a random hand.

    counts   uint16   histogram: run-outs (46 on the turn, 1081 on the flop) whose equity lies in
                      each of B equal bins; the last one holds 1.0 too

With the halves of all complete boards (`engine.equity.river_rows`) a histogram is a sum of
look-ups.  `visit_histograms` computes those of all 1 286 792 flop hands or all 13 960 050 turn
hands in seconds (the order of the board does not matter).

Source of the idea: Johanson, Burch, Valenzano, Bowling, "Evaluating state-space
abstractions in extensive-form games", AAMAS 2013.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.abstraction.histograms_kernels import count_runouts, pick_classes
from engine.equity.river_rows_kernels import (
    BLOCKED,
    HALVES,
    RiverRows,
    board_scratch,
)
from engine.hands.cards import COMBOS
from engine.hands.isomorphism import CanonicalIndex
from engine.parallel.threads import Progress, run_blocks

PUBLISHED_BINS: Final = 50
MOST_BINS: Final = HALVES + 1
"""Each possible equity has a bin of its own."""

_BOARDS_AT_ONCE: Final = 32

Visit = Callable[[NDArray[np.int64], NDArray[np.uint16]], None]
"""Called with (n,) classes and their (n, B) histograms, which are overwritten afterwards."""


def bins_of_halves(bins: int) -> NDArray[np.uint16]:
    """Return (1982,) uint16: the bin of each number of halves, `bins` for BLOCKED.

    Raises:
        ValueError: less than one bin or more than MOST_BINS.
    """
    if not 1 <= bins <= MOST_BINS:
        raise ValueError(f"{bins} bins: want 1..{MOST_BINS}")
    table = np.minimum(np.arange(HALVES + 2) * bins // HALVES, bins - 1).astype(np.uint16)
    table[BLOCKED] = bins
    return table


@cache
def hand_index(board_cards: int) -> CanonicalIndex:
    """Return the numbering of hands on boards of 3, 4 or 5 cards in any order.

    Raises:
        ValueError: another number of cards.
    """
    if board_cards not in (3, 4, 5):
        raise ValueError(f"a board of {board_cards} cards: want 3, 4 or 5")
    return CanonicalIndex((2, board_cards))


def visit_histograms(
    rivers: RiverRows,
    board_cards: int,
    wanted: NDArray[np.uint8],
    visit: Visit,
    *,
    bins: int = PUBLISHED_BINS,
    threads: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Compute the histograms of many hands, board by board, and pass them to `visit`.

    Args:
        rivers: `river_rows()`.
        board_cards: 3 for the flop, 4 for the turn.
        wanted: (size,) uint8, 1 for each class of `hand_index(board_cards)` that is wanted; all 0
            afterwards.
        visit: called once per board, from several threads; no class comes twice.
        bins: how many equal parts the equities 0..1 are cut into.

    Raises:
        ValueError: another number of cards, another shape or dtype of `wanted`, or less than one
            bin or more than MOST_BINS.
    """
    index = hand_index(board_cards)
    if wanted.shape != (index.size,) or wanted.dtype != np.uint8:
        raise ValueError(f"wanted: want ({index.size},) uint8, got {wanted.shape} {wanted.dtype}")
    on_board = CanonicalIndex((board_cards,))
    boards = on_board.cards(np.arange(on_board.size))
    bin_of = bins_of_halves(bins)

    def work(first: int, end: int) -> None:
        scratch = board_scratch()
        counts = np.empty((COMBOS, bins + 1), np.uint16)
        classes = np.empty(COMBOS, np.int64)
        rows = np.empty((COMBOS, bins), np.uint16)
        for board in boards[first:end]:
            count_runouts(board, rivers, scratch, bin_of, counts)
            picked = pick_classes(board, index.tables, counts, wanted, classes, rows)
            visit(classes[:picked], rows[:picked])

    run_blocks(work, len(boards), _BOARDS_AT_ONCE, threads=threads, progress=progress)
