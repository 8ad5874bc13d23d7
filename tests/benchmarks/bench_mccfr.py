"""Speed of external-sampling MCCFR on no-limit hold'em with 200 big blinds.

The case of the target: {0.5, 1} pot and at most two bets a street, the blinds being none of them
(`menu_of((0.5, 1.0), max_raises=2)`, 20 120 decisions), buckets 169/5000/1000/1000, 414 MiB of
tables.  Targets: 12 million nodes a second on one core, 1.8 times that on two.

A node is a decision or an end that a traversal comes to; deals and decisions with one action are
not counted.  Deals are real: the deck is shuffled, every hand looked up or computed on all streets,
and hands compared, all within the time.  Which bucket a flop or turn hand is in comes from random
tables of the right size: to memory that is as bad as it gets, since hands of one kind are spread
over all rows.  Rivers go by equity or by OCHS, computed; OCHS centres are hands dealt at random.

Speeds are medians of rounds of 100 000 iterations, each with one discount of the tables; the time
of a round also has the look at all regrets that a report of progress is made from.
"""

import time

import numpy as np
import pytest

from engine.abstraction.buckets import CardAbstraction
from engine.abstraction.histograms import hand_index
from engine.abstraction.ochs import random_points
from engine.betting.bet_menu import menu_of
from engine.betting.betting_tree import build_betting_tree
from engine.betting.info_sets import build_info_sets
from engine.mccfr import kernels
from engine.mccfr.external_sampling import ITERATIONS_PER_BATCH, Mccfr
from engine.mccfr.sample_deals import DealSource
from engine.mccfr.settings import MccfrSettings, Pruning
from engine.rules.state import HandState
from protocol.gamedefs import load_builtin
from tests.benchmarks.timing import note
from tests.helpers.small_mccfr import make_rules, make_tables
from tests.oracles.mccfr import SlowMccfr

pytestmark = pytest.mark.slow
BUCKETS = (169, 5000, 1000, 1000)
DECISIONS = 20_120
ROUND = 100_000
WARM_UP = 200_000
"""Iterations until most of the tables have been written to."""
PRUNING = Pruning(-40_000.0, 20_000.0, after=WARM_UP)
SLOW_DEALS = 300


@pytest.fixture(scope="module")
def game():
    """Betting and layout of the tables."""
    tree = build_betting_tree(
        HandState.start(load_builtin("hunl")), menu_of((0.5, 1.0), max_raises=2)
    )
    info_sets = build_info_sets(tree, BUCKETS)
    assert len(tree.decisions) == DECISIONS
    return info_sets


