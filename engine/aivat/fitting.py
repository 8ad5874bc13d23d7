"""Lines of equity values from hands that were played.

What position 0 won, in pots of a place, is regressed on its edge there, for each kind of place over
all hands that came by.  A hand counts as often as there are big blinds in the pot, since it is
chips that the lines are to predict.  Kinds that are rarely seen lean on all places of their street,
actor and call, and those on the hands being checked down (ridge regression towards the parent).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from engine.aivat.equity_values import KINDS, SHAPE

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PARENT_HANDS: Final = 100.0
"""A parent counts as so many hands with pots of one big blind."""
_KINDS_PER_CALL: Final = int(np.prod(SHAPE[3:]))


def fit_lines(
    kinds: NDArray[np.int64],
    edges: NDArray[np.float64],
    won: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> NDArray[np.float32]:
    """Return (`KINDS`, 2) float32, base and slope of each kind of place.

    Args:
        kinds: (N,) of places that were passed.
        edges: (N,) P(win) - P(loss) of position 0 there.
        won: (N,) chips that position 0 won in the hand, in pots of the place.
        weights: (N,) pots in big blinds.

    Raises:
        ValueError: the shapes differ, or a kind is none.
    """
    if not kinds.shape == edges.shape == won.shape == weights.shape or kinds.ndim != 1:
        raise ValueError("kinds, edges, chips and weights: want four times (N,)")
    if len(kinds) and not 0 <= kinds.min() <= kinds.max() < KINDS:
        raise ValueError(f"kinds {kinds.min()}..{kinds.max()}: want 0..{KINDS - 1}")
    sums = np.zeros((KINDS, 5))
    for column, term in enumerate((np.ones(len(kinds)), edges, edges * edges, won, edges * won)):
        sums[:, column] = np.bincount(kinds, weights * term, KINDS)
    groups = sums.reshape(-1, _KINDS_PER_CALL, 5).sum(axis=1)
    checked_down = np.tile([0.0, 0.5], (len(groups), 1))
    parents = np.repeat(_lines(groups, checked_down), _KINDS_PER_CALL, axis=0)
    return _lines(sums, parents).astype(np.float32)


def _lines(sums: NDArray[np.float64], towards: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (K, 2) the least squares of (K, 5) sums, leaning towards (K, 2) lines."""
    n, x, xx, y, xy = sums.T
    base, slope = towards.T
    n, xx = n + _PARENT_HANDS, xx + _PARENT_HANDS * _EDGE_VARIANCE
    y, xy = y + _PARENT_HANDS * base, xy + _PARENT_HANDS * _EDGE_VARIANCE * slope
    scale = n * xx - x * x
    return np.stack(((y * xx - x * xy) / scale, (n * xy - x * y) / scale), axis=1)


_EDGE_VARIANCE: Final = 0.15
"""It is about that of edges, and scales the leaning of slopes."""
