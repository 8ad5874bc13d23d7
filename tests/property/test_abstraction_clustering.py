import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from engine.abstraction.clustering import (
    assign,
    histogram_points,
    make_centres,
    scale_of,
    vector_points,
)

BINS = 7
HISTOGRAMS = arrays(np.uint16, (12, BINS), elements=st.integers(0, 30)).filter(
    lambda rows: rows.any(axis=1).all()
)
VECTORS = arrays(np.float64, (12, 4), elements=st.floats(0, 1))


@given(HISTOGRAMS)
def test_distance_of_histograms_is_the_earth_movers(rows):
    """Points are as far apart as scipy says that the histograms are, to rounding."""
    from scipy.stats import wasserstein_distance  # half a second, for one worker of three

    points = histogram_points(rows)
    centres = make_centres(points[:1], squared=False)
    _, distances = assign(points, centres)
    places = np.arange(BINS)
    scale = scale_of(BINS - 1, squared=False)
    for row, distance in zip(rows, distances, strict=True):
        want = wasserstein_distance(places, places, row, rows[0])
        assert distance / scale == pytest.approx(want, abs=BINS / scale)


@given(HISTOGRAMS, VECTORS, st.integers(1, 8), st.randoms(use_true_random=False))
def test_nearest_is_what_comparing_all_finds(rows, vectors, count, random):
    """Ruling centres out by their sums never changes the bucket or the distance."""
    for points, squared in ((histogram_points(rows), False), (vector_points(vectors), True)):
        centres = make_centres(points[:count], squared)
        guesses = np.array([random.randrange(count) for _ in points], np.int32)
        buckets, distances = assign(points, centres, guesses=guesses, threads=1)
        apart = points[:, None] - centres.points
        every = ((apart**2) if squared else np.abs(apart)).sum(axis=2)
        assert (distances == every.min(axis=1)).all()
        assert (buckets == every.argmin(axis=1)).all()
