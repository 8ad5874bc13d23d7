"""What one policy wins from another on a board, exactly."""

import numpy as np
import pytest

from engine.betting.bet_menu import ALL_IN, menu_of
from engine.betting.policy import Strategy
from engine.errors import InvalidGame
from engine.evaluation import exact_match
from engine.evaluation.blind_scripts import parse_script
from engine.evaluation.board_matches import sample_board
from engine.evaluation.exact_match import ExactMatch
from engine.evaluation.simple_policies import CallPolicy, FoldPolicy, Uniform
from engine.hands.cards import COMBOS
from protocol.actions import FOLD
from protocol.gamedefs import load_builtin
from tests.helpers.random_policy import RandomPolicy
from tests.oracles.versus import value_of_policies

HUNL = load_builtin("hunl")
HULHE = load_builtin("hulhe")
BOARD = sample_board(1, 0).tolist()


def value(one, other, game=HUNL, board=BOARD):
    """What `one` wins, chips per hand."""
    return ExactMatch(game, one, other).value(board)


@pytest.mark.parametrize("number", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_equals_pair_by_pair(number):
    """The oracle plays every pair of hands through the whole betting; all hands act differently."""
    one, other = RandomPolicy(number), parse_script("C,200f")
    board = sample_board(4, number)
    found = value(one, other, board=board.tolist())
    assert found == pytest.approx(value_of_policies(HUNL, one, other, board), abs=2e-3)
    assert abs(found) > 1


@pytest.mark.parametrize(
    "script", ["C,C,mf", *(pytest.param(one, marks=pytest.mark.slow) for one in ("mw", "F"))]
)
def test_equals_pair_by_pair_in_limit(script):
    """Where the betting is capped."""
    one, other = parse_script(script), Uniform(menu_of((1.0,), max_raises=1))
    want = value_of_policies(HULHE, one, other, BOARD)
    assert value(one, other, HULHE) == pytest.approx(want, abs=1e-3)


def test_winnings_are_losses():
    """Both seatings are played."""
    policies = [RandomPolicy(3, sizes=(ALL_IN,)), parse_script("300f"), FoldPolicy(), CallPolicy()]
    for one in policies:
        assert value(one, one) == pytest.approx(0, abs=1e-3)
        for other in policies:
            assert value(one, other) == pytest.approx(-value(other, one), abs=1e-3)


def test_folding_loses_the_blinds():
    """Half a small and half a big blind, whatever the board."""
    assert value(FoldPolicy(), parse_script("a")) == pytest.approx(-75, abs=1e-3)
    assert value(FoldPolicy(), parse_script("m")) == pytest.approx(-75, abs=1e-3)
    # Against a caller only the small blind is folded; in the other seat all is checked down.
    assert value(FoldPolicy(), CallPolicy()) == pytest.approx(-25, abs=1e-3)


def test_many_ends_are_valued_as_few(monkeypatch):
    """More than are valued together."""
    one, other = RandomPolicy(5, sizes=(ALL_IN,)), parse_script("C,100f")
    want = value(one, other)
    monkeypatch.setattr(exact_match, "_ENDS_AT_ONCE", 3)
    assert value(one, other) == pytest.approx(want, rel=1e-5)


def test_other_games_and_boards_are_refused():
    """Hold'em for two with five board cards; and strategies that are none."""
    for name in ("leduc", "nolimit3"):
        with pytest.raises(InvalidGame, match="for hold'em for two"):
            ExactMatch(load_builtin(name), CallPolicy(), CallPolicy())
    with pytest.raises(ValueError, match=r"\b5\b.*\b4\b"):
        value(CallPolicy(), CallPolicy(), board=BOARD[:4])

    class Lawless:
        """Folds where it can check."""

        def strategy(self, state, board):
            return Strategy((FOLD,), np.ones((COMBOS, 1), np.float32))

    with pytest.raises(ValueError, match="illegal or named twice"):
        value(CallPolicy(), Lawless())
