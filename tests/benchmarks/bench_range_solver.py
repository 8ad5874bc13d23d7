"""Speed of the vector solver; unit: seconds per iteration of both players, or until accurate.

Subgames: river subgame 3 of the Libratus files with the published bet sizes and with half pot, pot
and all-in against everything ("all sizes", 188 decisions, 187 showdowns); the turn with a pot of
4780, all hands.  No package on PyPI solves such games; the baseline is the usual way to value a
showdown, one range at a time with scalar running sums, compiled as well.
"""

import time
from dataclasses import replace

import numpy as np
import pytest

from engine.betting.bet_menu import ALL_IN, menu_of
from engine.betting.betting_tree import build_betting_tree, subgame_root
from engine.cfr.solver import StrategyKind
from engine.cfr.variants import VARIANTS, discounted
from engine.compiled.jit import kernel
from engine.compiled.lanes import aligned_zeros
from engine.hands.cards import CARDS, COMBO_CARDS, COMBOS
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.range_solver.tables import INT16
from engine.range_solver.terminal_kernels import LaneHands, LaneWork, value_rows
from engine.showdown.board_ranks import board_ranks
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.endgames import PUBLISHED_MENU, read_subgame

pytestmark = pytest.mark.slow
ALL_SIZES = menu_of((0.5, 1, ALL_IN))
CHECK_EVERY = 10
RIVER = VARIANTS["lcfr"]
TURN = discounted(1.5, 0.0, 4.0)


@pytest.fixture(scope="module")
def river(shared_data):
    return read_subgame(shared_data / "libratus_subgames" / "subgame3.txt")


@pytest.fixture(scope="module")
def turn(shared_data):
    """Subgame 2 where it is here, else its pot on the board of subgame 1 with every hand alike."""
    folder = shared_data / "libratus_subgames"
    if (folder / "subgame2.txt").is_file():
        return read_subgame(folder / "subgame2.txt")
    first = read_subgame(folder / "subgame1.txt")
    return replace(first, pot=4780, stack=17_610, ranges=np.ones((2, COMBOS)))


def solver_of(subgame, menu=PUBLISHED_MENU, **settings):
    tree = subgame.tree(menu)
    return RangeSolver(tree, subgame.board, subgame.ranges, RangeSettings(**settings))


def compiled(subgame, variant, **settings):
    """Have everything compiled before the clock starts."""
    solver = solver_of(subgame, **settings)
    solver.iterate(variant.step(1))
    solver.exploitability(StrategyKind.AVERAGE)


def measure_iterations(benchmark, subgame, variant, menu=PUBLISHED_MENU, *, rounds=50, **settings):
    """Time iterations one by one, after a few that find everything in place."""
    compiled(subgame, variant, **settings)
    solver = solver_of(subgame, menu, **settings)

    def iterate():
        solver.iterate(variant.step(solver.iterations + 1))

    benchmark.pedantic(iterate, rounds=rounds, iterations=1, warmup_rounds=5)
    if benchmark.stats is not None:
        benchmark.extra_info["ms_per_iteration"] = 1000 * benchmark.stats.stats.median
        benchmark.extra_info["mib_tables"] = solver.memory.tables / 2**20


def measure_accuracy(
    benchmark, subgame, variant, percent, menu=PUBLISHED_MENU, *, rounds=5, **settings
):
    """Time a whole solve until a look every ten iterations finds it good enough."""
    compiled(subgame, variant, **settings)

    def solve():
        solver = solver_of(subgame, menu, **settings)
        while (
            not solver.iterations
            or 100 * solver.exploitability_of_pot(StrategyKind.AVERAGE) > percent
        ):
            for _ in range(CHECK_EVERY):
                solver.iterate(variant.step(solver.iterations + 1))
        return solver.iterations

    benchmark.extra_info["iterations"] = benchmark.pedantic(solve, rounds=rounds, iterations=1)


@pytest.mark.parametrize("name", ["lcfr", "dcfr", "pcfr+"])
def bench_river_iteration(benchmark, river, name):
    """32 decisions, 1033 and 1059 hands, one thread; target 0.8 ms."""
    measure_iterations(benchmark, river, VARIANTS[name], rounds=400)


@pytest.mark.parametrize("percent", [0.3, 0.1])
def bench_river_accuracy(benchmark, river, percent):
    """Targets 0.4 s and 0.8 s."""
    measure_accuracy(benchmark, river, RIVER, percent)


def bench_river_all_sizes_iteration(benchmark, river):
    """188 decisions; target 3.0 ms."""
    measure_iterations(benchmark, river, RIVER, ALL_SIZES, rounds=200)


@pytest.mark.parametrize("percent", [0.1])
def bench_river_all_sizes_accuracy(benchmark, river, percent):
    """Target 2.7 s."""
    measure_accuracy(benchmark, river, RIVER, percent, ALL_SIZES, rounds=3)


@pytest.mark.parametrize("storage", ["float32", INT16])
@pytest.mark.parametrize("threads", [1, 2])
def bench_turn_iteration(benchmark, turn, threads, storage):
    """16 decisions and 64 on each of 48 rivers; target 30 ms on two cores."""
    measure_iterations(benchmark, turn, TURN, rounds=30, threads=threads, storage=storage)


