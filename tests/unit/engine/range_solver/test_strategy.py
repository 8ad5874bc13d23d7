"""Solved subgames: kept, loaded, looked up, played."""

import numpy as np
import pytest

from engine.betting.bet_menu import menu_of
from engine.betting.betting_tree import build_betting_tree, subgame_root
from engine.betting.policy import check_strategy
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.errors import ArtifactMismatch
from engine.hands.range_text import parse_range
from engine.range_solver.solver import RangeSolver
from engine.range_solver.strategy import KIND, RangeStrategy
from engine.storage.artifacts import load_artifact, save_artifact
from protocol.actions import CALL, raise_to
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

BOARD = parse_cards("KsJs7d2s")
RANGES = np.stack([parse_range("QQ+,AKs,87s,33"), parse_range("TT+,AQs,65s,A2o:0.5")])
ROOT = subgame_root(load_builtin("hunl"), 2, 500, (700, 700))


@pytest.fixture(scope="module")
def solver():
    made = RangeSolver(build_betting_tree(ROOT, menu_of((1.0,), max_raises=2)), BOARD, RANGES)
    solve(made, VARIANTS["dcfr"], 40)
    return made


@pytest.fixture(scope="module")
def strategy(solver):
    return RangeStrategy.of(solver)


def decisions(solver):
    """Every decision, with some cards where one has come."""
    for node, place in solver.game.places.items():
        for card in parse_cards("AsTc2c") if place.level else (None,):
            yield node, () if card is None else (card,)


def test_it_says_what_the_solver_says(solver, strategy):
    """Up to the 16 bits that a probability is kept in, on every street and in every suit."""
    for node, dealt in decisions(solver):
        np.testing.assert_allclose(
            strategy.at(node, dealt), solver.strategy(StrategyKind.AVERAGE, node, dealt), atol=2e-5
        )
    np.testing.assert_array_equal(strategy.values, solver.values(StrategyKind.AVERAGE))


def test_a_saved_strategy_comes_back_the_same(solver, strategy, tmp_path):
    """Bit for bit: tree, ranges, values and probabilities."""
    strategy.save(tmp_path / "solution.bin")
    loaded = RangeStrategy.load(tmp_path / "solution.bin")
    assert loaded.board == BOARD
    assert loaded.tree.game == strategy.tree.game
    np.testing.assert_array_equal(loaded.tree.spent, strategy.tree.spent)
    np.testing.assert_array_equal(loaded.values, strategy.values)
    for node, dealt in decisions(solver):
        np.testing.assert_array_equal(loaded.at(node, dealt), strategy.at(node, dealt))


def test_it_is_a_policy_for_the_states_of_its_tree(strategy):
    """At the root, against a bet, and on the street after; all that it names is legal."""
    river = parse_cards("Ad")
    bet = ROOT.apply(raise_to(750))
    for state, board in ((ROOT, BOARD), (bet, BOARD), (bet.apply(CALL), BOARD + river)):
        found = strategy.strategy(state, board)
        check_strategy(found, state, board)
        node = strategy.tree.path(state.betting)[-1]
        np.testing.assert_array_equal(found.probabilities, strategy.at(node, board[4:]))


def test_states_and_boards_of_other_hands_are_refused(strategy):
    """Betting that was not solved, a hand that is over, another board."""
    with pytest.raises(ValueError, match="there is"):
        strategy.strategy(ROOT.apply(raise_to(400)), BOARD)
    over = ROOT.apply(raise_to(750)).apply(raise_to(950)).apply(CALL)
    with pytest.raises(ValueError, match="nobody acts"):
        strategy.strategy(over, BOARD)
    with pytest.raises(ValueError, match="another board"):
        strategy.strategy(ROOT, parse_cards("KsJs7d2d"))
    with pytest.raises(ValueError, match="1 cards dealt"):
        strategy.at(max(strategy.game.places), ())
    with pytest.raises(ValueError, match="no decision"):
        strategy.at(strategy.tree.nodes - 1)


@pytest.mark.parametrize("lacks", [True, False])
def test_a_file_that_lacks_a_part_is_damaged(strategy, tmp_path, lacks):
    """A table, or some of one: at once, even where its checksums are right."""
    strategy.save(tmp_path / "solution.bin")
    facts, arrays = load_artifact(tmp_path / "solution.bin", KIND)
    table = arrays.pop("shares_0_1")
    if not lacks:
        arrays["shares_0_1"] = table[:, 1:]
    save_artifact(tmp_path / "less.bin", KIND, facts, arrays)
    with pytest.raises(ArtifactMismatch, match=r"less\.bin: damaged.*solve it again"):
        RangeStrategy.load(tmp_path / "less.bin")
