"""Which hands are trained on and which are held out: whole matches, never single decisions.

Hands of a match are dependent, and several decisions see one deck.  So records are cut into units:
the sessions, or, where these are few, pieces of consecutive hands of one session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.poker_cnn.cnn_records import CnnRecords

LEAST_UNITS: Final = 20


def units_of(records: CnnRecords) -> NDArray[np.int64]:
    """Return (H,) the number of each hand's unit."""
    sessions = records.sessions.astype(np.int64)
    names = np.unique(sessions)
    if len(names) >= LEAST_UNITS:
        return np.searchsorted(names, sessions)
    pieces = -(-LEAST_UNITS // len(names))
    units = np.empty(len(sessions), np.int64)
    for number, session in enumerate(names):
        hand_rows = np.flatnonzero(sessions == session)
        units[hand_rows] = pieces * number + np.arange(len(hand_rows)) * pieces // len(hand_rows)
    return units


def share_out(
    units: NDArray[np.int64], shares: list[float], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return (H,) parts of hands, whole units in random order, filled up in the order of shares.

    Args:
        shares: of hands that each part is to have, together 1.
    """
    counts = np.bincount(units)
    order = rng.permutation(len(counts))
    middles = np.cumsum(counts[order]) - 0.5 * counts[order]
    bounds = np.cumsum(shares)[:-1] * len(units)
    part_of = np.empty(len(counts), np.int64)
    part_of[order] = np.searchsorted(bounds, middles, side="right")
    return part_of[units]


def renumbered(units: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return units numbered from 0 on without gaps, in the same order."""
    return np.unique(units, return_inverse=True)[1]
