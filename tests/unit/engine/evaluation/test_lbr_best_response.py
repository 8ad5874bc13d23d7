"""Local best response beside the exact one: a river with all combos, against a solved opponent."""

import numpy as np
import pytest

from engine.betting.bet_menu import ALL_IN, menu_of
from engine.betting.betting_tree import RAISE, build_betting_tree, subgame_root
from engine.cfr.solver import solve
from engine.cfr.variants import VARIANTS
from engine.evaluation.lbr import LocalBestResponse, belief_after_cards, first_belief
from engine.evaluation.lbr_hand import LbrSeat, LbrStart, play_lbr_hand
from engine.evaluation.lbr_settings import parse_lbr_settings
from engine.evaluation.simple_policies import TablePolicy
from engine.hands.cards import COMBO_CARDS, COMBOS, combo_text
from engine.range_solver.solver import RangeSolver
from protocol.actions import CALL, FOLD, raise_to
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.draws import all_draws

BOARD = parse_cards("2c7d9hJsKs")
ROOT = subgame_root(load_builtin("hunl"), 3, 200, (500, 500))
TREE = build_betting_tree(ROOT, menu_of((1.0, ALL_IN)))


def table_of(solver):
    """The solver's average strategy as a policy."""
    table = {}
    for node in map(int, TREE.decisions):
        children = range(TREE.first_child[node], TREE.first_child[node] + TREE.child_count[node])
        actions = [
            raise_to(int(TREE.raise_to[child]))
            if TREE.action[child] == RAISE
            else (FOLD, CALL)[TREE.action[child]]
            for child in children
        ]
        rows = solver.strategy("average", node)
        table[TREE.betting(node)] = dict(zip(actions, rows.T, strict=True))
    return TablePolicy(table)


def mean_of_hand(lbr, position, hole):
    """Return what LBR wins with a hand on the mean over all that the opponent may do."""
    belief, _ = belief_after_cards(first_belief(hole), BOARD)
    seat, start = LbrSeat(position, hole, BOARD), LbrStart(ROOT, belief)
    plays = all_draws(lambda draw: play_lbr_hand(lbr, seat, draw, start))
    return sum(probability * hand.won for probability, hand in plays)


@pytest.mark.parametrize(("iterations", "share"), [(1, 0.8), (30, 0.05)])
def test_no_hand_wins_more_than_its_best_response(iterations, share):
    """Hand by hand LBR stays below; of a poor opponent's chips it finds most, of a good one's few.

    Gains are over what the hand would win by playing as the opponent does.
    """
    solver = RangeSolver(TREE, BOARD, np.ones((2, COMBOS), np.float32))
    solve(solver, VARIANTS["lcfr"], iterations)
    lbr = LocalBestResponse(table_of(solver), ROOT.game, parse_lbr_settings("FCPA"))
    most, alike = solver.best_response_values("average"), solver.values("average")
    for position in (0, 1):
        found, there = 0.0, 0.0
        for combo in range(position, COMBOS, 37):
            hole = COMBO_CARDS[combo].tolist()
            if not set(hole) & set(BOARD):
                won = mean_of_hand(lbr, position, hole)
                assert won <= most[position, combo] + 0.01, combo_text(combo)
                found += won - alike[position, combo]
                there += most[position, combo] - alike[position, combo]
        assert share * there < found
