"""k-means over many points: histograms under earth mover's distance, vectors under L2.

Points are (N, D) rows of whole numbers 0 .. SCALE in float32, so that every distance is exact:

    EMD   a histogram of D + 1 bins is kept as the shares that lie above each bin but the last.  In
          one dimension the earth mover's distance, in bins, is the sum of their differences
    L2    vectors of numbers 0..1; the distance that is added up is its square

A centre is the weighted mean of its points, rounded.  Under EMD the median of each share would make
the mean distance a little smaller, but the mean is the histogram of all run-outs in the bucket
taken together: it keeps their equity, and potential-aware distances rest on that.  As the mean may
also let a sum of distances rise, the best round is kept, not the last.

Buckets are numbered in ascending order of their centres' sums: for histograms that is the mean
equity.  First centres are points drawn at random in proportion to weight times distance to the
nearest centre so far (its square under L2): Arthur, Vassilvitskii, "k-means++: the advantages of
careful seeding", SODA 2007.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.abstraction.clustering_kernels import (
    Centres,
    add_points,
    approach,
    assign_points,
    shares_of_rows,
    sum_points,
)
from engine.parallel.threads import Progress, run_blocks

_EXACT_FLOAT32_BELOW: Final = 1 << 24
_POINTS_AT_ONCE: Final = 16_384


@dataclass(frozen=True, slots=True)
class KMeans:
    """How hard to try."""

    restarts: int = 1
    """Complete runs from new first centres, of which the best counts."""
    rounds: int = 40
    """Most times that all points are assigned in one run."""
    tolerance: float = 1e-3
    """A run ends when the inertia falls by no more than this fraction of it."""
    threads: int | None = None
    """None for one per core."""

    def __post_init__(self) -> None:
        whole = all(isinstance(number, int) for number in (self.restarts, self.rounds))
        if not whole or self.restarts < 1 or self.rounds < 1 or not self.tolerance >= 0:
            raise ValueError(f"{self}: want at least one restart and round, and a tolerance >= 0")


@dataclass(frozen=True, slots=True)
class Clustering:
    """The result of k-means."""

    centres: Centres
    inertia: float
    """Weighted mean of the points' distances to their centres: bins under EMD, squares under L2."""
    rounds: int
    """Times that all points were assigned in the best run."""
    converged: bool
    """Whether that run ended before its last round was reached."""


def scale_of(width: int, squared: bool) -> int:
    """Return SCALE for points of `width` numbers: the largest power of two that keeps sums exact.

    Raises:
        ValueError: `width` is 0, or too large for exact sums.
    """
    if width < 1 or width * 4 >= _EXACT_FLOAT32_BELOW:
        raise ValueError(f"points of {width} numbers")
    scale = 1
    while width * (2 * scale) ** (2 if squared else 1) < _EXACT_FLOAT32_BELOW:
        scale *= 2
    return scale


def histogram_points(histograms: NDArray[np.uint16]) -> NDArray[np.float32]:
    """Return the points of histograms, for EMD.

    Args:
        histograms: (N, B) uint16 counts, B >= 2, each row with a positive sum.

    Returns:
        (N, B - 1) float32.

    Raises:
        ValueError: the shape or dtype differs, or a row is empty.
    """
    if histograms.dtype != np.uint16 or histograms.ndim != 2 or histograms.shape[1] < 2:
        raise ValueError(
            f"histograms: want (N, B >= 2) uint16, got {histograms.shape} {histograms.dtype}"
        )
    if not histograms.any(axis=1).all():
        raise ValueError("histograms: a row is empty")
    points = np.empty((len(histograms), histograms.shape[1] - 1), np.float32)
    scale = scale_of(points.shape[1], squared=False)
    shares_of_rows(np.require(histograms, requirements=["C", "W"]), scale, points)
    return points


