"""What learners see of small games, and how these are played."""

from dataclasses import replace

import numpy as np
import pytest

from agents.learners.encoder import Encoder
from agents.learners.small_game import SmallLearnedGame
from engine.errors import InvalidGame
from engine.rules.state import HandState
from engine.small_games.game_tree import TERMINAL
from engine.small_games.table_solver import random_profile
from engine.small_games.tree_values import node_values, reaches
from protocol.actions import CALL, RAISE
from protocol.gamedefs import load_builtin
from tests.helpers.said import refused

HANDS = 4000


@pytest.fixture(scope="module")
def kuhn():
    """Kuhn poker, and a profile."""
    game = SmallLearnedGame(load_builtin("kuhn"))
    return game, random_profile(game.tree, np.random.default_rng(1))


@pytest.mark.parametrize("name", ["kuhn", "kuhn3", "fixed-queen", "leduc"])
def test_information_sets_are_told_apart(name):
    """No two rows are the same; flat profiles come back from the columns of a network."""
    game = SmallLearnedGame(load_builtin(name))
    assert len(np.unique(game.features, axis=0)) == game.tree.info_sets
    profile = random_profile(game.tree, np.random.default_rng(2))
    table = np.zeros(game.legal.shape)
    table[game.rows, game.columns] = profile
    assert (game.profile(table) == profile).all()
    assert (table[~game.legal] == 0).all()
    assert (game.legal.sum(axis=1) == game.tree.action_count).all()


def test_a_row_of_leduc_number_by_number():
    """Position, cards by rank, what was done on both streets."""
    leduc = load_builtin("leduc")
    state = HandState.start(leduc).apply(RAISE).apply(CALL).apply(CALL)
    queen, king = leduc.deck[1], leduc.deck[2]
    row = Encoder(leduc).encode(state, [queen], [king])
    betting = [0, 0, 1, 0, 1, 0] + 6 * [0] + [0, 1, 0] + 9 * [0]
    assert row.tolist() == [0, 1, 0, 1, 0, 0, 0, 1, *betting]


def test_games_without_a_limit_are_refused():
    """No-limit, and raises that never end."""
    with refused(InvalidGame, "limit"):
        Encoder(load_builtin("holdem.nolimit.2p.reverse_blinds"))
    with refused(InvalidGame, "betting", "too long"):
        Encoder(replace(load_builtin("kuhn"), max_raises=(255,) * 4, players=9))


def test_hands_are_played_as_the_profiles_say(kuhn):
    """Actions are as frequent as they should be; a decision is followed by the player's next."""
    game, profile = kuhn
    tree = game.tree
    chosen = np.random.default_rng(3).integers(2, size=(HANDS, 2)).astype(np.int8)
    played = game.play(np.stack([profile, tree.uniform()]), chosen, np.random.default_rng(4))
    again = game.play(np.stack([profile, tree.uniform()]), chosen, np.random.default_rng(4))
    assert all((mine == theirs).all() for mine, theirs in zip(played, again, strict=True))
    first = played.info_set == tree.info_set[tree.player == 0][0]
    hands = played.hand[first]
    for policy, probabilities in enumerate((profile, tree.uniform())):
        of_policy = chosen[hands, 0] == policy
        place = tree.first_action[played.info_set[first][0]]
        share = (played.action[first][of_policy] == place).mean()
        assert share == pytest.approx(probabilities[place], abs=4 * 0.5 / of_policy.sum() ** 0.5)
    for number, behind in enumerate(played.following):
        if behind >= 0:
            assert played.hand[behind] == played.hand[number]
            assert played.player[behind] == played.player[number]
            assert played.won[number] == 0
        else:
            rest = played.hand[number + 1 :] == played.hand[number]
            assert not (played.player[number + 1 :][rest] == played.player[number]).any()
    ends = played.following < 0
    won = np.zeros((HANDS, 2))
    won[played.hand[ends], played.player[ends]] = played.won[ends]
    assert (won.sum(axis=1) == 0).all()


def test_what_is_won_is_what_the_profile_wins(kuhn):
    """Within four standard errors of the exact value."""
    game, profile = kuhn
    played = game.play(profile[None], np.zeros((HANDS, 2), np.int8), np.random.default_rng(5))
    mine = played.won[(played.player == 0) & (played.following < 0)]
    exact = node_values(game.tree, profile)[0]
    assert len(mine) == HANDS
    assert mine.mean() == pytest.approx(exact, abs=4 * mine.std() / HANDS**0.5)


@pytest.mark.parametrize("name", ["kuhn", "kuhn3"])
def test_sampled_advantages_have_the_exact_ones_as_their_mean(name):
    """At each information set, within five standard errors of the counterfactual regret."""
    game = SmallLearnedGame(load_builtin(name))
    tree, traversals = game.tree, 6000
    profile = random_profile(tree, np.random.default_rng(6))
    factors = reaches(tree, profile)
    for player in range(tree.players):
        sampled = game.traverse(profile, player, traversals, np.random.default_rng(7))
        values = node_values(tree, profile, player)
        others = np.prod(np.delete(factors, player, axis=0), axis=0)
        exact = np.zeros(tree.flat_actions)
        for node in np.flatnonzero(tree.player == player):
            first = tree.first_child[node]
            for step in range(tree.child_count[node]):
                place = tree.first_action[tree.info_set[node]] + step
                exact[place] += others[node] * (values[first + step] - values[node])
        sums, squares = np.zeros((2, *game.legal.shape))
        np.add.at(sums, sampled.info_sets, sampled.advantages)
        np.add.at(squares, sampled.info_sets, sampled.advantages**2)
        assert (sums[~game.legal] == 0).all()
        means = game.profile(sums) / traversals
        spread = np.sqrt(game.profile(squares) / traversals - means**2) / traversals**0.5
        assert (np.abs(means - exact) <= 5 * spread + 1e-12).all()
        assert sampled.decisions >= len(sampled.info_sets) >= traversals


def test_no_decision_nothing_to_learn(kuhn):
    """A hand ends for everybody at the leaf that its decisions lead to."""
    game, _ = kuhn
    assert game.scale == np.abs(game.tree.payoffs[game.tree.player == TERMINAL]).max() == 2
