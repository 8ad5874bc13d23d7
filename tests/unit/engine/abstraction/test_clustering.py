import numpy as np
import pytest

from engine.abstraction.clustering import (
    KMeans,
    assign,
    centre_histograms,
    histogram_points,
    k_means,
    make_centres,
    scale_of,
    vector_points,
)


def planted(rng, centres, points=600, spread=0.01):
    """Vectors close to some centres, which of them in order, and which centre each is close to."""
    held = rng.integers(len(centres), size=points)
    vectors = centres[held] + rng.uniform(-spread, spread, (points, centres.shape[1]))
    return np.clip(vectors, 0, 1), held


def planted_histograms(rng, kinds, points=600):
    """Histograms of 40 draws from a few distributions, and which each is from."""
    held = rng.integers(len(kinds), size=points)
    return np.array([rng.multinomial(40, kinds[one]) for one in held], np.uint16), held


def same_partition(first, second):
    """Whether two labellings divide the points alike, whatever the labels."""
    pairs = set(zip(first.tolist(), second.tolist(), strict=True))
    return len(pairs) == len(set(first.tolist())) == len(set(second.tolist()))


KINDS = np.array(
    [[8, 1, 0, 0, 0, 0], [0, 0, 9, 1, 0, 0], [0, 0, 0, 0, 1, 9], [5, 0, 0, 0, 0, 5]]
) / (np.array([[9], [10], [10], [10]]))


def test_planted_vectors_are_found():
    """Points around well separated centres are divided as they were planted."""
    rng = np.random.default_rng(1)
    vectors, held = planted(rng, rng.random((12, 8)))
    points = vector_points(vectors)
    found = k_means(points, 12, squared=True, rng=rng, settings=KMeans(restarts=4))
    buckets, _ = assign(points, found.centres)
    assert same_partition(buckets, held)
    assert found.inertia < 8 * 0.01**2
    assert found.converged


def test_planted_histograms_are_found():
    """Histograms drawn from different distributions are divided by earth mover's distance."""
    rng = np.random.default_rng(2)
    rows, held = planted_histograms(rng, KINDS)
    points = histogram_points(rows)
    found = k_means(points, 4, squared=False, rng=rng, settings=KMeans(restarts=4))
    buckets, _ = assign(points, found.centres)
    assert same_partition(buckets, held)
    order = np.argsort(KINDS @ np.arange(6))  # buckets are numbered by mean
    assert centre_histograms(found.centres) == pytest.approx(KINDS[order], abs=0.03)


def test_centres_are_weighted_means_and_ascend():
    """One bucket's centre is the mean of all points by weight; more are sorted by their mean."""
    rng = np.random.default_rng(3)
    rows = rng.integers(0, 20, (50, 6)).astype(np.uint16) + 1
    weights = rng.integers(1, 24, 50).astype(float)
    found = k_means(histogram_points(rows), 1, squared=False, rng=rng, weights=weights)
    shares = rows / rows.sum(axis=1, keepdims=True)
    want = weights @ shares / weights.sum()
    assert centre_histograms(found.centres)[0] == pytest.approx(want, abs=1e-4)
    many = k_means(histogram_points(rows), 7, squared=False, rng=rng, weights=weights)
    means = centre_histograms(many.centres) @ np.arange(6)
    assert (np.diff(means) >= 0).all()


def test_weights_count_as_repeated_points():
    """A point of weight 3 does what three equal points do."""
    rng = np.random.default_rng(4)
    points = vector_points(rng.random((40, 3)))
    weights = rng.integers(1, 4, 40)
    repeated = np.repeat(points, weights, axis=0)
    start = KMeans(restarts=12)
    first = k_means(points, 3, squared=True, rng=rng, weights=weights.astype(float), settings=start)
    second = k_means(repeated, 3, squared=True, rng=rng, settings=start)
    assert first.inertia == pytest.approx(second.inertia, rel=1e-6)


def test_same_seed_same_centres_on_any_number_of_threads():
    """The result is a function of points and generator alone."""
    rows = np.random.default_rng(5).integers(0, 9, (40_000, 10)).astype(np.uint16) + 1
    points = histogram_points(rows)
    results = [
        k_means(
            points,
            20,
            squared=False,
            rng=np.random.default_rng(6),
            settings=KMeans(rounds=5, threads=threads),
        )
        for threads in (1, 2, 5)
    ]
    for other in results[1:]:
        assert (other.centres.points == results[0].centres.points).all()
        assert other.inertia == results[0].inertia


