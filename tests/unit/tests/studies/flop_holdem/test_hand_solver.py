"""Hands by themselves on a few flops: against obvious values, and where the answer is known."""

import numpy as np
import pytest

from engine.betting.bet_menu import menu_of, parse_menu
from engine.betting.betting_tree import build_betting_tree
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.equity.equity import matchups
from engine.hands.cards import COMBO_CARDS, COMBOS
from engine.rules.state import HandState
from engine.search.gadgets import MarginGadget, ResolveGadget
from tests.oracles.flop_holdem import best_response
from tests.studies.flop_holdem.game import FlopGame, flop_holdem, flop_tables, run_out
from tests.studies.flop_holdem.kernels import BEST
from tests.studies.flop_holdem.solver import (
    FlopBucketSolver,
    FlopHandSolver,
    flop_sums,
    preflop_reach,
    values_before_flop,
)

MENU = parse_menu("100;a;/50,100;a;")


@pytest.fixture(scope="module")
def one_flop():
    """A flop on which two more cards come."""
    return run_out(flop_tables(1), 1)


def solved(tables, iterations=8, threads=1):
    """Some iterations of a small game with 20 blinds."""
    tree = build_betting_tree(HandState.start(flop_holdem(stack=20)), MENU)
    found = FlopHandSolver(FlopGame(tree, tables), threads=threads)
    solve(found, VARIANTS["dcfr3"], iterations)
    return found


def test_edges_are_those_of_run_outs(one_flop):
    """Of one hand against every other; what one wins the other loses."""
    edges, combos = one_flop.edges[0], one_flop.combo[0]
    for hand in (0, 700, len(edges) - 1):
        hole = COMBO_CARDS[combos[hand]].tolist()
        found = matchups(hole, one_flop.boards[0].tolist())
        expected = (found.win - found.lose)[combos] / found.boards
        np.testing.assert_allclose(edges[hand], expected, atol=1e-7)
    np.testing.assert_array_equal(edges, -edges.T)


@pytest.mark.parametrize("player", [pytest.param(0, marks=pytest.mark.slow), 1])
def test_best_responses_win_what_an_obvious_one_does(one_flop, player):
    """From both positions, with hands shown after run-outs."""
    solver = solved(one_flop)
    expected = best_response(solver.game, *solver.profile(StrategyKind.AVERAGE), player)
    won = solver.best_responses(StrategyKind.AVERAGE)[player]
    assert won == pytest.approx(expected, rel=1e-4)


def test_it_comes_where_buckets_of_one_hand_come():
    """The solver with buckets, every hand in its own, nears the same values."""
    hands = solved(flop_tables(1), 60)
    buckets = np.arange(hands.game.flops.live, dtype=np.uint16)[None]
    other = FlopBucketSolver(hands.game, buckets, threads=1)
    solve(other, VARIANTS["cfr+"], 200)
    first, second = hands.best_responses(StrategyKind.AVERAGE)
    other_first, other_second = other.best_responses(StrategyKind.AVERAGE)
    assert first + second < 10
    assert -second - 5 < other_first
    assert -other_second - 5 < first


def test_threads_change_nothing():
    """Sums are added in the same order."""
    tables = run_out(flop_tables(2), 1)
    one, two = solved(tables, 3), solved(tables, 3, threads=2)
    assert np.array_equal(one.strategy_sum, two.strategy_sum)
    assert np.array_equal(one.preflop_sum, two.preflop_sum)


def test_algorithms_that_predict_are_refused(one_flop):
    """In a clear line."""
    tree = build_betting_tree(HandState.start(flop_holdem()), menu_of(()))
    with pytest.raises(ValueError, match="plain regret matching"):
        FlopHandSolver(FlopGame(tree, one_flop)).iterate(VARIANTS["pcfr+"].step(1, 1.0))


@pytest.fixture(scope="module")
def good():
    """A good strategy of a game, and what hands of player 0 win at best from it."""
    game = solved(flop_tables(1), 0).game
    solver = FlopHandSolver(game, threads=1)
    solve(solver, VARIANTS["cfr+"], 100)
    return game, root_values(solver)


@pytest.mark.parametrize("margin", [False, True])
def test_a_gadget_leaves_no_hand_much_more_than_it_had(good, margin):
    """Where the alternatives are what hands win at best from a good strategy."""
    game, before = good
    gadget = (
        MarginGadget(0, before, np.full(COMBOS, 1 / COMBOS)) if margin else ResolveGadget(0, before)
    )
    again = FlopHandSolver(game, None, gadget, threads=1)
    solve(again, VARIANTS["cfr+"], 100)
    worse = root_values(FlopHandSolver(game, threads=1)) - before
    assert (root_values(again) - before).max() < 0.05 * worse.max()


def test_a_gadget_is_taken_up_again_too():
    """Two iterations and three more are five."""
    game = solved(flop_tables(1), 0).game
    gadgets = [MarginGadget(0, np.zeros(COMBOS), np.full(COMBOS, 1 / COMBOS)) for _ in range(3)]
    whole, first, second = (FlopHandSolver(game, None, one, threads=1) for one in gadgets)
    solve(whole, VARIANTS["cfr+"], 5)
    solve(first, VARIANTS["cfr+"], 2)
    second.resume(first.state())
    solve(second, VARIANTS["cfr+"], 3)
    assert second.iterations == 5
    for name, array in whole.state().items():
        assert np.array_equal(array, second.state()[name])


def root_values(solver):
    """(1326,) what hands of player 0 win at best from a solver's average strategy."""
    game, profile = solver.game, solver.profile(StrategyKind.AVERAGE)
    reach = preflop_reach(game, profile.preflop)
    roots = flop_sums(game, profile.shares, reach, (BEST, BEST), 1)
    return values_before_flop(game, profile.preflop, reach, roots, (BEST, BEST))[0, 0] / 1225
