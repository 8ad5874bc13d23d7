"""Values of known strategies: the solver's own, and those of parts of its tree."""

import numpy as np
import pytest

from engine.betting.bet_menu import ALL_IN, menu_of
from engine.betting.betting_tree import DEAL
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.hands.cards import COMBOS
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.range_solver.tables import INT16
from engine.search.profile_values import profile_below, profile_solver
from protocol.cards import parse_cards
from tests.helpers.subgames import scattered_ranges, tree_of

RIVER, TURN = "KsJs7d2s3h", "Kd7d5d2d"
AVERAGE = StrategyKind.AVERAGE


def solved(board, iterations=30, hands=None):
    """A subgame solved a little."""
    hands = scattered_ranges(4) if hands is None else hands
    tree = tree_of(board, menu_of((0.7, ALL_IN), (ALL_IN,)))
    solver = RangeSolver(tree, parse_cards(board), hands)
    solve(solver, VARIANTS["dcfr"], iterations)
    return solver


@pytest.mark.parametrize("board", [RIVER, TURN])
def test_a_profile_that_is_adopted_has_the_values_of_its_solve(board):
    """Those of both players, and of best responses; also where boards are shared."""
    solver = solved(board)
    seen = len(solver.game.board)
    again = profile_solver(
        solver.game.tree,
        solver.game.board,
        solver.game.beliefs,
        lambda node, cards: solver.strategy(AVERAGE, node, cards[seen:]),
    )
    for measure in ("values", "best_response_values"):
        ours, theirs = getattr(again, measure)(AVERAGE), getattr(solver, measure)(AVERAGE)
        np.testing.assert_allclose(ours, theirs, rtol=1e-3, atol=0.05)
    assert again.exploitability(AVERAGE) == pytest.approx(solver.exploitability(AVERAGE), rel=1e-3)


def test_values_below_a_node_add_up_to_those_above():
    """A mean over the actions: the values of the root are those of its children, weighed."""
    solver = solved(RIVER)
    tree, board = solver.game.tree, solver.game.board
    actor = int(tree.kind[0])
    acted = solver.strategy(AVERAGE, 0)
    total = np.zeros(COMBOS)
    weight = np.zeros(COMBOS)
    for number, child in enumerate(tree.children(0)):
        ranges = solver.game.beliefs.copy()
        ranges[actor] *= acted[:, number]
        part = profile_below(solver, child, board, ranges)
        met = part.game.rivals[1 - actor] * ranges[actor].sum()
        total += np.nan_to_num(part.values(AVERAGE)[1 - actor]) * met
        weight += met
    expected = solver.values(AVERAGE)[1 - actor]
    known = ~np.isnan(expected)
    np.testing.assert_allclose(total[known] / weight[known], expected[known], rtol=1e-3, atol=0.05)


@pytest.mark.parametrize("shared", [True, False])
def test_what_is_copied_is_what_is_asked_for(shared):
    """Table by table, or hand by hand where boards are shared or other hands are held."""
    solver = solved(TURN) if shared else solved("Kd7c5h2s", hands=np.ones((2, COMBOS)))
    assert (len(solver.game.swaps) > 1) == shared
    tree, board = solver.game.tree, solver.game.board
    node = next(iter(tree.children(0)))
    nodes = tree.nodes_below(node).tolist()
    ranges = np.ones((2, COMBOS)) if not shared else solver.game.beliefs
    copied = profile_below(solver, node, board, ranges)
    asked = profile_solver(
        tree.below(node),
        board,
        ranges,
        lambda number, cards: solver.strategy(AVERAGE, nodes[number], cards[len(board) :]),
    )
    for measure in ("values", "best_response_values"):
        ours, theirs = getattr(copied, measure)(AVERAGE), getattr(asked, measure)(AVERAGE)
        np.testing.assert_allclose(ours, theirs, rtol=1e-3, atol=0.05)


def test_trees_below_a_node_are_those_of_the_whole():
    """The same bettings, in the same order."""
    tree = tree_of(TURN)
    for node in tree.decisions.tolist():
        part, nodes = tree.below(node), tree.nodes_below(node).tolist()
        assert len(nodes) == part.nodes
        before = tree.betting(node)
        for number, whole in enumerate(nodes):
            assert before + part.betting(number) == tree.betting(whole)
            assert [nodes[child] for child in part.children(number)] == list(tree.children(whole))
    with pytest.raises(ValueError, match="nobody acts"):
        tree.below(int(np.flatnonzero(tree.kind == DEAL)[0]))


def test_tables_of_sixteen_bits_adopt_no_profile():
    """They could only be packed anew after each number."""
    with pytest.raises(ValueError, match="float32"):
        profile_solver(
            tree_of(RIVER),
            parse_cards(RIVER),
            scattered_ranges(4),
            lambda node, cards: np.ones((COMBOS, 2), np.float32),
            RangeSettings(storage=INT16),
        )
