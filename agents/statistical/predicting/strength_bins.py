"""Effective strengths in equal bins, and how the decision tree numbers them with actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from agents.statistical.counting.situations import ACTIONS

if TYPE_CHECKING:
    from numpy.typing import NDArray

STRENGTH_BINS: Final = 20
BINS: Final = STRENGTH_BINS + 1
LABELS: Final = ACTIONS * BINS
LEAF: Final = -1
"""Feature of a node that is not split."""


def strength_bins(strengths: NDArray[np.floating]) -> NDArray[np.int64]:
    """Return (N,) the bins, 0 to 19, of strengths within 0..1; 20 for nan."""
    bins = np.full(len(strengths), STRENGTH_BINS, np.int64)
    known = ~np.isnan(strengths)
    bins[known] = np.clip((strengths[known] * STRENGTH_BINS).astype(int), 0, STRENGTH_BINS - 1)
    return bins
