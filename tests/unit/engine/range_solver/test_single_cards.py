"""Kuhn and Leduc by the vector solver: games of single cards, where all is known."""

import numpy as np
import pytest

from engine.betting.bet_menu import menu_of
from engine.betting.betting_tree import build_betting_tree
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.range_solver.leaves import DepthLimit, street_ends
from engine.range_solver.solver import RangeSolver
from engine.rules.state import HandState
from engine.search.gadgets import ResolveGadget
from engine.small_games.poker_tree import poker_tree
from engine.small_games.tabular import TabularSolver
from protocol.gamedefs import load_builtin

MENU = menu_of((1.0,))


def solver_of(name, ranges=None, **options):
    game = load_builtin(name)
    tree = build_betting_tree(HandState.start(game), MENU)
    return RangeSolver(
        tree, (), np.ones((2, len(game.deck))) if ranges is None else ranges, **options
    )


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
@pytest.mark.parametrize("variant", ["cfr", "dcfr", "pcfr+"])
def test_iterations_are_those_of_the_tabular_solver(name, variant):
    """Suits that change nothing change no iteration either."""
    vector, tabular = solver_of(name), TabularSolver(poker_tree(load_builtin(name)))
    assert vector.spread == tabular.spread
    for t in range(1, 9):
        step = VARIANTS[variant].step(t, tabular.spread)
        vector.iterate(step)
        tabular.iterate(step)
        for which in StrategyKind:
            assert vector.exploitability(which) == pytest.approx(
                tabular.exploitability(which), rel=2e-4
            )


@pytest.mark.parametrize(("name", "value"), [("kuhn", -1 / 18), ("leduc", -0.0856)])
def test_values_are_the_published_ones(name, value):
    """Of both games to four places."""
    solver = solver_of(name)
    solve(solver, VARIANTS["dcfr"], 300)
    assert solver.game_value(StrategyKind.AVERAGE) == pytest.approx(value, abs=2e-4)


def test_a_hand_blocks_itself_and_the_board():
    """Nobody meets the own card, and nothing is played with the board's."""
    solver = solver_of("leduc")
    np.testing.assert_allclose(solver.game.rivals, 5 / 6)
    assert solver.game.joint == pytest.approx(5 / 6)
    second = solver.game.boards[1]
    assert len(second.boards) == 6
    assert (second.hands[0].held == 5).all()
    assert solver.game.boards[0].deals.chance == pytest.approx(1 / 4)


def test_gadgets_offer_alternatives_by_card():
    """Who is granted more than anything stays out; who is granted nothing enters."""
    alternatives = np.array([-100.0, -100.0, -100.0, 100.0, 100.0, 100.0])
    solver = solver_of("leduc", root=ResolveGadget(1, alternatives))
    solve(solver, VARIANTS["cfr+"], 30)
    entered = solver.root.reach(StrategyKind.CURRENT)[1]
    np.testing.assert_allclose(entered, [1, 1, 1, 0, 0, 0], atol=1e-6)


def test_leaves_have_a_number_for_each_card():
    """Not for 1326 combos."""
    game = load_builtin("leduc")
    tree = build_betting_tree(HandState.start(game), MENU)
    shapes = []

    class Nothing:
        def values(self, request):
            shapes.append(request.reach.shape)
            return np.zeros_like(request.reach)

    limit = DepthLimit(street_ends(tree, 0), Nothing())
    solve(RangeSolver(tree, (), np.ones((2, 6)), limit=limit), VARIANTS["dcfr"], 2)
    assert {shape[1:] for shape in shapes} == {(2, 6)}


def test_ranges_of_another_game_are_refused():
    """1326 weights where there are six cards."""
    with pytest.raises(ValueError, match=r"\(2, 6\) weights"):
        solver_of("leduc", np.ones((2, 1326)))


def test_three_boards_at_once_are_refused():
    """Cards come one by one."""
    from dataclasses import replace

    from engine.errors import InvalidGame

    game = replace(load_builtin("leduc"), board_cards=(0, 2))
    tree = build_betting_tree(HandState.start(game), MENU)
    with pytest.raises(InvalidGame, match="flop"):
        RangeSolver(tree, (), np.ones((2, 6)))
