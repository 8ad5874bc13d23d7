"""Equities of all combos on a board and their histograms: what tests compare tables with."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.abstraction.histograms import PUBLISHED_BINS, bins_of_halves
from engine.abstraction.histograms_kernels import count_runouts
from engine.equity.river_rows import computed_rows
from engine.equity.river_rows_kernels import (
    BLOCKED,
    HALVES,
    RiverRows,
    board_scratch,
    halves_of_boards,
)
from engine.hands.cards import COMBOS


def equities(board: Sequence[int]) -> NDArray[np.float64]:
    """Return (1326,) each combo's share of the pot on a complete board, nan where it is blocked."""
    halves = np.empty((1, COMBOS), np.uint16)
    halves_of_boards(np.array([board], np.uint8), board_scratch(), halves)
    return np.where(halves[0] == BLOCKED, np.nan, halves[0] / HALVES)


def histograms(
    board: Sequence[int], bins: int = PUBLISHED_BINS, rivers: RiverRows | None = None
) -> NDArray[np.uint16]:
    """Return the equity histograms of all combos on the flop or turn.

    Args:
        board: three or four cards.
        bins: how many equal parts the equities 0..1 are cut into.
        rivers: `river_rows()`; None takes several times as long (20 ms on the flop).

    Returns:
        (1326, bins) uint16 run-outs in each bin, 0 throughout where the board blocks the combo.
    """
    cards, bin_of = np.array(board, np.uint8), bins_of_halves(bins)
    counts = np.zeros((COMBOS, bins + 1), np.uint16)
    count_runouts(cards, rivers or computed_rows(), board_scratch(), bin_of, counts)
    return np.ascontiguousarray(counts[:, :-1])
