"""The centres of `player_types`, found by K-means over windows of play."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from agents.statistical.player_types import FEATURES, TYPES, PlayerTypes, Summary, name_centres

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.statistical.dataset import Decisions

WINDOW: Final = 100
"""Hands of a player that make a point."""
_SPREADS_SHOWN: Final = 4.0
"""Standard deviations on either side of the mean that K-means tells apart."""
_LEAST_SPREAD: Final = 1e-3
_RESTARTS: Final = 20


class Windows(NamedTuple):
    """W windows of play."""

    points: NDArray[np.float64]
    """(W, 8) as in `player_types`."""
    players: NDArray[np.int64]
    """(W,) whose."""


def windows_of(decisions: Decisions, window: int = WINDOW) -> Windows:
    """Return the play of each player, cut into windows of hands; what is left over is left out.

    Raises:
        ValueError: `window` is not positive.
    """
    if window < 1:
        raise ValueError(f"windows of {window} hands")
    points, players = [], []
    for player in range(len(decisions.names)):
        rows = np.flatnonzero(decisions.players == player)
        _, number = np.unique(decisions.hands[rows], return_inverse=True)
        hands = int(number.max()) + 1 if len(rows) else 0
        for first in range(0, hands - window + 1, window):
            inside = rows[(number >= first) & (number < first + window)]
            points.append(_summary(decisions, inside, window).features())
            players.append(player)
    return Windows(
        np.array(points).reshape(len(points), len(FEATURES)), np.array(players, np.int64)
    )


def find_types(
    points: NDArray[np.float64],
    rng: np.random.Generator,
    window: int = WINDOW,
    progress: Callable[[float], None] | None = None,
) -> PlayerTypes:
    """Return the types of (W, 8) points; the same points and generator give the same types.

    Raises:
        ValueError: there are fewer than five different points.
    """
    from engine.abstraction.clustering import KMeans, k_means, scale_of, vector_points

    if points.ndim != 2 or points.shape[1] != len(FEATURES) or len(points) < len(TYPES):
        raise ValueError(f"points {points.shape}: want at least {len(TYPES)} of {len(FEATURES)}")
    means = points.mean(axis=0)
    spreads = np.maximum(points.std(axis=0), _LEAST_SPREAD)
    span = 2 * _SPREADS_SHOWN
    scaled = np.clip((points - means) / spreads / span + 0.5, 0, 1)
    found = k_means(
        vector_points(scaled),
        len(TYPES),
        squared=True,
        rng=rng,
        settings=KMeans(restarts=_RESTARTS, rounds=100, tolerance=0.0, threads=1),
        progress=progress,
    )
    centres = (found.centres.points / scale_of(len(FEATURES), squared=True) - 0.5) * span
    width = max(span * float(np.sqrt(found.inertia / len(FEATURES))), _LEAST_SPREAD)
    order = name_centres(centres.astype(np.float64))
    return PlayerTypes(centres[list(order)].astype(np.float64), means, spreads, width, window)


def _summary(decisions: Decisions, rows: NDArray[np.int64], hands: int) -> Summary:
    summary = Summary()
    for _ in range(hands):
        summary.add_hand()
    columns = (
        decisions.actions[rows].tolist(),
        decisions.raises[rows].tolist(),
        decisions.stacks[rows].tolist(),
        decisions.shown[rows].tolist(),
        decisions.strengths[rows].tolist(),
    )
    for action, raised, stack, shown, strength in zip(*columns, strict=True):
        summary.add(action, raised, stack)
        if shown and not math.isnan(strength):
            summary.add_shown(action, strength)
    return summary
