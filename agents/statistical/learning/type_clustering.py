"""The centres of `player_types`, found by K-means over windows of play."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from agents.statistical.counting.counters import GAME_KINDS
from agents.statistical.counting.play_summary import NUMBERS, PlaySummary
from agents.statistical.predicting.contexts import FEATURES
from agents.statistical.predicting.player_types import CLUSTERED, TYPES, PlayerTypes, clustered

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.statistical.learning.dataset import DecisionTable

WINDOW_HANDS: Final = 100
_NO_LIMIT: Final = FEATURES.index("no-limit")
_CLUSTERED_DEVIATIONS: Final = 4.0
"""K-means tells apart what is within so many standard deviations of the mean."""
_LEAST_SPREAD: Final = 1e-3
_RESTARTS: Final = 20


class Windows(NamedTuple):
    """W windows of play."""

    points: NDArray[np.float64]
    """(W, 10) as in `player_types`."""
    players: NDArray[np.int64]
    """(W,) whose."""
    kinds: NDArray[np.int64]
    """(W,) 1 for play of no-limit games, 0 of limit games."""


def windows_of(decisions: DecisionTable, window: int = WINDOW_HANDS) -> Windows:
    """Return the play of each player, cut into windows of hands; what is left over is left out.

    A window holds hands of one kind of game.
    """
    points, players, kinds = [], [], []
    no_limit = decisions.contexts[:, _NO_LIMIT] > 0
    for player, kind in product(range(len(decisions.names)), range(GAME_KINDS)):
        rows = np.flatnonzero((decisions.players == player) & (no_limit == bool(kind)))
        _, number = np.unique(decisions.hands[rows], return_inverse=True)
        hands = int(number.max()) + 1 if len(rows) else 0
        for first in range(0, hands - window + 1, window):
            inside = rows[(number >= first) & (number < first + window)]
            points.append(_summary(decisions, inside, window, bool(kind)).numbers())
            players.append(player)
            kinds.append(kind)
    return Windows(
        np.array(points).reshape(len(points), len(NUMBERS)),
        np.array(players, np.int64),
        np.array(kinds, np.int64),
    )


def find_types(
    points: NDArray[np.float64],
    kinds: NDArray[np.int64],
    rng: np.random.Generator,
    window: int = WINDOW_HANDS,
    progress: Callable[[float], None] | None = None,
) -> PlayerTypes:
    """Return the types of points; the same points and generator give the same types.

    Args:
        points: (W, 10) as in `player_types`.
        kinds: (W,) 1 for no-limit games, 0 for limit games; where all are of one kind, its means
            and deviations serve for the other as well.
        rng: draws the starting centres of K-means.
        progress: called with the share that is done.

    Raises:
        ValueError: there are fewer different points than centres: too few hands, or too small a
            window.
    """
    from engine.abstraction.clustering import KMeans, k_means, scale_of, vector_points

    points = np.ascontiguousarray(clustered(points))
    of_kind = [points[kinds == kind] for kind in range(GAME_KINDS)]
    met = [some if len(some) else points for some in of_kind]
    means = np.stack([some.mean(axis=0) for some in met])
    spreads = np.maximum(np.stack([some.std(axis=0) for some in met]), _LEAST_SPREAD)
    span = 2 * _CLUSTERED_DEVIATIONS
    scaled = np.clip((points - means[kinds]) / spreads[kinds] / span + 0.5, 0, 1)
    placed = vector_points(scaled)
    different = len(np.unique(placed, axis=0))
    if different < len(TYPES):
        raise ValueError(
            f"{len(points)} times {window} hands of a player show {different} different ways to "
            f"play: too few for {len(TYPES)} clusters; want more hands, or a larger --window"
        )
    clustering = k_means(
        placed,
        len(TYPES),
        squared=True,
        rng=rng,
        settings=KMeans(restarts=_RESTARTS, rounds=100, tolerance=0.0, threads=1),
        progress=progress,
    )
    centres = (clustering.centres.points / scale_of(len(CLUSTERED), squared=True) - 0.5) * span
    width = max(span * float(np.sqrt(clustering.inertia / len(CLUSTERED))), _LEAST_SPREAD)
    return PlayerTypes(centres.astype(np.float64), means, spreads, width, window)


def _summary(
    decisions: DecisionTable, rows: NDArray[np.int64], hands: int, no_limit: bool
) -> PlaySummary:
    summary = PlaySummary(no_limit)
    for _ in range(hands):
        summary.add_hand()
    columns = (
        decisions.actions[rows].tolist(),
        decisions.raises[rows].tolist(),
        decisions.stacks[rows].tolist(),
        decisions.cells[rows].tolist(),
        decisions.shown[rows].tolist(),
        decisions.strengths[rows].tolist(),
    )
    for action, raised, stack, cell, shown, strength in zip(*columns, strict=True):
        summary.add(action, raised, stack, cell)
        if shown and not math.isnan(strength):
            summary.add_shown(action, strength, cell)
    return summary
