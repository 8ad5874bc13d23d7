"""Compiled half of `engine.abstraction.histograms`: run-outs counted for all combos of a board.

counts   (1326, B + 1) uint16   run-outs per bin of halves (`engine.equity.river_rows`), the last
                                column for BLOCKED
"""

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel
from engine.equity.river_rows_kernels import (
    HIGH,
    LOW,
    BoardScratch,
    RiverRows,
    fill_halves,
    renaming_row,
)
from engine.hands.cards import CARDS, COMBOS
from engine.hands.combo_kernels import MASKS, card_set
from engine.hands.isomorphism_kernels import SCRATCH, IndexTables, class_of_cards

# Kernels: arguments are trusted, results go to the last arguments.


@kernel
def _add_board(
    board: NDArray[np.uint8],
    rivers: RiverRows,
    suits: NDArray[np.int64],
    scratch: BoardScratch,
    bin_of: NDArray[np.uint16],
    counts: NDArray[np.uint16],
) -> None:
    if len(rivers.halves) > 0:
        row = rivers.halves[class_of_cards(rivers.tables, suits, board)]
        renamed = rivers.renamed[renaming_row(suits)]
        for combo in range(COMBOS):
            counts[combo, bin_of[row[renamed[combo]]]] += np.uint16(1)
    else:
        fill_halves(board, scratch, scratch.halves)
        for combo in range(COMBOS):
            counts[combo, bin_of[scratch.halves[combo]]] += np.uint16(1)


@kernel
def count_runouts(
    board: NDArray[np.uint8],
    rivers: RiverRows,
    scratch: BoardScratch,
    bin_of: NDArray[np.uint16],
    counts: NDArray[np.uint16],
) -> None:
    """Write for every combo how many run-outs of a board fall into each bin.

    Args:
        board: (3,) to (5,) uint8; combos are blocked by its cards and by those of the run-out.
        bin_of: (1982,) uint16 bin of each number of halves, of BLOCKED the last column of counts.
        counts: (1326, B + 1) the result.
    """
    known = len(board)
    suits = np.empty(SCRATCH, np.int64)
    cards = np.empty(5, np.uint8)
    cards[:known] = board
    dead = card_set(board)
    counts[:] = 0
    if known == 5:
        _add_board(cards, rivers, suits, scratch, bin_of, counts)
        return
    for first in range(CARDS if known == 3 else 1):
        if known == 3 and dead >> first & 1:
            continue
        if known == 3:
            cards[3] = first
        for second in range(first + 1 if known == 3 else 0, CARDS):
            if not dead >> second & 1:
                cards[4] = second
                _add_board(cards, rivers, suits, scratch, bin_of, counts)


@kernel
def pick_classes(
    board: NDArray[np.uint8],
    tables: IndexTables,
    counts: NDArray[np.uint16],
    wanted: NDArray[np.uint8],
    classes: NDArray[np.int64],
    rows: NDArray[np.uint16],
) -> int:
    """Collect the histograms of the classes of (hole, board) that are wanted; return how many.

    Args:
        board: (3,) or (4,) uint8.
        tables: of the grouping (2, 3) or (2, 4).
        counts: (1326, B + 1) of this board.
        wanted: (classes,) 1 for those that are wanted, set to 0 when they are picked.
        classes: (1326,) the classes picked.
        rows: (1326, B) their histograms.
    """
    suits = np.empty(SCRATCH, np.int64)
    cards = np.empty(2 + len(board), np.uint8)
    cards[2:] = board
    dead = card_set(board)
    picked = 0
    for combo in range(COMBOS):
        if dead & MASKS[combo]:
            continue
        cards[0] = HIGH[combo]
        cards[1] = LOW[combo]
        index = class_of_cards(tables, suits, cards)
        if wanted[index]:
            wanted[index] = 0
            classes[picked] = index
            rows[picked] = counts[combo, :-1]
            picked += 1
    return picked
