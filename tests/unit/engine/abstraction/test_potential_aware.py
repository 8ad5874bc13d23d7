import numpy as np
import pytest

from engine.abstraction.clustering import KMeans, histogram_points, make_centres, scale_of
from engine.abstraction.potential_aware import (
    assign_rows,
    greedy_emd,
    ground_of,
    potential_k_means,
    visit_turn_buckets,
)
from engine.abstraction.potential_aware_kernels import shares_of_flops
from engine.hands.isomorphism import CanonicalIndex
from tests.oracles.transport import exact_emd

PARTS = 20
"""Parts of a point, where a flop hand has 47."""


@pytest.fixture(scope="module")
def turn():
    """Turn centres: 40 random histograms of 12 bins."""
    rng = np.random.default_rng(1)
    rows = np.array([rng.multinomial(46, rng.dirichlet(np.full(12, 0.4))) for _ in range(40)])
    return make_centres(histogram_points(rows.astype(np.uint16)), squared=False)


@pytest.fixture(scope="module")
def ground(turn):
    """Distances of those centres."""
    return ground_of(turn)


def random_rows(rng, count, buckets=40, parts=PARTS):
    """Points whose parts lie in a few turn buckets each, ascending."""
    kinds = [rng.choice(buckets, 6) for _ in range(count)]
    return np.sort([rng.choice(kind, parts) for kind in kinds], axis=1).astype(np.uint16)


def masses_of(rows, buckets=40):
    """The mean of some points."""
    return np.mean([np.bincount(row, minlength=buckets) for row in rows], axis=0).astype(np.float32)


def matrix(ground):
    """The distances as a square of bucket against bucket, in bins."""
    distances = np.empty(ground.distances.shape)
    np.put_along_axis(distances, ground.order.astype(int), ground.distances, axis=1)
    return distances / (1 << 20)


def test_ground_is_the_distance_of_turn_centres(turn, ground):
    """Each bucket lists all others, itself first, by the distance of their centres."""
    apart = np.abs(turn.points[:, None] - turn.points).sum(axis=2)
    assert (ground.order[:, 0] == np.arange(40)).all()
    assert (np.sort(ground.order, axis=1) == np.arange(40)).all()
    assert (np.diff(ground.distances, axis=1) >= 0).all()
    assert matrix(ground) == pytest.approx(apart / (1 << 20))


def test_greedy_distance_bounds_the_exact_one_closely(ground):
    """Never below what linear programming finds, and 15 % above it on the average at most."""
    rng = np.random.default_rng(2)
    exact, greedy = [], []
    for _ in range(60):
        rows = random_rows(rng, 5)
        masses = masses_of(rows[1:])
        point = np.bincount(rows[0], minlength=40)
        exact.append(exact_emd(point / PARTS, masses / PARTS, matrix(ground)))
        greedy.append(greedy_emd(rows[0], masses, ground))
    exact, greedy = np.array(exact), np.array(greedy)
    assert (greedy >= exact * (1 - 1e-5)).all()
    assert (greedy / exact).mean() < 1.15


def test_assigning_finds_the_nearest_of_all(ground):
    """Ruling centres out by their means finds what comparing all of them finds."""
    rng = np.random.default_rng(4)
    rows = random_rows(rng, 300)
    found = potential_k_means(rows, ground, 15, rng=rng, rounds=2)
    buckets, distances = assign_rows(rows, ground, found.centres)
    for row, bucket, distance in zip(rows[:60], buckets, distances, strict=False):
        every = [greedy_emd(row, masses, ground) for masses in found.centres.masses]
        assert distance == pytest.approx(min(every), rel=1e-12)
        assert bucket == int(np.argmin(every))
    guessed, _ = assign_rows(rows, ground, found.centres, guesses=buckets[::-1].copy())
    assert (guessed == buckets).all()


