"""Speed of card abstractions, one core unless it says otherwise.

Board passes beside a comparison of all pairs of combos, nearest centres beside measuring all of
them, look-ups of buckets, and the histograms of all hands of a street.
"""

import numpy as np
import pytest

from engine.abstraction.buckets import CardAbstraction
from engine.abstraction.building import CardConfig, build_card_abstraction
from engine.abstraction.clustering import (
    KMeans,
    assign,
    histogram_points,
    k_means,
    make_centres,
    scale_of,
)
from engine.abstraction.clustering_kernels import distance
from engine.abstraction.histograms import hand_index, visit_histograms
from engine.abstraction.potential_aware import (
    assign_rows,
    flop_scratch,
    ground_of,
    potential_k_means,
    visit_turn_buckets,
)
from engine.abstraction.potential_aware_kernels import greedy_distance
from engine.compiled.jit import kernel
from engine.equity.river_rows import river_rows
from engine.equity.river_rows_kernels import BLOCKED, HIGH, LOW, board_scratch, halves_of_boards
from engine.hands.isomorphism import CanonicalIndex
from engine.showdown.board_kernels import ranks_of_boards
from tests.benchmarks.timing import note, seconds_of

BOARDS = 400
DEALS = 4096
BUCKETS = 1000
HANDS = 20_000


@kernel
def pairwise_halves(ranks, halves):
    """Compare every pair of combos on each board."""
    for board in range(len(ranks)):
        for own in range(1326):
            halves[board, own] = BLOCKED
            if ranks[board, own] > 0:
                total = 0
                for other in range(1326):
                    if (
                        ranks[board, other] > 0
                        and HIGH[own] != HIGH[other]
                        and LOW[own] != LOW[other]
                        and HIGH[own] != LOW[other]
                        and LOW[own] != HIGH[other]
                    ):
                        total += ranks[board, own] > ranks[board, other]
                        total += ranks[board, own] >= ranks[board, other]
                halves[board, own] = total


@kernel
def brute_force(points, centres, buckets):
    """Measure every centre in full, vectorised."""
    for n in range(len(points)):
        best = np.float32(np.inf)
        for k in range(len(centres)):
            apart = distance(points[n], centres[k], False)
            if apart < best:
                best = apart
                buckets[n] = k


@kernel
def all_greedy(rows, masses, ground, scratch, nearest):
    """Measure the greedy distance to every centre to the end."""
    for n in range(len(rows)):
        nearest[n] = np.inf
        for k in range(len(masses)):
            found = greedy_distance(rows[n], masses[k], ground, np.inf, scratch)
            nearest[n] = min(nearest[n], found)


def note_speed(benchmark, items, unit, **baselines):
    """Note items/s and ratios to baselines, where times are taken."""
    facts = {f"{unit}_per_s": lambda median: items / median}
    for name, baseline in baselines.items():
        facts[f"ratio_to_{name}"] = lambda median, baseline=baseline: baseline / median
    note(benchmark, **facts)


@pytest.fixture(scope="module")
def rivers():
    """Equities of all combos on all complete boards."""
    return river_rows()


@pytest.fixture(scope="module")
def abstraction(rivers):
    """169/1000/1000/1000 with tables for flop and turn, from a small sample."""
    config = CardConfig(
        BUCKETS, BUCKETS, BUCKETS, "equity", sample=20_000, k_means=KMeans(rounds=4)
    )
    return build_card_abstraction(config, rivers=rivers)


@pytest.fixture(scope="module")
def rows(rivers):
    """Histograms of some flop hands."""
    index = hand_index(3)
    chosen = np.random.default_rng(1).choice(index.size, HANDS, replace=False)
    wanted = np.zeros(index.size, np.uint8)
    wanted[chosen] = 1
    found = []
    visit_histograms(rivers, 3, wanted, lambda classes, rows: found.append(rows.copy()))
    return np.concatenate(found)


def bench_board_pass(benchmark):
    """Equity of all combos on a board; unit: seconds for 400 boards."""
    index = CanonicalIndex((5,))
    boards = index.cards(np.random.default_rng(2).integers(0, index.size, BOARDS))
    halves, naive = np.zeros((2, BOARDS, 1326), np.uint16)
    ranks = np.zeros((BOARDS, 1326), np.uint16)
    scratch = board_scratch()

    def pairwise():
        ranks_of_boards(boards, ranks)
        pairwise_halves(ranks, naive)

    pairwise()
    halves_of_boards(boards, scratch, halves)
    assert (halves == naive).all()
    benchmark.pedantic(halves_of_boards, (boards, scratch, halves), rounds=9)
    note_speed(benchmark, BOARDS, "boards", comparing_all_pairs=seconds_of(pairwise, repeats=3))


