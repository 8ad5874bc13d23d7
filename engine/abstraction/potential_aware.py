"""Potential-aware flop buckets: hands are alike if they lead to the same turn buckets.

    rows     (N, 47) uint16   the turn bucket of each of a flop hand's 47 turn cards, ascending
    ground   distance of turn buckets: the earth mover's distance of their centres

A flop hand is its distribution over turn buckets.  The distance of two hands is the earth mover's
distance over that ground, so it also counts when the strength becomes known.  Exact distances cost
too much; the greedy one used here takes each part of a hand to the nearest mass that is left, all
parts taking turns.  Source: Ganzfried, Sandholm, "Potential-aware imperfect-recall abstraction with
earth mover's distance in imperfect-information games", AAAI 2014.

Moving mass costs at least as much as it shifts the mean, so the ordinary distance of the two mean
histograms is a lower bound.  `clustering` finds the first buckets that way, and most centres are
ruled out without a greedy distance.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.abstraction.clustering import KMeans, assign, k_means, make_centres, scale_of
from engine.abstraction.clustering_kernels import Centres, add_points
from engine.abstraction.histograms import Visit
from engine.abstraction.potential_aware_kernels import (
    FlopCentres,
    FlopScratch,
    Ground,
    add_flops,
    assign_flops,
    greedy_distance,
    shares_of_flops,
    turn_buckets_of_flop,
)
from engine.hands.cards import COMBOS
from engine.hands.isomorphism import CanonicalIndex
from engine.parallel.threads import Progress, run_blocks

TURN_CARDS: Final = 47

_POINTS_AT_ONCE: Final = 512
_BOARDS_AT_ONCE: Final = 8


class FlopClustering(NamedTuple):
    """The result of `potential_k_means`."""

    centres: FlopCentres
    inertia: float
    """Weighted mean of the points' greedy distances to their centres, in bins."""
    rounds: int
    converged: bool
    """Whether the inertia had stopped falling."""


def ground_of(turn: Centres) -> Ground:
    """Return the distances of turn buckets.

    Raises:
        ValueError: the centres are not those of histograms, or more than 65 536.
    """
    if turn.squared or len(turn.points) > 1 << 16:
        raise ValueError("want at most 65536 centres of histograms")
    count = len(turn.points)
    order = np.empty((count, count), np.uint16)
    distances = np.empty((count, count), np.float32)
    for bucket, point in enumerate(turn.points):
        apart = np.abs(turn.points - point).sum(axis=1)
        apart[bucket] = -1  # itself first, whatever else is at the same place
        order[bucket] = np.argsort(apart, kind="stable")
        apart[bucket] = 0
        distances[bucket] = apart[order[bucket]]
    return Ground(order, distances, turn.points)


def greedy_emd(row: NDArray[np.uint16], masses: NDArray[np.float32], ground: Ground) -> float:
    """Return the greedy distance of one point and one centre, in bins; at least the exact one.

    Args:
        row: (M,) uint16 turn buckets, ascending.
        masses: (T,) float32 with sum M.

    Raises:
        ValueError: the shapes or sums do not fit, or the buckets do not ascend.
    """
    buckets = len(ground.order)
    if row.dtype != np.uint16 or row.ndim != 1 or (np.diff(row.astype(int)) < 0).any():
        raise ValueError("row: want (M,) uint16, ascending")
    if len(row) and int(row[-1]) >= buckets:
        raise ValueError(f"row: {row[-1]} is no turn bucket")
    if masses.dtype != np.float32 or masses.shape != (buckets,):
        raise ValueError(f"masses: want ({buckets},) float32")
    if not np.isclose(masses.sum(), len(row), rtol=1e-4):
        raise ValueError(f"masses: the sum is {masses.sum()}, not {len(row)}")
    distance = greedy_distance(row, masses, ground, np.inf, flop_scratch(ground, len(row)))
    return distance / (len(row) * scale_of(ground.shares.shape[1], squared=False))


