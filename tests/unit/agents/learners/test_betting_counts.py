"""How many decisions hands and traversals have."""

import numpy as np
import pytest

from agents.learners.betting_counts import betting_counts
from agents.learners.small_game import SmallLearnedGame
from engine.small_games.table_solver import random_profile
from protocol.gamedefs import load_builtin


def test_kuhn_poker_by_hand():
    """Pass, bet, call is longest.  The first player's traversal has both its turns, or one."""
    counts = betting_counts(load_builtin("kuhn"))
    assert counts.most_of_hand == 3
    assert counts.least_met == (3, 2)
    assert counts.most_own == (2, 1)


@pytest.mark.parametrize("name", ["kuhn", "kuhn3", "leduc"])
def test_what_is_played_and_traversed_comes_to_the_counts(name):
    """The longest of many hands and the largest of many traversals are as counted, none beyond."""
    game, rng = SmallLearnedGame(load_builtin(name)), np.random.default_rng(1)
    counts = betting_counts(game.game)
    profile, players = random_profile(game.tree, rng), game.tree.players
    hands = game.play(profile[None], np.zeros((20_000, players), np.int8), rng)
    assert np.bincount(hands.hand).max() == counts.most_of_hand
    for player in range(players):
        once = [game.traverse(profile, player, 1, rng) for _ in range(3000)]
        assert max(len(sampled.info_sets) for sampled in once) == counts.most_own[player]
        assert min(sampled.decisions for sampled in once) == counts.least_met[player]
