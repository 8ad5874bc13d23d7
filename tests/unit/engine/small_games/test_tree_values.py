"""Reaches and values of a profile at the nodes of a game tree."""

import numpy as np
import pytest

from engine.small_games.coin_toss import GUESS, HEADS, PLAY, SELL, TAILS, coin_toss
from engine.small_games.game_tree import CHANCE, TERMINAL
from engine.small_games.kuhn import kuhn
from engine.small_games.table_solver import random_profile
from engine.small_games.tree_values import edge_probabilities, node_values, reaches


def value_by_recursion(tree, profile, node=0):
    """What player 0 wins from a node on, the obvious way."""
    if tree.player[node] == TERMINAL:
        return tree.payoff[node]
    total = 0.0
    for edge in range(tree.child_count[node]):
        child = tree.first_child[node] + edge
        if tree.player[node] == CHANCE:
            share = tree.chance[child]
        else:
            share = profile[tree.first_action[tree.info_set[node]] + edge]
        total += share * value_by_recursion(tree, profile, child)
    return total


@pytest.mark.parametrize("game", [kuhn, coin_toss])
def test_values_are_those_of_a_recursive_walk(game):
    """Every node's value is the mean of its children's, weighted by who chooses among them."""
    tree = game()
    profile = random_profile(tree, np.random.default_rng(5))
    values = node_values(tree, profile)
    expected = [value_by_recursion(tree, profile, node) for node in range(tree.nodes)]
    np.testing.assert_allclose(values, expected, atol=1e-14)


def test_reaches_multiply_to_a_probability_distribution_over_the_ends():
    """The ends of the game are reached with probability 1 in all and give the root's value."""
    tree = kuhn()
    profile = random_profile(tree, np.random.default_rng(5))
    reached = reaches(tree, profile).prod(axis=0)
    ends = tree.player == TERMINAL
    assert reached[ends].sum() == pytest.approx(1)
    assert reached[ends] @ tree.payoff[ends] == pytest.approx(node_values(tree, profile)[0])


def test_reaches_are_kept_apart_by_who_chose():
    """After heads, play and a guess each player and chance have their own part."""
    tree = coin_toss()
    profile = tree.uniform()
    profile[tree.actions_of(tree.info_set_of(HEADS))] = (0.2, 0.8)
    profile[tree.actions_of(tree.info_set_of(GUESS))] = (0.1, 0.3, 0.6)
    node = tree.histories.index((HEADS, PLAY, TAILS))
    np.testing.assert_allclose(reaches(tree, profile)[:, node], (0.8, 0.3, 0.5))
    assert edge_probabilities(tree, profile)[tree.histories.index((HEADS, SELL))] == 0.2


@pytest.mark.parametrize("change", ["short", "float32", "negative", "sum", "nan"])
def test_a_profile_that_does_not_fit_is_refused(change):
    """A wrong length, dtype, sign or sum is an error, not a wrong number."""
    tree = kuhn()
    profile = tree.uniform()
    if change == "short":
        profile = profile[:-1]
    elif change == "float32":
        profile = profile.astype(np.float32)
    elif change == "negative":
        profile[:2] = (-0.5, 1.5)
    elif change == "nan":
        profile[0] = np.nan
    else:
        profile[0] += 0.1
    with pytest.raises(ValueError, match="profile"):
        node_values(tree, profile)