def visit_turn_buckets(
    turn_buckets: NDArray[np.uint16],
    wanted: NDArray[np.uint8],
    visit: Visit,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Look up the turn buckets of many flop hands, board by board, and pass them to `visit`.

    Args:
        turn_buckets: (13960050,) uint16 by class of (2, 4).
        wanted: (1286792,) uint8, 1 for each class of (2, 3) that is wanted; all 0 afterwards.
        visit: called once per flop, from several threads, with (n,) classes and (n, 47) rows.

    Raises:
        ValueError: a shape or dtype differs.
    """
    flops, turns, boards = CanonicalIndex((2, 3)), CanonicalIndex((2, 4)), CanonicalIndex((3,))
    if turn_buckets.shape != (turns.size,) or turn_buckets.dtype != np.uint16:
        raise ValueError(f"turn_buckets: want ({turns.size},) uint16")
    if wanted.shape != (flops.size,) or wanted.dtype != np.uint8:
        raise ValueError(f"wanted: want ({flops.size},) uint8")
    cards = boards.cards(np.arange(boards.size))

    def work(first: int, end: int) -> None:
        classes = np.empty(COMBOS, np.int64)
        rows = np.empty((COMBOS, TURN_CARDS), np.uint16)
        for board in cards[first:end]:
            picked = turn_buckets_of_flop(
                board, flops.tables, turns.tables, turn_buckets, wanted, classes, rows
            )
            visit(classes[:picked], rows[:picked])

    run_blocks(work, boards.size, _BOARDS_AT_ONCE, threads=threads, progress=progress)


def assign_rows(
    rows: NDArray[np.uint16],
    ground: Ground,
    centres: FlopCentres,
    *,
    guesses: NDArray[np.int32] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Return the nearest centre of each point by greedy distance, and that distance in bins.

    Args:
        rows: (N, M) uint16, each ascending.
        guesses: (N,) int32 centres that are likely to be near; None: those of the nearest mean.

    Raises:
        ValueError: the shape or dtype differs.
    """
    rows = _checked(rows, ground)
    if guesses is None:
        guesses, _ = assign(_points(rows, ground), centres.mean, threads=threads)
    buckets = guesses.astype(np.int32)
    distances = np.empty(len(rows))

    def work(first: int, end: int) -> None:
        part = slice(first, end)
        scratch = flop_scratch(ground, rows.shape[1])
        assign_flops(rows[part], ground, centres, scratch, buckets[part], distances[part])

    run_blocks(work, len(rows), _POINTS_AT_ONCE, threads=threads, progress=progress)
    return buckets, distances / (rows.shape[1] * scale_of(ground.shares.shape[1], squared=False))


def potential_k_means(
    rows: NDArray[np.uint16],
    ground: Ground,
    buckets: int,
    *,
    rng: np.random.Generator,
    weights: NDArray[np.float64] | None = None,
    settings: KMeans | None = None,
    rounds: int = 6,
    progress: Progress | None = None,
) -> FlopClustering:
    """Divide flop hands among buckets by greedy distance.

    The first centres are those that `k_means` finds for the mean histograms.

    Args:
        rows: (N, M) uint16, each ascending.
        weights: (N,) float64.  None: all equal.
        settings: how the first centres are found.
        rounds: most rounds of potential-aware k-means after that.

    Raises:
        ValueError: the arguments do not fit together, or fewer mean histograms differ than there
            are buckets.
    """
    rows = _checked(rows, ground)
    settings = settings or KMeans()
    if rounds < 1:
        raise ValueError(f"{rounds} rounds: want at least 1")
    weights = np.ones(len(rows)) if weights is None else weights
    points = _points(rows, ground)
    means = k_means(points, buckets, squared=False, rng=rng, weights=weights, settings=settings)
    nearest, apart = assign(points, means.centres, threads=settings.threads)
    hands = _Hands(rows, points, weights)
    centres, nearest = _next_centres(hands, nearest, apart, buckets, len(ground.order))
    best, converged = centres, False
    inertias: list[float] = []
    while len(inertias) < rounds and not converged:
        nearest, far = assign_rows(rows, ground, centres, guesses=nearest, threads=settings.threads)
        inertia = float(weights @ far) / float(weights.sum())
        if inertia < min(inertias, default=np.inf):
            best = centres
        converged = bool(inertias) and inertia >= inertias[-1] * (1 - settings.tolerance)
        inertias.append(inertia)
        centres, nearest = _next_centres(hands, nearest, far, buckets, len(ground.order))
        if progress is not None:
            progress(len(inertias) / rounds)
    return FlopClustering(best, min(inertias), len(inertias), converged)


class _Hands(NamedTuple):
    """The flop hands that are clustered."""

    rows: NDArray[np.uint16]
    points: NDArray[np.float32]
    weights: NDArray[np.float64]


def _next_centres(
    hands: _Hands,
    nearest: NDArray[np.int32],
    far: NDArray[np.floating],
    buckets: int,
    turn_buckets: int,
) -> tuple[FlopCentres, NDArray[np.int32]]:
    """Return the means of the buckets, and the points' buckets in the new numbering.

    A bucket without points gets the point that adds most to the inertia as its centre.
    """
    rows, points, weights = hands
    sums = np.zeros((buckets, points.shape[1]))
    masses = np.zeros((buckets, turn_buckets))
    total = np.zeros(buckets)
    add_points(points, weights, nearest, sums, total)
    add_flops(rows, weights, nearest, masses)
    empty = np.flatnonzero(total == 0)
    farthest = np.argsort(-weights * far, kind="stable")[: len(empty)]
    for bucket, n in zip(empty, farthest, strict=True):
        sums[bucket] = points[n]
        masses[bucket] = np.bincount(rows[n], minlength=turn_buckets)
        total[bucket] = 1
    means = np.rint(sums / total[:, None]).astype(np.float32)
    order = np.argsort(means.sum(axis=1, dtype=np.float64), kind="stable")
    cells = (masses[order] / total[order, None]).astype(np.float32)
    renumbered = np.empty(buckets, np.int32)
    renumbered[order] = np.arange(buckets, dtype=np.int32)
    return FlopCentres(make_centres(means[order], squared=False), cells), renumbered[nearest]


def _points(rows: NDArray[np.uint16], ground: Ground) -> NDArray[np.float32]:
    width = ground.shares.shape[1]
    points = np.empty((len(rows), width), np.float32)
    shares_of_flops(rows, ground.shares, np.empty(width), points)
    return points


def flop_scratch(ground: Ground, parts: int) -> FlopScratch:
    """Return scratch of one thread for points of `parts` parts."""
    return FlopScratch(
        left=np.empty(len(ground.order), np.float32),
        bucket=np.empty(parts, np.int64),
        need=np.empty(parts, np.float32),
        point=np.empty(ground.shares.shape[1], np.float32),
        sums=np.empty(ground.shares.shape[1]),
    )


def _checked(rows: NDArray[np.uint16], ground: Ground) -> NDArray[np.uint16]:
    if rows.dtype != np.uint16 or rows.ndim != 2:
        raise ValueError(f"rows: want (N, M) uint16, got {rows.shape} {rows.dtype}")
    if rows.size and int(rows.max()) >= len(ground.order):
        raise ValueError(f"rows: {rows.max()} is no turn bucket")
    return np.require(rows, requirements=["C", "W"])