def bench_turn_accuracy(benchmark, turn):
    """0.3 % of the pot on two cores; target 2.5 s."""
    measure_accuracy(benchmark, turn, TURN, 0.3, rounds=3, threads=2)


def bench_turn_storage(benchmark, turn):
    """16 bits against 32, one thread, in turns: memory and time.

    Also what is left to win after all these iterations, in per cent of the pot.
    """
    solvers = {storage: solver_of(turn, storage=storage) for storage in ("float32", INT16)}
    seconds = {storage: [] for storage in solvers}

    def iterate_both():
        for storage, solver in solvers.items():
            start = time.perf_counter()
            solver.iterate(TURN.step(solver.iterations + 1))
            seconds[storage].append(time.perf_counter() - start)

    benchmark.pedantic(iterate_both, rounds=300, iterations=1)
    wide, narrow = solvers["float32"], solvers[INT16]
    benchmark.extra_info["ratio_memory"] = narrow.memory.total / wide.memory.total
    benchmark.extra_info["ratio_time"] = float(
        np.median(seconds[INT16]) / np.median(seconds["float32"])
    )
    for storage, solver in solvers.items():
        share = solver.exploitability_of_pot(StrategyKind.AVERAGE)
        benchmark.extra_info[f"percent_of_pot_{storage}"] = 100 * share


@pytest.mark.parametrize("storage", ["float32", INT16])
def bench_flop_iteration(benchmark, storage):
    """One bet of the pot a street, 52 decisions, all hands: 1.5 GB of tables on two cores."""
    tree = build_betting_tree(
        subgame_root(load_builtin("hunl"), 1, 500, (19_750, 19_750)), menu_of((1,), max_raises=1)
    )
    ranges = np.ones((2, COMBOS))
    settings = RangeSettings(threads=2, storage=storage)
    solver = RangeSolver(tree, parse_cards("Ks9d4h"), ranges, settings)

    def iterate():
        solver.iterate(RIVER.step(solver.iterations + 1))

    benchmark.pedantic(iterate, rounds=5, iterations=1, warmup_rounds=2)
    benchmark.extra_info["mib"] = solver.memory.total / 2**20


@kernel
def _one_by_one(cards, group_end, reach, sums, value):
    """Value showdowns range by range: running sums up, then down, and a table per card."""
    for row in range(len(reach)):
        for direction in range(2):
            sums[:] = 0.0
            total = 0.0
            for step in range(len(group_end)):
                group = step if direction == 0 else len(group_end) - 1 - step
                first = group_end[group - 1] if group else 0
                for hand in range(first, group_end[group]):
                    met = total - sums[cards[hand, 0]] - sums[cards[hand, 1]]
                    value[row, hand] += met if direction == 0 else -met
                for hand in range(first, group_end[group]):
                    total += reach[row, hand]
                    sums[cards[hand, 0]] += reach[row, hand]
                    sums[cards[hand, 1]] += reach[row, hand]


def bench_showdowns(benchmark):
    """64 ranges of 1081 hands; the ratio is to range by range."""
    board = parse_cards("4s8hTc9h2s")
    ranks = board_ranks(board)
    order = np.argsort(ranks, kind="stable")[np.count_nonzero(ranks == 0) :]  # weakest first
    ranks = ranks[order]
    ends = np.append(np.flatnonzero(np.diff(ranks)) + 1, len(order)).astype(np.int32)
    count, width = 64, 1088
    cards = np.zeros((width, 2), np.uint8)
    cards[: len(order)] = COMBO_CARDS[order]
    reach = aligned_zeros((count + 1, width), np.float32)
    reach[:count, : len(order)] = np.random.default_rng(1).random((count, len(order)))
    value = aligned_zeros((count + 1, width), np.float32)
    rows = np.arange(count, dtype=np.int32)
    arguments = (
        reach,
        rows,
        LaneHands(cards, len(order), np.arange(width, dtype=np.int32), ends),
        np.ones(width, np.float32),
        aligned_zeros((2, width, 16), np.float32),
        LaneWork(
            aligned_zeros((CARDS, 16), np.float64),
            aligned_zeros((width, 16), np.float64),
            aligned_zeros((width, 16), np.float32),
        ),
        value,
    )
    plain = np.zeros((count, width))
    sums = np.zeros(CARDS)
    _one_by_one(cards, ends, reach[:count], sums, plain)
    value_rows(*arguments)
    np.testing.assert_allclose(value[:count], plain, rtol=1e-4, atol=1e-3)
    benchmark.pedantic(value_rows, arguments, rounds=200, iterations=1)
    if benchmark.stats is not None:
        times = []
        for _ in range(50):
            start = time.perf_counter()
            _one_by_one(cards, ends, reach[:count], sums, plain)
            times.append(time.perf_counter() - start)
        benchmark.extra_info["showdowns_per_s"] = count / benchmark.stats.stats.median
        ratio = float(np.median(times)) / benchmark.stats.stats.median
        benchmark.extra_info["ratio_to_one_by_one"] = ratio