def vector_points(vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return the points of vectors, for L2.

    Args:
        vectors: (N, D) of any float type, all numbers within 0..1.

    Returns:
        (N, D) float32.

    Raises:
        ValueError: another number of dimensions, or a number outside 0..1.
    """
    if vectors.ndim != 2 or not ((vectors >= 0) & (vectors <= 1)).all():
        raise ValueError("vectors: want (N, D) numbers within 0..1")
    whole: NDArray[np.float32] = np.rint(vectors * scale_of(vectors.shape[1], squared=True))
    return whole.astype(np.float32)


def centre_histograms(centres: Centres) -> NDArray[np.float64]:
    """Return the histograms of centres under EMD: (K, D + 1), rows that sum to 1."""
    count, width = centres.points.shape
    shares = np.zeros((count, width + 2))
    shares[:, 0] = 1
    shares[:, 1:-1] = centres.points / scale_of(width, squared=False)
    histograms: NDArray[np.float64] = -np.diff(shares, axis=1)
    return histograms


def check_points(points: NDArray[np.float32], squared: bool, name: str = "points") -> None:
    """Check that points are (N, D) float32, whole numbers within 0..SCALE.

    Distances of anything else are not exact, and nearest centres are not found.

    Args:
        squared: whether they are for L2, or for EMD; SCALE depends on it.
        name: used in the message.

    Raises:
        ValueError: they are not.
    """
    if points.dtype != np.float32 or points.ndim != 2:
        raise ValueError(f"{name}: want (N, D) float32, got {points.shape} {points.dtype}")
    scale = scale_of(points.shape[1], squared)
    # numbers that are none compare as false
    if points.size and not (
        points.min() >= 0 and points.max() <= scale and (np.rint(points) == points).all()
    ):
        raise ValueError(f"{name}: want whole numbers within 0..{scale}")


def make_centres(points: NDArray[np.float32], squared: bool) -> Centres:
    """Return centres at some points, in ascending order of their sums.

    Raises:
        ValueError: not points as `check_points` requires.
    """
    check_points(points, squared)
    points = np.require(points, requirements=["C", "W"])
    keys = _keys(points)
    order = np.argsort(keys, kind="stable")
    return Centres(points[order], keys[order], squared)


def assign(
    points: NDArray[np.float32],
    centres: Centres,
    *,
    guesses: NDArray[np.int32] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Return the nearest centre of each point, and its distance times SCALE (SCALE^2 under L2).

    Args:
        points: (N, D) float32 as from `histogram_points` or `vector_points`.
        guesses: (N,) int32 centres that are likely to be near, which saves time; not changed.

    Returns:
        (N,) int32, the lower of two centres that are equally near, and (N,) float32.

    Raises:
        ValueError: points are invalid or not as wide as the centres, or a guess is not a centre.
    """
    check_points(points, centres.squared)
    if points.shape[1] != centres.points.shape[1]:
        raise ValueError(
            f"points of {points.shape[1]} numbers, centres of {centres.points.shape[1]}"
        )
    buckets = np.zeros(len(points), np.int32)
    if guesses is not None:
        buckets[:] = guesses
        if len(buckets) and not 0 <= buckets.min() <= buckets.max() < len(centres.points):
            raise ValueError("guesses: some are no centre")
    points = np.require(points, requirements=["C", "W"])
    return buckets, _find_nearest(points, centres, buckets, threads, progress)


def k_means(
    points: NDArray[np.float32],
    buckets: int,
    *,
    squared: bool,
    rng: np.random.Generator,
    weights: NDArray[np.float64] | None = None,
    settings: KMeans | None = None,
    progress: Progress | None = None,
) -> Clustering:
    """Divide points among buckets so that they are near the centres of their buckets.

    The result depends on the points and on the generator's state alone, not on the threads.

    Args:
        points: (N, D) float32 as from `histogram_points` (then not squared) or `vector_points`
            (squared).
        buckets: how many, 1..N.
        squared: whether distances are L2, squared, or EMD.
        weights: (N,) float64, not negative; whole numbers keep the sums exact.  None: all equal.

    Raises:
        ValueError: the arguments do not fit together, points are invalid, or fewer of them differ
            than there are buckets.
    """
    check_points(points, squared)
    points = np.require(points, requirements=["C", "W"])
    settings = settings or KMeans()
    weights = _checked_weights(weights, len(points))
    if not 1 <= buckets <= len(points):
        raise ValueError(f"{buckets} buckets for {len(points)} points")
    best: Clustering | None = None
    for run in range(settings.restarts):

        def report(done: float, run: int = run) -> None:
            if progress is not None:
                progress((run + done) / settings.restarts)

        centres = _first_centres(points, buckets, squared, rng, weights, settings.threads)
        clustering = _improve(points, centres, weights, settings, report)
        if best is None or clustering.inertia < best.inertia:
            best = clustering
    assert best is not None
    return best


def _find_nearest(
    points: NDArray[np.float32],
    centres: Centres,
    buckets: NDArray[np.int32],
    threads: int | None,
    progress: Progress | None = None,
) -> NDArray[np.float32]:
    """Turn guesses into the nearest centres of checked points; return the distances."""
    keys = _keys(points)
    distances = np.empty(len(points), np.float32)

    def work(first: int, end: int) -> None:
        part = slice(first, end)
        assign_points(points[part], keys[part], centres, buckets[part], distances[part])

    run_blocks(work, len(points), _POINTS_AT_ONCE, threads=threads, progress=progress)
    return distances


def _first_centres(
    points: NDArray[np.float32],
    buckets: int,
    squared: bool,
    rng: np.random.Generator,
    weights: NDArray[np.float64],
    threads: int | None,
) -> Centres:
    keys = _keys(points)
    distances = np.full(len(points), _EXACT_FLOAT32_BELOW, np.float32)
    chosen: list[int] = []
    while len(chosen) < buckets:
        chances = np.cumsum(weights * distances if chosen else weights)
        if chances[-1] <= 0:
            raise ValueError(f"{buckets} buckets for {len(chosen)} different points")
        drawn = int(np.searchsorted(chances, rng.random() * chances[-1], side="right"))
        chosen.append(drawn)
        centre = points[drawn]

        def work(first: int, end: int, centre: NDArray[np.float32] = centre) -> None:
            part = slice(first, end)
            approach(points[part], keys[part], centre, squared, distances[part])

        run_blocks(work, len(points), _POINTS_AT_ONCE, threads=threads)
    return make_centres(points[chosen], squared)


def _improve(
    points: NDArray[np.float32],
    centres: Centres,
    weights: NDArray[np.float64],
    settings: KMeans,
    report: Progress,
) -> Clustering:
    """Run one k-means from its first centres."""
    scale = scale_of(points.shape[1], centres.squared)
    unit = float(weights.sum()) * scale ** (2 if centres.squared else 1)
    nearest = np.zeros(len(points), np.int32)
    inertias: list[float] = []
    best = centres
    converged = False
    while len(inertias) < settings.rounds and not converged:
        distances = _find_nearest(points, centres, nearest, settings.threads)
        inertia = float(weights @ distances) / unit
        if inertia < min(inertias, default=np.inf):
            best = centres
        converged = bool(inertias) and inertia >= inertias[-1] * (1 - settings.tolerance)
        inertias.append(inertia)
        centres, nearest = _next_centres(points, weights, nearest, distances, centres)
        report(len(inertias) / settings.rounds)
    report(1.0)
    return Clustering(best, min(inertias), len(inertias), converged)


def _next_centres(
    points: NDArray[np.float32],
    weights: NDArray[np.float64],
    nearest: NDArray[np.int32],
    distances: NDArray[np.float32],
    centres: Centres,
) -> tuple[Centres, NDArray[np.int32]]:
    """Return the means of the buckets, and the points' buckets in the new numbering.

    A bucket without points gets the point that adds most to the inertia as its centre.
    """
    sums = np.zeros(centres.points.shape)
    masses = np.zeros(len(sums))
    add_points(points, weights, nearest, sums, masses)
    empty = np.flatnonzero(masses == 0)
    if len(empty):
        farthest = np.argsort(-weights * distances, kind="stable")[: len(empty)]
        sums[empty] = points[farthest]
        masses[empty] = 1
    means = np.rint(sums / masses[:, None]).astype(np.float32)
    order = np.argsort(_keys(means), kind="stable")
    renumbered = np.empty(len(order), np.int32)
    renumbered[order] = np.arange(len(order), dtype=np.int32)
    return make_centres(means, centres.squared), renumbered[nearest]


def _keys(points: NDArray[np.float32]) -> NDArray[np.float32]:
    keys = np.empty(len(points), np.float32)
    sum_points(points, keys)
    return keys


def _checked_weights(weights: NDArray[np.float64] | None, count: int) -> NDArray[np.float64]:
    if weights is None:
        return np.ones(count)
    if weights.dtype != np.float64 or weights.shape != (count,) or not (weights >= 0).all():
        raise ValueError(f"weights: want ({count},) float64 that are not negative")
    return np.require(weights, requirements=["C", "W"])
