"""Profiles of small games as policies, and policies as profiles."""

import numpy as np
import pytest

from engine.betting.policy import Strategy, check_actions
from engine.errors import InvalidGame
from engine.evaluation.simple_policies import CallPolicy
from engine.rules.state import HandState
from engine.rules.view import replay_betting
from engine.small_games.many_player_form import many_player_form
from engine.small_games.many_player_values import expected_values
from engine.small_games.poker_tree import place_of, poker_tree
from engine.small_games.profile_policy import ProfilePolicy, match_value, profile_of
from engine.small_games.table_solver import random_profile
from protocol.gamedefs import load_builtin


class Copied:
    """Another policy that tells the same; hands that the board blocks are told as nan."""

    def __init__(self, policy):
        self.policy, self.game = policy, policy.game

    def strategy(self, state, board):
        """The same, its actions in another order."""
        actions, table = self.policy.strategy(state, board)
        check_actions(Strategy(actions, table), state, len(self.game.deck))
        table = table.copy()
        for card in board:
            table[sorted(self.game.deck).index(card)] = np.nan
        return Strategy(actions[::-1], table[:, ::-1])


@pytest.mark.parametrize("name", ["kuhn", "leduc", "kuhn3"])
def test_a_policy_asked_everywhere_is_its_profile(name):
    """Told, asked hand by hand, and put together again; nothing blocked is asked."""
    game = load_builtin(name)
    tree = poker_tree(game)
    policy = ProfilePolicy(game, tree, random_profile(tree, np.random.default_rng(1)))
    assert profile_of(policy, tree) is policy.profile
    assert profile_of(Copied(policy), tree) == pytest.approx(policy.profile, abs=1e-6)


def test_places_are_made_of_cards_that_differ():
    """A pair of Leduc poker, told by rank in the tree, is two cards."""
    game = load_builtin("leduc")
    tree = poker_tree(game)
    node = int(np.flatnonzero(tree.info_set == tree.info_set_of("crc/r:K/K"))[0])
    state, hole, board = place_of(game, tree.histories[node])
    assert state.betting == "crc/r"
    assert hole[0] // 4 == board[0] // 4
    assert hole != board
    assert {*hole, *board} <= set(game.deck)


def test_what_is_match_value():
    """Against always-call in Kuhn poker: as the values of both seats say."""
    game = load_builtin("kuhn")
    tree = poker_tree(game)
    form = many_player_form(tree)
    one = random_profile(tree, np.random.default_rng(2))

    class Calls(CallPolicy):
        """Of this game."""

    calls = Calls()
    calls.game = game
    other = profile_of(calls, tree)
    assert set(other.tolist()) == {0.0, 1.0}
    won = match_value(form, one, other)
    assert won == pytest.approx(-match_value(form, other, one))
    assert match_value(form, one, one) == pytest.approx(0)
    first = np.repeat(tree.owner == 0, tree.action_count)
    seats = [expected_values(form, np.where(first, *pair)) for pair in ((one, other), (other, one))]
    assert won == pytest.approx((seats[0][0] + seats[1][1]) / 2)
    with pytest.raises(ValueError, match="want two"):
        match_value(many_player_form(poker_tree(load_builtin("kuhn3"))), one, other)


def test_games_of_other_hands_are_no_policies():
    """Cards that are dealt from lists of their own."""
    game = load_builtin("fixed-queen")
    tree = poker_tree(game)
    policy = ProfilePolicy(game, tree, tree.uniform())
    assert profile_of(policy, tree) is policy.profile
    with pytest.raises(InvalidGame):
        policy.strategy(HandState.start(game), ())
    with pytest.raises(ValueError, match="profile"):
        ProfilePolicy(game, tree, tree.uniform()[1:])


def test_hands_on_the_board_mean_nothing_but_are_there():
    """All rows add to 1."""
    game = load_builtin("leduc")
    tree = poker_tree(game)
    policy = ProfilePolicy(game, tree, random_profile(tree, np.random.default_rng(3)))
    told = policy.strategy(replay_betting(game, "cc/"), game.deck[2:3])
    assert told.probabilities.sum(axis=1) == pytest.approx(np.ones(6))
