"""What share of all hands is weaker: the percentile of an equity against a random hand.

    percentiles()   (4, 1025) float64   for each street, preflop to river, the share of all hands
                                        and boards whose equity is below k / 1024

Between two such knots the percentile is taken as linear.  The numbers are shipped, so that nobody
needs the tables of all hands for them; `python -m engine.showdown.percentiles FILE` counts them
anew (a minute).  The file is text: lines of explanation that begin with "#", then a line of four
numbers for each knot.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.errors import ArtifactMismatch
from engine.showdown.starting_hands import STARTING_HAND_COMBOS

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHIPPED: Final = Path(__file__).with_name("data") / "equity_percentiles.txt"
STREETS: Final = 4
KNOTS: Final = 1025

_TOP: Final = 65535


@cache
def percentiles() -> NDArray[np.float64]:
    """Return the shipped percentiles, read-only.

    Raises:
        ArtifactMismatch: the file is missing or damaged.
    """
    return read_percentiles(SHIPPED)


def percentile(street: int, p: float) -> float:
    """Return the share of the hands and boards of a street with a smaller equity, 0 to 1.

    Args:
        street: 0 preflop .. 3 river.
        p: equity against a random hand, 0 to 1.

    Raises:
        ValueError: there is no such street, or p is no equity.
        ArtifactMismatch: the shipped numbers are missing or damaged.
    """
    if not 0 <= street < STREETS:
        raise ValueError(f"street {street}: want 0..{STREETS - 1}")
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"an equity of {p}")
    known = percentiles()[street]
    place = round(p * _TOP) * (KNOTS - 1) / _TOP
    knot = min(int(place), KNOTS - 2)
    below = float(known[knot])
    return below + (float(known[knot + 1]) - below) * (place - knot)


def read_percentiles(path: Path) -> NDArray[np.float64]:
    """Return (4, 1025) float64 what `write_percentiles` wrote, read-only.

    Raises:
        ArtifactMismatch: the file is missing or damaged.
    """
    remedy = f"reinstall, or make it anew: python -m engine.showdown.percentiles {path}"
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        rows = [line.split() for line in lines if not line.startswith("#")]
        found = np.ascontiguousarray(np.array(rows, np.float64).T)
    except OSError as error:
        raise ArtifactMismatch(f"{path}: {error.strerror or error}; {remedy}") from error
    except ValueError as error:
        raise ArtifactMismatch(f"{path}: damaged; {remedy}") from error
    right = found.shape == (STREETS, KNOTS) and bool(np.all(np.diff(found, axis=1) >= 0))
    if not right or found.min() < 0 or found.max() > 1:
        raise ArtifactMismatch(f"{path}: damaged; {remedy}")
    found.flags.writeable = False
    return found


def write_percentiles(path: Path, found: NDArray[np.float64]) -> None:
    """Write (4, 1025) percentiles with nine decimals.

    Raises:
        OSError: the file cannot be written.
    """
    head = [
        "# Share of all hands and boards whose equity against a random hand is below k / 1024,",
        "# one line for each k from 0 to 1024: preflop, flop, turn, river.",
        "# Made by python -m engine.showdown.percentiles; every hand is counted.",
    ]
    rows = [" ".join(f"{share:.9f}" for share in row) for row in found.T]
    path.write_text("\n".join([*head, *rows]) + "\n", encoding="utf-8")


def count_percentiles(flop: NDArray[np.uint16], turn: NDArray[np.uint16]) -> NDArray[np.float64]:
    """Return (4, 1025) float64, given the levels of all flop and turn hands, by class."""
    from engine.abstraction.features import river_rows
    from engine.abstraction.features_kernels import BLOCKED, HALVES, count_halves
    from engine.showdown.equity_tables import levels_of_starting_hands
    from engine.showdown.isomorphism import CanonicalIndex

    counts = [np.bincount(levels_of_starting_hands(), STARTING_HAND_COMBOS, _TOP + 1)]
    for groups, levels in (((2, 3), flop), ((2, 4), turn)):
        index = CanonicalIndex(groups)
        counts.append(np.bincount(levels, index.deals(np.arange(index.size)), _TOP + 1))
    boards = CanonicalIndex((5,))
    halves = np.zeros(BLOCKED + 1, np.int64)
    count_halves(river_rows().halves, boards.deals(np.arange(boards.size)), halves)
    river = (2 * _TOP * np.arange(BLOCKED) + HALVES) // (2 * HALVES)
    counts.append(np.bincount(river, halves[:BLOCKED], _TOP + 1))
    return np.array([_shares_below(of_street) for of_street in counts])


def _shares_below(counts: NDArray[Any]) -> NDArray[np.float64]:
    """Return (1025,) the share of all that lies below each knot; counts (65536,) by level."""
    below = np.concatenate(([0.0], np.cumsum(counts)))
    first = -(-np.arange(KNOTS) * _TOP // (KNOTS - 1))  # the lowest level not below the knot
    shares: NDArray[np.float64] = below[first] / below[-1]
    return shares


def _make_anew(path: Path) -> None:
    from engine.showdown.equity_tables import build_levels

    write_percentiles(path, count_percentiles(*build_levels()))


if __name__ == "__main__":
    _make_anew(Path(sys.argv[1]))