def bench_assignment(benchmark, rows):
    """Nearest of 1000 centres under earth mover's distance; unit: seconds for 20 000 hands."""
    points = histogram_points(rows)
    settings = KMeans(rounds=5)
    found = k_means(points, BUCKETS, squared=False, rng=np.random.default_rng(3), settings=settings)
    buckets = np.zeros(HANDS, np.int32)

    def brute():
        brute_force(points, found.centres.points, buckets)

    brute()
    assert (assign(points, found.centres, threads=1)[0] == buckets).all()
    benchmark.pedantic(assign, (points, found.centres), {"threads": 1}, rounds=9)
    note_speed(benchmark, HANDS, "hands", measuring_all=seconds_of(brute, repeats=3))


def bench_potential_aware_assignment(benchmark, abstraction):
    """Nearest of 1000 centres over 1000 turn buckets; unit: seconds for 20 000 flop hands."""
    ground = ground_of(make_centres(abstraction.parts["turn_centres"], squared=False))
    rng = np.random.default_rng(4)
    wanted = np.zeros(hand_index(3).size, np.uint8)
    wanted[rng.choice(len(wanted), HANDS, replace=False)] = 1
    found = []
    visit_turn_buckets(
        abstraction.parts["turn_table"], wanted, lambda classes, rows: found.append(rows.copy())
    )
    rows = np.concatenate(found)
    centres = potential_k_means(rows, ground, BUCKETS, rng=rng, rounds=2).centres
    scale = scale_of(ground.shares.shape[1], squared=False) * rows.shape[1]
    scratch = flop_scratch(ground, rows.shape[1])
    few, nearest = rows[:40].copy(), np.empty(40)

    def brute():
        all_greedy(few, centres.masses, ground, scratch, nearest)

    brute()
    _, distances = assign_rows(rows, ground, centres, threads=1)
    assert (np.rint(distances[:40] * scale) == np.rint(nearest)).all()
    benchmark.pedantic(assign_rows, (rows, ground, centres), {"threads": 1}, rounds=3)
    note_speed(benchmark, HANDS, "hands", measuring_all=seconds_of(brute, repeats=3) * HANDS / 40)


@pytest.mark.parametrize("river", ["table", "ochs", "equity"])
def bench_deals(benchmark, abstraction, river):
    """Buckets of both players on all streets; unit: seconds for 4096 deals."""
    parts = dict(abstraction.parts)
    rng = np.random.default_rng(5)
    if river == "table":
        parts["river_table"] = rng.integers(0, BUCKETS, 123_156_254).astype(np.uint16)
    if river == "equity":
        del parts["river_centres"]
        parts["river_shares"] = (np.arange(1981) * BUCKETS // 1981).astype(np.uint16)
    found = CardAbstraction(**parts)
    deals = np.array([rng.choice(52, 9, replace=False) for _ in range(DEALS)], np.uint8)
    found.buckets_of_deals(deals)
    benchmark.pedantic(found.buckets_of_deals, (deals,), rounds=9)
    note_speed(benchmark, DEALS, "deals")


@pytest.mark.parametrize("street", ["flop", "turn", "turn_computed", "river_ochs"])
def bench_board(benchmark, abstraction, street):
    """Buckets of all combos on one board; unit: seconds for one board."""
    parts = dict(abstraction.parts)
    if street == "turn_computed":
        del parts["turn_table"]
    found = CardAbstraction(**parts)
    board = [50, 3, 21, 17, 9][: {"flop": 3, "river_ochs": 5}.get(street, 4)]
    found.buckets(board)
    benchmark.pedantic(found.buckets, (board,), rounds=15)
    note_speed(benchmark, 1, "boards")


@pytest.mark.parametrize("street", ["flop", "turn"])
def bench_all_histograms(benchmark, rivers, street):
    """Equity histograms of all hands of a street on all cores; unit: seconds for all."""
    board_cards = {"flop": 3, "turn": 4}[street]
    size = hand_index(board_cards).size
    benchmark.pedantic(
        visit_histograms,
        setup=lambda: (
            (rivers, board_cards, np.ones(size, np.uint8), lambda classes, rows: None),
            {},
        ),
        rounds=3,
    )
    note_speed(benchmark, size, "hands")


def bench_river_equities(benchmark):
    """Equities of all combos on all 134 459 boards on all cores; unit: seconds for all."""
    benchmark.pedantic(river_rows, rounds=3)
    note_speed(benchmark, 134_459, "boards")