@pytest.fixture(scope="module")
def cards():
    """Abstractions by how they tell rivers apart."""
    rng = np.random.default_rng(1)
    centres = rng.integers(0, 999, (BUCKETS[2], 49)).astype(
        np.float32
    )  # of the turn: a table is used instead
    tables = {
        "turn_centres": by_sum(centres),
        "flop_table": rng.integers(0, BUCKETS[1], hand_index(3).size, np.uint16),
        "turn_table": rng.integers(0, BUCKETS[2], hand_index(4).size, np.uint16),
    }
    shares = (np.arange(1981) * BUCKETS[3] // 1981).astype(np.uint16)
    rivers = by_sum(random_points(BUCKETS[3] // 5, 5, rng))
    return {
        "equity": CardAbstraction(**tables, river_shares=shares),
        "ochs": CardAbstraction(**tables, river_centres=rivers),
    }


def by_sum(points):
    """Return points in the order that centres have."""
    return np.ascontiguousarray(points[np.argsort(points.sum(axis=1, dtype=np.float64))])


def begin(game, abstraction, **settings):
    """Return a run whose tables are in memory and whose code is compiled."""
    run = Mccfr(game, abstraction, np.random.default_rng(2), MccfrSettings(**settings))
    run.run(WARM_UP)
    return run


def medians(told):
    """Return nodes per second, iterations per second, nodes per iteration of some rounds."""
    nodes = np.median([progress.nodes_per_s for progress in told])
    iterations = np.median([progress.iterations_per_s for progress in told])
    return float(nodes), float(iterations), float(nodes / iterations)


def measure(benchmark, run, *, beside=None, name="", rounds=7):
    """Time a run, and by turns with it another one to compare with."""
    told, others = [], []

    def setup():
        if beside is not None:
            others.append(beside.run(ROUND))

    benchmark.pedantic(lambda: told.append(run.run(ROUND)), setup=setup, rounds=rounds)
    nodes, iterations, length = medians(told)
    benchmark.extra_info["nodes_per_s"] = nodes
    benchmark.extra_info["iterations_per_s"] = iterations
    benchmark.extra_info["nodes_per_iteration"] = length
    if beside is not None:
        other_nodes, other_iterations, _ = medians(others)
        benchmark.extra_info[f"ratio_to_{name}"] = nodes / other_nodes
        benchmark.extra_info[f"ratio_to_{name}_iterations"] = iterations / other_iterations


@pytest.mark.parametrize("river", ["equity", "ochs"])
def bench_one_worker(benchmark, game, cards, river):
    """Target 12 million nodes per second."""
    measure(benchmark, begin(game, cards[river]))
    benchmark.extra_info["mib_tables"] = game.table_bytes / 2**20


def bench_two_workers(benchmark, game, cards):
    """One table for both; target 1.8 times one worker, which has a table of its own."""
    one, two = (begin(game, cards["equity"], workers=workers) for workers in (1, 2))
    measure(benchmark, two, beside=one, name="one_worker")


def bench_pruned(benchmark, game, cards):
    """An iteration visits fewer nodes, if more slowly: the ratio of iterations is what counts."""
    plain, pruned = (begin(game, cards["equity"], pruning=pruning) for pruning in (None, PRUNING))
    measure(benchmark, pruned, beside=plain, name="unpruned")


@pytest.mark.parametrize("river", ["equity", "ochs"])
def bench_deals(benchmark, game, cards, river):
    """Shuffled, in buckets, compared; unit: seconds for 1024 deals."""
    source = DealSource(game.tree.game, cards[river])
    generator = np.random.default_rng(3)

    def setup():
        return (generator.integers(0, 1 << 64, ITERATIONS_PER_BATCH, np.uint64),), {}

    source.deal(*setup()[0])
    benchmark.pedantic(source.deal, setup=setup, rounds=50)
    note(benchmark, deals_per_s=lambda median: ITERATIONS_PER_BATCH / median)


def bench_traversals(benchmark, game, cards):
    """1024 ready deals from empty tables; the ratio is to the oracle, a recursion in Python."""
    source, generator = DealSource(game.tree.game, cards["equity"]), np.random.default_rng(4)
    tables, rules = make_tables(game, np.zeros(game.cells, np.float32)), make_rules()
    queue = kernels.make_queue(game.walk)

    def setup():
        keys = generator.integers(0, 1 << 64, ITERATIONS_PER_BATCH, np.uint64)
        return (tables, source.deal(keys), 0, rules, queue), {}

    kernels.traverse(*setup()[0])
    benchmark.pedantic(kernels.traverse, setup=setup, rounds=50)
    if benchmark.stats is not None:
        deals = source.deal(generator.integers(0, 1 << 64, SLOW_DEALS, np.uint64))
        slow = SlowMccfr(game)
        begun = time.perf_counter()
        slow.traverse(deals)
        each = (time.perf_counter() - begun) / SLOW_DEALS
        deals_per_s = ITERATIONS_PER_BATCH / benchmark.stats.stats.median
        benchmark.extra_info["traversals_per_s"] = deals_per_s
        benchmark.extra_info["ratio_to_recursion_in_python"] = each * deals_per_s
