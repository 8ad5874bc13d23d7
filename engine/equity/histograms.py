"""Equity histograms, the features of buckets: how strong combos are against a random hand.

    halves   uint16   on a complete board: twice the opponents beaten plus those tied with, of the
                      990 that can be there; halves / 1980 is the equity.  BLOCKED (1981) where the
                      board blocks the combo
    counts   uint16   histogram: run-outs (46 on the turn, 1081 on the flop) whose equity lies in
                      each of B equal bins; the last one holds 1.0 too

One pass over the sorted combos of a complete board gives the halves of all of them.  `river_rows`
keeps them for all 134 459 boards that differ by more than the names of suits (357 MB, built in
seconds); a histogram is then a sum of look-ups.  `visit_histograms` computes those of all 1 286 792
flop hands or all 13 960 050 turn hands in seconds (the order of the board does not matter).

Source of the idea: Johanson, Burch, Valenzano, Bowling, "Evaluating state-space
abstractions in extensive-form games", AAMAS 2013.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.equity.histograms_kernels import (
    BLOCKED,
    HALVES,
    RiverRows,
    board_scratch,
    count_runouts,
    halves_of_boards,
    pick_classes,
)
from engine.hands.cards import COMBO_CARDS, COMBOS, card_bits, combos_of
from engine.hands.isomorphism import CanonicalIndex
from engine.parallel.threads import Progress, run_blocks

BINS: Final = 50
"""Bins of the published histograms."""
MOST_BINS: Final = HALVES + 1
"""One bin for each possible equity."""

_BOARDS_AT_ONCE: Final = 32

Visit = Callable[[NDArray[np.int64], NDArray[np.uint16]], None]
"""Called with (n,) classes and their (n, B) histograms, which are overwritten afterwards."""


def equities(board: Sequence[int]) -> NDArray[np.float64]:
    """Return each combo's share of the pot against all hands it can meet on a complete board.

    Returns:
        (1326,) float64, nan where the board blocks the combo.

    Raises:
        ValueError: not five different cards.
    """
    halves = _halves(_checked(board, (5,)))
    return np.where(halves == BLOCKED, np.nan, halves / HALVES)


def histograms(
    board: Sequence[int], bins: int = BINS, rivers: RiverRows | None = None
) -> NDArray[np.uint16]:
    """Return the equity histograms of all combos on the flop or turn.

    Args:
        board: three or four cards.
        bins: how many equal parts the equities 0..1 are cut into.
        rivers: `river_rows()`; None takes several times as long (20 ms on the flop).

    Returns:
        (1326, bins) uint16 run-outs in each bin, 0 throughout where the board blocks the combo.

    Raises:
        ValueError: not three or four different cards, or less than one bin or more than MOST_BINS.
    """
    cards, bin_of = _checked(board, (3, 4)), bins_of_halves(bins)
    counts = np.zeros((COMBOS, bins + 1), np.uint16)
    count_runouts(cards, rivers or computed_rows(), board_scratch(), bin_of, counts)
    return np.ascontiguousarray(counts[:, :-1])


def moments(board: Sequence[int]) -> NDArray[np.float64]:
    """Return E[HS] and E[HS^2] of all combos: mean equity over the run-outs, and mean square.

    Args:
        board: three to five cards.

    Returns:
        (1326, 2) float64, nan where the board blocks the combo.

    Raises:
        ValueError: not three to five different cards.
    """
    cards = _checked(board, (3, 4, 5))
    counts = np.zeros((COMBOS, HALVES + 2), np.uint16)
    every = np.arange(HALVES + 2, dtype=np.uint16)
    count_runouts(cards, computed_rows(), board_scratch(), every, counts)
    equity = every[:-1] / HALVES
    powers = np.stack((np.ones_like(equity), equity, equity**2), axis=1)
    sums: NDArray[np.float64] = counts[:, :-1] @ powers
    blocked = (COMBO_CARDS[:, :, None] == cards).any(axis=(1, 2))
    sums[blocked] = np.nan
    return sums[:, 1:] / sums[:, :1]


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
    bins: int = BINS,
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
        bins: as in `histograms`.

    Raises:
        ValueError: another number of cards, another shape or dtype of `wanted`, or a number of bins
            that `histograms` refuses.
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


def _halves(board: NDArray[np.uint8]) -> NDArray[np.uint16]:
    halves = np.empty(COMBOS, np.uint16)
    halves_of_boards(board[None], board_scratch(), halves[None])
    return halves


def _checked(board: Sequence[int], sizes: tuple[int, ...]) -> NDArray[np.uint8]:
    """Return the board as an array.  Raises ValueError for other than `sizes` different cards."""
    card_bits(board)
    if len(board) not in sizes:
        raise ValueError(f"a board of {len(board)} cards: want {' or '.join(map(str, sizes))}")
    return np.array(board, np.uint8)


def _renamed_combos() -> NDArray[np.int16]:
    """Return what `RiverRows.renamed` holds."""
    table = np.zeros((256, COMBOS), np.int16)
    for names in permutations(range(4)):
        cards = COMBO_CARDS.astype(np.int64)
        cards = cards & ~3 | np.array(names)[cards & 3]
        row = sum(name << 2 * suit for suit, name in enumerate(names))
        table[row] = combos_of(cards)
    return table
