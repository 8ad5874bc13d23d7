"""Abstract games whose hands remember, solved by products with the tables of chance."""

from itertools import permutations

import numpy as np
import pytest

from engine.betting.bet_menu import menu_of
from engine.betting.betting_tree import build_betting_tree
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.errors import InvalidGame
from engine.rules.state import HandState
from engine.small_games.bucket_game import BucketLaw, bucket_game, law_of_deals
from engine.small_games.bucket_solver import BucketSolver, expected_value, exploitability
from engine.small_games.poker_tree import poker_tree
from engine.small_games.table_solver import random_profile
from engine.small_games.tabular import solver_for
from protocol.gamedefs import load_builtin
from tests.helpers.small_mccfr import shallow_holdem

COUNTS = (3, 9)
"""Leduc's hands: a rank, then that and the board's."""


def leduc_law():
    """Every deal once."""
    hands, results = [], []
    for mine, theirs, board in permutations([0, 0, 1, 1, 2, 2], 3):
        hands.append((3 * mine + board, 3 * theirs + board))
        strengths = [10 * (rank == board) + rank for rank in (mine, theirs)]
        results.append(np.sign(strengths[0] - strengths[1]))
    return law_of_deals(COUNTS, [(np.array(hands), np.array(results))])


@pytest.fixture(scope="module")
def leduc():
    """Leduc hold'em."""
    tree = build_betting_tree(HandState.start(load_builtin("leduc")), menu_of((1.0,)))
    return bucket_game(tree, COUNTS, leduc_law())


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("name", ["cfr", "dcfr", "pcfr+", "hedge", "hedge-var", "beta-rm(2)"])
def test_iterations_are_those_of_the_game_written_out(name, alternating, leduc):
    """Exploitability of both strategies, for members of every kind."""
    game = poker_tree(load_builtin("leduc"))
    solvers = (
        BucketSolver(leduc, alternating=alternating),
        solver_for(game, alternating=alternating),
    )
    for solver in solvers:
        solve(solver, VARIANTS[name], 12)
    for kind in StrategyKind:
        products, tree = (solver.exploitability(kind) for solver in solvers)
        assert products == pytest.approx(tree, abs=1e-7)


def test_the_value_of_leduc_comes_out(leduc):
    """As is known; so do the exploitability of the uniform profile, sets and spread."""
    solver = BucketSolver(leduc)
    solve(solver, VARIANTS["dcfr"], 300)
    assert expected_value(leduc, solver.average()) == pytest.approx(-0.0856, abs=1e-3)
    assert 2 * exploitability(leduc, leduc.uniform()) == pytest.approx(4.7472, abs=1e-4)
    assert (leduc.info_sets, leduc.spread) == (288, 26.0)


def test_an_early_all_in_is_worth_the_mean_over_the_cards_to_come():
    """Nobody wins by it on average in a game that treats both alike; hands with more win, do."""
    tree = shallow_holdem(menu_of((1.0,)), chips=200)
    rng = np.random.default_rng(1)
    counts = (2, 4, 4, 8)
    hands = rng.integers(0, 8, (400, 2))
    law = law_of_deals(counts, [(hands, np.sign(hands[:, 0] // 4 - hands[:, 1] // 4))])
    game = bucket_game(tree, counts, law)
    assert law.won[0][1, 0] == -law.won[0][0, 1] > 0
    assert law.won[0][1, 1] == 0
    for table in law.met:
        assert table.sum() == pytest.approx(1)
        np.testing.assert_array_equal(table, table.T)
    solver = BucketSolver(game, start=random_profile(game, rng))
    before = solver.exploitability(StrategyKind.CURRENT)
    solve(solver, VARIANTS["dcfr"], 200)
    assert solver.exploitability(StrategyKind.AVERAGE) < before / 50


def test_rows_of_a_profile_are_by_decision_and_hand(leduc):
    """And a view, so that they can be written."""
    profile = leduc.uniform()
    for node in leduc.first_set:
        rows = leduc.rows_of(profile, node)
        assert rows.shape == (COUNTS[leduc.tree.street[node]], leduc.tree.child_count[node])
        rows[:] = 0
    assert not profile.any()


def test_what_does_not_fit_is_refused(leduc):
    """Counts of other streets, hands that are not parted equally, no deals."""
    with pytest.raises(InvalidGame, match="do not fit"):
        bucket_game(leduc.tree, (3, 6), leduc_law())
    with pytest.raises(InvalidGame, match="do not fit"):
        bucket_game(leduc.tree, (3,), BucketLaw((np.eye(3),), (np.eye(3),)))
    with pytest.raises(ValueError, match="each street parts"):
        law_of_deals((3, 8), [])
    with pytest.raises(ValueError, match="no deals"):
        law_of_deals((3, 9), [])
