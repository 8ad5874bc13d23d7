"""Published values of small games and levels that CFR algorithms reach on them."""

import numpy as np
import pytest

from engine.cfr.adaptive import PATENT_POOL, PoolSolve, Reward, UcbChooser, UcbRule, Update
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.small_games.best_response import expected_value, exploitability, nash_conv
from engine.small_games.catalogue import GAMES
from engine.small_games.coin_toss import GUESS, coin_toss
from engine.small_games.kuhn import kuhn
from engine.small_games.leduc import leduc
from engine.small_games.sequence_form import sequence_form
from engine.small_games.tabular import TabularSolver

KUHN_LEVELS = {"cfr": 1e-3, "lcfr": 9e-5, "cfr+": 9e-5, "dcfr": 1.5e-4, "dcfr+": 1.1e-4}
LEDUC_LEVELS = {"cfr": 1.1e-2, "lcfr": 5.5e-3, "cfr+": 2e-4, "dcfr": 1.5e-4, "dcfr+": 1.3e-4}
"""Exploitability after 1000 iterations, big blinds, read off the figures of Xu, Li, Fu, Fu, Xing,
"AutoCFR: learning to design counterfactual regret minimization algorithms", AAAI 2022."""


@pytest.fixture(scope="module")
def leduc_tree():
    """The game of three ranks."""
    return leduc()


def solved(tree, name, iterations):
    """A solver that has run alternating updates."""
    solver = TabularSolver(tree)
    solve(solver, VARIANTS[name], iterations)
    return solver


def test_kuhn_has_a_value_of_minus_one_eighteenth():
    """At the equilibrium that bluffs with the jack a third as often as with the king.

    Source: see `engine.small_games.kuhn`.
    """
    solver = solved(kuhn(), "pcfr+", 2000)
    profile = solver.average()
    assert solver.exploitability(StrategyKind.AVERAGE) < 1e-7
    assert expected_value(solver.form, profile) == pytest.approx(-1 / 18, abs=1e-7)
    bluff, value = (
        profile[solver.form.tree.actions_of(solver.form.tree.info_set_of((card, "")))][1]
        for card in (0, 2)
    )
    assert value == pytest.approx(3 * bluff, abs=1e-4)


def test_known_equilibrium_of_kuhn_cannot_be_exploited():
    """The family of equilibria is known in closed form; here the one that never bluffs first."""
    tree = kuhn()
    bets = {
        (0, ""): 0,
        (1, ""): 0,
        (2, ""): 0,
        (0, "c"): 1 / 3,
        (1, "c"): 0,
        (2, "c"): 1,
        (0, "r"): 0,
        (1, "r"): 1 / 3,
        (2, "r"): 1,
        (0, "cr"): 0,
        (1, "cr"): 1 / 3,
        (2, "cr"): 1,
    }
    profile = np.concatenate([[1 - bets[name], bets[name]] for name in tree.info_set_names])
    form = sequence_form(tree)
    assert exploitability(form, profile) == pytest.approx(0, abs=1e-15)
    assert expected_value(form, profile) == pytest.approx(-1 / 18, abs=1e-15)


@pytest.mark.parametrize("isomorphic", [False, True])
def test_leduc_has_a_value_of_minus_0_0856(isomorphic):
    """To four digits, with and without suits."""
    solver = solved(leduc(isomorphic=isomorphic), "cfr+", 2000)
    assert solver.exploitability(StrategyKind.AVERAGE) < 1e-4
    value = expected_value(solver.form, solver.average())
    assert round(value, 4) == -0.0856


def test_uniform_play_in_leduc_loses_4_7472(leduc_tree):
    """NashConv as in open_spiel's tests, to four digits."""
    assert round(nash_conv(sequence_form(leduc_tree), leduc_tree.uniform()), 4) == 4.7472


def test_coin_toss_is_fair():
    """Value 0; player 1 guesses heads a quarter of the time."""
    tree = coin_toss()
    solver = solved(tree, "pcfr+", 2000)
    assert expected_value(solver.form, solver.average()) == pytest.approx(0, abs=1e-6)
    guess = solver.average()[tree.actions_of(tree.info_set_of(GUESS))]
    np.testing.assert_allclose(guess, [0.25, 0.75, 0], atol=1e-3)


@pytest.mark.parametrize("name", KUHN_LEVELS)
def test_levels_on_kuhn(name):
    """Within a factor of three."""
    ratio = solved(kuhn(), name, 1000).exploitability(StrategyKind.AVERAGE) / KUHN_LEVELS[name]
    assert 1 / 3 < ratio < 3


@pytest.mark.parametrize("name", LEDUC_LEVELS)
def test_levels_on_leduc(leduc_tree, name):
    """Within a factor of three."""
    ratio = solved(leduc_tree, name, 1000).exploitability(StrategyKind.AVERAGE) / LEDUC_LEVELS[name]
    assert 1 / 3 < ratio < 3


def test_suits_change_nothing_about_regret_matching():
    """The game of ranks goes through the same strategies as the game of cards."""
    cards, ranks = leduc(), leduc(isomorphic=True)
    for name in ("cfr", "dcfr", "pcfr+"):
        first, second = solved(cards, name, 30), solved(ranks, name, 30)
        assert first.exploitability(StrategyKind.AVERAGE) == pytest.approx(
            second.exploitability(StrategyKind.AVERAGE), abs=1e-9
        )


PATENT_LEVELS = {
    "cfr": 8.4475,
    "hedge(1)": 8.8105,
    "beta-rm(0.5)": 8.6762,
    "beta-rm(1.5)": 8.1691,
    "beta-rm(2)": 8.4127,
}
PATENT_CHOICES = {
    Update.SUM: (9.8665, [73, 128, 132, 452, 239]),
    Update.MEAN: (11.9038, [185, 214, 232, 225, 168]),
}
"""On the patent's game, simultaneous updates, uniform start, thousandths of the ante; from a
program that shares nothing with this one."""
PATENT_ITERATIONS = 1024


@pytest.mark.parametrize("variant", PATENT_POOL, ids=lambda variant: variant.name)
def test_members_of_the_patents_pool_reach_their_levels(variant):
    """Each member alone, on the patent's game of three cards."""
    solver = TabularSolver(GAMES["fixed-queen"].build(), alternating=False)
    solve(solver, variant, PATENT_ITERATIONS)
    reached = 1000 * solver.exploitability(StrategyKind.AVERAGE)
    assert reached == pytest.approx(PATENT_LEVELS[variant.name], abs=5e-5)


@pytest.mark.parametrize("update", PATENT_CHOICES)
def test_the_patents_choice_reaches_its_level(update):
    """With as many iterations of each member."""
    solver = TabularSolver(GAMES["fixed-queen"].build(), alternating=False)
    chooser = UcbChooser(len(PATENT_POOL), UcbRule(update))
    choice = PoolSolve(solver, PATENT_POOL, chooser, Reward())
    for _ in range(PATENT_ITERATIONS):
        choice.iterate()
    level, uses = PATENT_CHOICES[update]
    assert 1000 * solver.exploitability(StrategyKind.AVERAGE) == pytest.approx(level, abs=5e-5)
    assert choice.uses == uses