def test_planted_hands_are_found(ground):
    """Hands that lead to the same turn buckets end up together."""
    rng = np.random.default_rng(5)
    kinds = [rng.choice(40, 4, replace=False) for _ in range(8)]
    held = rng.integers(8, size=400)
    rows = np.sort([rng.choice(kinds[k], PARTS) for k in held], axis=1).astype(np.uint16)
    settings = KMeans(restarts=5)
    found = potential_k_means(rows, ground, 8, rng=rng, settings=settings, rounds=10)
    buckets, _ = assign_rows(rows, ground, found.centres)
    pairs = set(zip(buckets.tolist(), held.tolist(), strict=True))
    assert len(pairs) == 8
    assert found.centres.masses.sum(axis=1) == pytest.approx(PARTS)


def test_same_seed_same_buckets_on_any_number_of_threads(ground):
    """The result is a function of points and generator alone."""
    rows = random_rows(np.random.default_rng(6), 1500)
    results = [
        potential_k_means(
            rows,
            ground,
            10,
            rng=np.random.default_rng(7),
            settings=KMeans(threads=threads),
            rounds=3,
        )
        for threads in (1, 3)
    ]
    assert (results[0].centres.masses == results[1].centres.masses).all()
    assert results[0].inertia == results[1].inertia


def test_turn_cards_are_looked_up():
    """A hand's row is the bucket of each of its 47 turn cards, ascending."""
    index, turns = CanonicalIndex((2, 3)), CanonicalIndex((2, 4))
    table = np.random.default_rng(8).integers(0, 500, turns.size).astype(np.uint16)
    chosen = np.array([0, 400_000, 1_286_791])
    wanted = np.zeros(index.size, np.uint8)
    wanted[chosen] = 1
    found = {}

    def visit(classes, rows):
        found.update((int(c), row.tolist()) for c, row in zip(classes, rows, strict=True))

    visit_turn_buckets(table, wanted, visit)
    assert sorted(found) == chosen.tolist()
    assert not wanted.any()
    for one in chosen:
        hand = index.cards(np.array([one]))[0]
        cards = [card for card in range(52) if card not in hand]
        rows = np.array([[*hand, card] for card in cards], np.uint8)
        assert found[int(one)] == sorted(table[turns.index(rows)].tolist())


ONES = np.ones(40, np.float32)


@pytest.mark.parametrize("bins", [2, 3, 10, 50])
def test_shares_of_points_are_rounded_means(bins):
    """Of as many turn cards as a flop has, whatever the scale: halves are rounded up."""
    rng = np.random.default_rng(bins)
    scale = scale_of(bins - 1, squared=False)
    shares = rng.integers(scale // 2, scale + 1, (40, bins - 1))
    rows = random_rows(rng, 200, parts=47)
    points = np.empty((200, bins - 1), np.float32)
    shares_of_flops(rows, shares.astype(np.float32), np.empty(bins - 1), points)
    assert (points == (2 * shares[rows].sum(axis=1) + 47) // 94).all()


def row(*buckets):
    """A point of a few parts."""
    return np.array(buckets, np.uint16)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda on: ground_of(make_centres(np.ones((2, 8), np.float32), squared=True)), "centres"),
        (lambda on: greedy_emd(row(2, 1), ONES, on), "ascending"),
        (lambda on: greedy_emd(row(1, 40), ONES, on), "no turn"),
        (lambda on: greedy_emd(row(1, 2), ONES, on), "sum"),
        (lambda on: greedy_emd(row(1, 2), ONES[:4], on), "masses"),
        (lambda on: assign_rows(row(1, 2), on, None), "rows"),
        (lambda on: potential_k_means(row(1, 40)[None], on, 1, rng=None), "no turn"),
        (lambda on: potential_k_means(row(1, 2)[None], on, 1, rng=None, rounds=0), "rounds"),
        (lambda on: visit_turn_buckets(row(1, 2), None, None), "turn_buckets"),
    ],
)
def test_refuses_what_does_not_fit(ground, call, message):
    """Bad shapes, dtypes and values raise ValueError that names them."""
    with pytest.raises(ValueError, match=message):
        call(ground)
