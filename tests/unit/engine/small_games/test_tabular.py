"""The tabular solver."""

import numpy as np
import pytest

from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS, Matching, Variant, discounted
from engine.errors import InvalidGame
from engine.small_games import tabular_kernels
from engine.small_games.best_response import exploitability
from engine.small_games.game_tree import Chance, Decision, Terminal, build_tree
from engine.small_games.goofspiel import goofspiel
from engine.small_games.kuhn import kuhn
from engine.small_games.tabular import TabularSolver


@pytest.fixture(scope="module")
def tree():
    """Kuhn poker."""
    return kuhn()


def test_average_stays_uniform_while_iterations_are_left_out(tree):
    """A delay of three."""
    solver = TabularSolver(tree)
    solve(solver, VARIANTS["cfr+"].averaging(1, delay=3), 3)
    np.testing.assert_array_equal(solver.average(), tree.uniform())
    assert solver.exploitability(StrategyKind.AVERAGE) != solver.exploitability(
        StrategyKind.CURRENT
    )


def test_profiles_are_copies(tree):
    """Changing one changes nothing inside."""
    solver = TabularSolver(tree)
    solver.current()[:] = 9
    assert solver.exploitability(StrategyKind.CURRENT) < 1


def test_matching_may_change_over_the_same_regrets(tree):
    """Simultaneous updates add the same regrets whatever is matched from them."""
    solvers = [TabularSolver(tree, alternating=False) for _ in range(3)]
    for solver, name in zip(solvers, ("cfr", "hedge", "beta-rm(0.5)"), strict=True):
        solve(solver, VARIANTS["cfr"], 20)
        solver.iterate(VARIANTS[name].step(21, solver.spread))
    for solver in solvers[1:]:
        np.testing.assert_array_equal(solver.tables.regret, solvers[0].tables.regret)
        assert np.abs(solver.current() - solvers[0].current()).max() > 0.01


def test_exploitability_is_that_of_the_profile(tree):
    """Of the current or of the average one."""
    solver = TabularSolver(tree)
    solve(solver, VARIANTS["dcfr"], 50)
    for which, profile in (
        (StrategyKind.CURRENT, solver.current()),
        (StrategyKind.AVERAGE, solver.average()),
    ):
        assert solver.exploitability(which) == exploitability(solver.form, profile)


def test_hedge_needs_no_tuning_for_the_stakes():
    """Payoffs in cents instead of dollars change no strategy, with either rate."""
    for name in ("hedge", "hedge-var"):
        profiles = []
        for stake in (1.0, 100.0):
            solver = TabularSolver(matching_pennies(stake))
            solve(solver, VARIANTS[name], 25)
            profiles.append(solver.current())
        np.testing.assert_allclose(*profiles, atol=1e-12)


def matching_pennies(stake):
    """Player 0 wins twice the stake on heads, the stake on tails."""

    def describe(history):
        if len(history) < 2:
            return Decision(len(history), len(history), ("heads", "tails"))
        if history[0] != history[1]:
            return Terminal(-stake)
        return Terminal(2 * stake if history[0] == "heads" else stake)

    return build_tree(describe)


def test_extreme_exponents_and_rates_stay_probabilities(tree):
    """No overflow, no division by zero."""
    for variant in (
        Variant("sharp", exponent=300),
        Variant("sharp hedge", matching=Matching.HEDGE, rate=1e6, rate_power=0),
        discounted(5, -5, 5),
    ):
        solver = TabularSolver(tree)
        solve(solver, variant, 100)
        for profile in (solver.current(), solver.average()):
            totals = np.add.reduceat(profile, tree.first_action)
            np.testing.assert_allclose(totals, 1)


def test_players_without_decisions_are_fine():
    """A lone decision maker finds the best action."""
    tree = build_tree(
        lambda history: (
            Decision(1, "here", (3, 1, 2))
            if not history
            else Chance((0, 1), (0.5, 0.5))
            if len(history) == 1
            else Terminal(history[0] + history[1])
        )
    )
    solver = TabularSolver(tree)
    solve(solver, VARIANTS["cfr+"], 100)
    np.testing.assert_allclose(solver.current(), [0, 1, 0])
    assert solver.exploitability(StrategyKind.CURRENT) == pytest.approx(0)
    assert solver.spread == 3


def test_equal_payoffs_are_a_game_too():
    """Nothing to win: the spread that Hedge divides by is 1."""
    tree = build_tree(lambda history: Terminal(2) if history else Decision(0, 0, "ab"))
    solver = TabularSolver(tree)
    solve(solver, VARIANTS["hedge"], 3)
    np.testing.assert_array_equal(solver.current(), [0.5, 0.5])


def test_games_without_decisions_are_refused():
    """There is nothing to solve."""
    with pytest.raises(InvalidGame, match="without decisions"):
        TabularSolver(build_tree(lambda _: Terminal(1)))


def test_kernels_are_compiled_once():
    """Whatever the game, the variant and the order of updates."""
    for alternating in (True, False):
        solver = TabularSolver(goofspiel(2), alternating=alternating)
        for variant in VARIANTS.values():
            solver.iterate(variant.step(solver.iterations + 1, solver.spread))
        solver.exploitability(StrategyKind.AVERAGE)
    for kernel in (tabular_kernels.iterate, tabular_kernels.best_response):
        assert len(kernel.signatures) == 1