def test_empty_buckets_start_anew():
    """Every bucket ends with points even where first centres are hard to come by."""
    points = vector_points(np.repeat(np.linspace(0, 1, 30)[:, None], 40, axis=0))
    found = k_means(points, 30, squared=True, rng=np.random.default_rng(7))
    buckets, distances = assign(points, found.centres)
    assert sorted(set(buckets.tolist())) == list(range(30))
    assert not distances.any()
    assert found.inertia == 0


def test_more_restarts_are_never_worse():
    """The best of several runs counts, and the first of them is the only one of one."""
    points = vector_points(np.random.default_rng(8).random((400, 2)))
    inertias = [
        k_means(
            points,
            12,
            squared=True,
            rng=np.random.default_rng(9),
            settings=KMeans(restarts=restarts),
        ).inertia
        for restarts in (1, 2, 6)
    ]
    assert inertias == sorted(inertias, reverse=True)


@pytest.mark.parametrize(("width", "squared", "scale"), [(49, False, 1 << 18), (8, True, 1024)])
def test_scale_keeps_every_distance_exact(width, squared, scale):
    """The largest distance is below 2**24, and twice the scale would not do."""
    assert scale_of(width, squared) == scale
    power = 2 if squared else 1
    assert width * scale**power < 1 << 24 <= width * (2 * scale) ** power


def test_equal_distances_go_to_the_lower_bucket():
    """A point half way between two centres is in the first of them, whatever the guess."""
    centres = make_centres(np.array([[0, 0], [4, 0], [8, 0]], np.float32), squared=True)
    points = np.array([[2, 0], [6, 0]], np.float32)
    for guess in (0, 1, 2):
        buckets, distances = assign(points, centres, guesses=np.full(2, guess, np.int32))
        assert buckets.tolist() == [0, 1]
        assert distances.tolist() == [4, 4]


def some(wrong):
    """Points of which one number is wrong."""
    points = np.ones((3, 4), np.float32)
    points[1, 2] = wrong
    return points


@pytest.mark.parametrize("wrong", [0.25, -1, np.nan, np.inf, 1e9])
@pytest.mark.parametrize("squared", [False, True])
def test_points_are_whole_and_within_the_scale(wrong, squared):
    """Distances of anything else are not exact, so neither points nor centres may be it."""
    good = make_centres(np.ones((2, 4), np.float32), squared)
    for call in (
        lambda: make_centres(some(wrong), squared),
        lambda: assign(some(wrong), good),
        lambda: k_means(some(wrong), 1, squared=squared, rng=RNG),
    ):
        with pytest.raises(ValueError, match="points: want whole numbers within 0"):
            call()


GOOD = np.ones((3, 4), np.float32)
RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: k_means(GOOD.astype(float), 2, squared=True, rng=RNG), "float32"),
        (lambda: k_means(GOOD, 0, squared=True, rng=RNG), "0 buckets"),
        (lambda: k_means(GOOD, 4, squared=True, rng=RNG), "4 buckets"),
        (lambda: k_means(GOOD, 2, squared=True, rng=RNG), "different points"),
        (lambda: k_means(GOOD, 1, squared=True, rng=RNG, weights=-np.ones(3)), "weights"),
        (lambda: k_means(GOOD, 1, squared=True, rng=RNG, weights=np.ones(4)), "weights"),
        (lambda: KMeans(restarts=0), "restart"),
        (lambda: KMeans(rounds=1.5), "restart"),
        (lambda: KMeans(tolerance=-1), "tolerance"),
        (lambda: histogram_points(np.zeros((2, 3), np.uint16)), "empty"),
        (lambda: histogram_points(np.ones((2, 3), np.int64)), "uint16"),
        (lambda: vector_points(np.array([[0.5, 1.5]])), "0..1"),
        (lambda: vector_points(np.array([[0.5, np.nan]])), "0..1"),
        (lambda: assign(GOOD, make_centres(np.ones((2, 3), np.float32), squared=True)), "numbers"),
        (
            lambda: assign(GOOD, make_centres(GOOD, squared=True), guesses=np.full(3, 3, np.int32)),
            "guesses",
        ),
        (lambda: scale_of(0, squared=True), "0 numbers"),
    ],
)
def test_refuses_what_does_not_fit(call, message):
    """Bad shapes, dtypes and values raise ValueError that names them."""
    with pytest.raises(ValueError, match=message):
        call()
