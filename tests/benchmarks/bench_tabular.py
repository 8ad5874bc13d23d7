"""Speed of the tabular solver on one core; unit: seconds per iteration of both players.

Leduc hold'em with its suits, 936 information sets; baselines are open_spiel's solvers for the same
game in the same run.
"""

import time

import pytest

from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.small_games.leduc import leduc
from engine.small_games.sequence_form import sequence_form
from engine.small_games.tabular import TabularSolver
from tests.oracles import open_spiel
from tests.oracles.open_spiel import cfr, discounted_cfr, pyspiel

BATCH = 200


@pytest.fixture(scope="module")
def tree():
    """The usual game."""
    return leduc()


def seconds_each(solver, iterations):
    """Return how long one of open_spiel's iterations takes."""
    solver.evaluate_and_update_policy()
    start = time.perf_counter()
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    return (time.perf_counter() - start) / iterations


@pytest.mark.parametrize("name", ["cfr", "cfr+", "dcfr", "hedge-var", "beta-rm(2)"])
def bench_leduc_iteration(benchmark, tree, name):
    """200 iterations a round; the ratios are to open_spiel's iteration of the same algorithm."""
    solver = TabularSolver(tree)
    run = (solver, VARIANTS[name], BATCH)
    solve(*run)
    benchmark.pedantic(solve, run, rounds=20, iterations=1)
    if benchmark.stats is None:
        return
    ours = benchmark.stats.stats.median / BATCH
    benchmark.extra_info["iterations_per_s"] = 1 / ours
    game = open_spiel.load("leduc_poker")
    compiled = {"cfr": pyspiel.CFRSolver, "cfr+": pyspiel.CFRPlusSolver}
    interpreted = {
        "cfr": cfr.CFRSolver,
        "cfr+": cfr.CFRPlusSolver,
        "dcfr": discounted_cfr.DCFRSolver,
    }
    if name in compiled:
        ratio = seconds_each(compiled[name](game), 50) / ours
        benchmark.extra_info["ratio_to_open_spiel_compiled"] = ratio
    if name in interpreted:
        ratio = seconds_each(interpreted[name](game), 5) / ours
        benchmark.extra_info["ratio_to_open_spiel_python"] = ratio


def bench_exploitability(benchmark, tree):
    """Both best responses to an average strategy of Leduc."""
    solver = TabularSolver(tree)
    solve(solver, VARIANTS["cfr"], 10)
    benchmark(solver.exploitability, StrategyKind.AVERAGE)
    if benchmark.stats is None:
        return
    benchmark.extra_info["profiles_per_s"] = 1 / benchmark.stats.stats.median
    game = open_spiel.load("leduc_poker")
    policy = pyspiel.UniformRandomPolicy(game)
    start = time.perf_counter()
    pyspiel.exploitability(game, policy)
    theirs = time.perf_counter() - start
    benchmark.extra_info["ratio_to_open_spiel_compiled"] = theirs / benchmark.stats.stats.median


def bench_build_large_leduc(benchmark):
    """13 ranks told without suits: 5148 information sets, 166 349 nodes, from the rules."""
    benchmark.pedantic(lambda: sequence_form(leduc(13, isomorphic=True)), rounds=3, iterations=1)
