"""Count the percentiles over all hands and boards, a minute's work; `percentiles` reads them.

Run as `python -m tests.studies.equity_percentiles FILE`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.equity.equity_tables import TOP_LEVEL, build_levels, levels_of_starting_hands
from engine.equity.percentiles import KNOTS
from engine.equity.river_rows import river_rows
from engine.equity.river_rows_kernels import BLOCKED, HALVES, half_wins
from engine.hands.isomorphism import CanonicalIndex
from engine.hands.starting_hands import STARTING_HAND_COMBOS

if TYPE_CHECKING:
    from numpy.typing import NDArray


def write_percentiles(path: Path, found: NDArray[np.float64]) -> None:
    """Write (4, 1025) percentiles with nine decimals.

    Raises:
        OSError: the file cannot be written.
    """
    head = [
        "# Share of all hands and boards whose equity against a random hand is below k / 1024,",
        "# one line for each k from 0 to 1024: preflop, flop, turn, river.",
        "# Made by python -m tests.studies.equity_percentiles; every hand is counted.",
    ]
    rows = [" ".join(f"{share:.9f}" for share in row) for row in found.T]
    path.write_text("\n".join([*head, *rows]) + "\n", encoding="utf-8")


def count_percentiles(flop: NDArray[np.uint16], turn: NDArray[np.uint16]) -> NDArray[np.float64]:
    """Return (4, 1025) float64, given the levels of all flop and turn hands, by class."""
    counts = [np.bincount(levels_of_starting_hands(), STARTING_HAND_COMBOS, TOP_LEVEL + 1)]
    for groups, levels in (((2, 3), flop), ((2, 4), turn)):
        index = CanonicalIndex(groups)
        counts.append(np.bincount(levels, index.deals(np.arange(index.size)), TOP_LEVEL + 1))
    boards = CanonicalIndex((5,))
    halves = np.zeros(BLOCKED + 1, np.int64)
    half_wins(river_rows().halves, boards.deals(np.arange(boards.size)), halves)
    river = (2 * TOP_LEVEL * np.arange(BLOCKED) + HALVES) // (2 * HALVES)
    counts.append(np.bincount(river, halves[:BLOCKED], TOP_LEVEL + 1))
    return np.array([_shares_below(of_street) for of_street in counts])


def _shares_below(counts: NDArray[Any]) -> NDArray[np.float64]:
    """Return (1025,) the share of all that lies below each knot; counts (65536,) by level."""
    below = np.concatenate(([0.0], np.cumsum(counts)))
    first = -(-np.arange(KNOTS) * TOP_LEVEL // (KNOTS - 1))  # the lowest level not below the knot
    shares: NDArray[np.float64] = below[first] / below[-1]
    return shares


def _make_anew(path: Path) -> None:
    write_percentiles(path, count_percentiles(*build_levels()))


if __name__ == "__main__":
    _make_anew(Path(sys.argv[1]))
