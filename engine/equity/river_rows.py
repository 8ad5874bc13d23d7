"""What all combos win against a random hand on complete boards: the halves that tables are made of.

    halves   uint16   twice the opponents beaten plus those tied with, of the 990 that can be there;
                      halves / 1980 is the equity.  BLOCKED (1981) where the board blocks the combo

One pass over the sorted combos of a complete board gives the halves of all of them.  `river_rows`
keeps them for all 134 459 boards that differ by more than the names of suits (357 MB, built in
seconds).
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from engine.equity.river_rows_kernels import RiverRows, board_scratch, halves_of_boards
from engine.hands.cards import COMBO_CARDS, COMBOS, combos_of
from engine.hands.isomorphism import CanonicalIndex
from engine.parallel.threads import Progress, run_blocks


def river_rows(*, threads: int | None = None, progress: Progress | None = None) -> RiverRows:
    """Return the halves of all combos on every complete board."""
    index = CanonicalIndex((5,))
    boards = index.cards(np.arange(index.size))
    halves = np.empty((index.size, COMBOS), np.uint16)

    def work(first: int, end: int) -> None:
        halves_of_boards(boards[first:end], board_scratch(), halves[first:end])

    run_blocks(work, index.size, 512, threads=threads, progress=progress)
    return RiverRows(index.tables, halves, _renamed_combos())


def computed_rows() -> RiverRows:
    """Return rows without a table: for work on a few boards, rows are computed when needed."""
    tables = CanonicalIndex((5,)).tables
    return RiverRows(tables, np.empty((0, COMBOS), np.uint16), np.empty((0, COMBOS), np.int16))


def _renamed_combos() -> NDArray[np.int16]:
    """Return what `RiverRows.renamed` holds."""
    table = np.zeros((256, COMBOS), np.int16)
    for names in permutations(range(4)):
        cards = COMBO_CARDS.astype(np.int64)
        cards = cards & ~3 | np.array(names)[cards & 3]
        row = sum(name << 2 * suit for suit, name in enumerate(names))
        table[row] = combos_of(cards)
    return table
