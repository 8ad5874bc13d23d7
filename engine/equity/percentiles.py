"""What share of all hands is weaker: the percentile of an equity against a random hand.

    percentiles()   (4, 1025) float64   for each street, preflop to river, the share of all hands
                                        and boards whose equity is below k / 1024

The percentile is linear between two such knots.  The numbers are shipped, so that nobody needs the
tables of all hands; `python -m tests.studies.equity_percentiles FILE` counts them anew (a minute).
The file is text: lines of explanation that begin with "#", then a line of four numbers for each
knot.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.errors import ArtifactMismatch

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHIPPED: Final = Path(__file__).with_name("data") / "equity_percentiles.txt"
STREETS: Final = 4
KNOTS: Final = 1025

TOP_LEVEL: Final = 65535


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
        ValueError: there is no such street, or p is not an equity.
        ArtifactMismatch: the shipped numbers are missing or damaged.
    """
    if not 0 <= street < STREETS:
        raise ValueError(f"street {street}: want 0..{STREETS - 1}")
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"an equity of {p}")
    knots = percentiles()[street]
    level = round(p * TOP_LEVEL) * (KNOTS - 1) / TOP_LEVEL
    knot = min(int(level), KNOTS - 2)
    below = float(knots[knot])
    return below + (float(knots[knot + 1]) - below) * (level - knot)


def read_percentiles(path: Path) -> NDArray[np.float64]:
    """Return (4, 1025) float64, read-only, from a file of them.

    Raises:
        ArtifactMismatch: the file is missing or damaged.
    """
    remedy = "reinstall"
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        rows = [line.split() for line in lines if not line.startswith("#")]
        percentages = np.ascontiguousarray(np.array(rows, np.float64).T)
    except OSError as error:
        raise ArtifactMismatch(f"{path}: {error.strerror or error}; {remedy}") from error
    except ValueError as error:
        raise ArtifactMismatch(f"{path}: damaged; {remedy}") from error
    right = percentages.shape == (STREETS, KNOTS) and bool(
        np.all(np.diff(percentages, axis=1) >= 0)
    )
    if not right or percentages.min() < 0 or percentages.max() > 1:
        raise ArtifactMismatch(f"{path}: damaged; {remedy}")
    percentages.flags.writeable = False
    return percentages
