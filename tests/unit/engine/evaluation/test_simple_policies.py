import numpy as np
import pytest

from engine.betting.bet_menu import ALL_IN, menu_of
from engine.betting.policy import check_strategy
from engine.evaluation.simple_policies import CallPolicy, FoldPolicy, TablePolicy, Uniform
from engine.hands.cards import COMBOS
from engine.rules.view import replay_betting
from protocol.actions import CALL, FOLD, RAISE, raise_to
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
HULHE = load_builtin("hulhe")
BOARD = (0, 17, 50, 9, 30)


def answer(policy, betting, game=HUNL):
    """The checked strategy after some betting."""
    state = replay_betting(game, betting)
    board = BOARD[: game.board_seen(state.street)]
    strategy = policy.strategy(state, board)
    check_strategy(strategy, state, board)
    return strategy


@pytest.mark.parametrize(
    ("policy", "betting", "action"),
    [
        (FoldPolicy(), "", FOLD),
        (FoldPolicy(), "c", CALL),
        (FoldPolicy(), "cc/r200", FOLD),
        (CallPolicy(), "", CALL),
        (CallPolicy(), "r20000", CALL),
    ],
)
def test_policies_of_one_action(policy, betting, action):
    """Always fold checks when that is free: folding for nothing is illegal."""
    assert answer(policy, betting).actions == (action,)


@pytest.mark.parametrize(
    ("game", "betting", "actions"),
    [
        (HUNL, "", (FOLD, CALL, raise_to(300), raise_to(20000))),
        (HUNL, "cc/", (CALL, raise_to(300), raise_to(20000))),
        (HUNL, "r20000", (FOLD, CALL)),
        (HULHE, "", (FOLD, CALL, RAISE)),
        (HULHE, "rrr", (FOLD, CALL)),
    ],
)
def test_uniform_shares_out_its_menu(game, betting, actions):
    """Every legal action of the menu, equally often."""
    strategy = answer(Uniform(menu_of((1.0, ALL_IN))), betting, game)
    assert strategy.actions == actions
    assert np.allclose(strategy.probabilities, 1 / len(actions))


def test_a_table_speaks_where_it_has_a_row():
    """Elsewhere the policy calls."""
    often = np.linspace(0, 1, COMBOS, dtype=np.float32)
    policy = TablePolicy({"cc/": {CALL: 1 - often, raise_to(500): often}})
    strategy = answer(policy, "cc/")
    assert strategy.actions == (CALL, raise_to(500))
    assert np.array_equal(strategy.probabilities[:, 1], often)
    assert answer(policy, "cc/r500").actions == (CALL,)
