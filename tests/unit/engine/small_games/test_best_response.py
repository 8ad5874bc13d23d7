"""Best responses."""

import numpy as np
import pytest

from engine.small_games.best_response import (
    best_response,
    expected_value,
    exploitability,
    nash_conv,
    realization_plan,
)
from engine.small_games.coin_toss import GUESS, coin_toss
from engine.small_games.kuhn import kuhn
from engine.small_games.sequence_form import sequence_form
from engine.small_games.tree_values import node_values


@pytest.fixture(scope="module")
def form():
    """Coin Toss."""
    return sequence_form(coin_toss())


def guessing(form, heads):
    """The uniform profile, but player 1 guesses heads this often and never forfeits."""
    tree = form.tree
    profile = tree.uniform()
    profile[tree.actions_of(tree.info_set_of(GUESS))] = (heads, 1 - heads, 0)
    return profile


@pytest.mark.parametrize(("heads", "gain"), [(1, 0.75), (0, 0.25), (0.25, 0), (0.625, 0.375)])
def test_coin_toss_values_of_the_paper(form, heads, gain):
    """What player 0 gets when player 1 guesses heads that often."""
    assert best_response(form, guessing(form, heads), 0).value == pytest.approx(gain)


def test_measures_fit_together():
    """NashConv is the sum of the gains, exploitability half of it; values as node by node."""
    tree = kuhn()
    form = sequence_form(tree)
    profile = tree.uniform()
    value = expected_value(form, profile)
    assert value == pytest.approx(node_values(tree, profile)[0])
    gains = [
        best_response(form, profile, 0).value - value,
        best_response(form, profile, 1).value + value,
    ]
    assert nash_conv(form, profile) == pytest.approx(sum(gains))
    assert nash_conv(form, profile) == pytest.approx(11 / 12)
    assert exploitability(form, profile) == pytest.approx(11 / 24)


def test_plan_multiplies_a_players_own_probabilities():
    """Checking and then calling, both half of the time."""
    tree = kuhn()
    form = sequence_form(tree)
    plan = realization_plan(form, tree.uniform())
    call = tree.actions_of(tree.info_set_of((1, "cr"))).start + 1
    assert plan[call] == 0.25
    assert plan[-2:].tolist() == [1, 1]


@pytest.mark.parametrize(
    "profile",
    [
        np.full(3, 0.5),
        np.full(7, 0.5, np.float32),
        np.full(7, 0.3),
        np.array([2.0, -1.0, 0.5, 0.5, 1, 0, 0]),
    ],
)
def test_profiles_that_are_none_are_refused(form, profile):
    """Wrong length, type, sum and sign."""
    with pytest.raises(ValueError, match="profile"):
        exploitability(form, profile)


def test_other_players_are_refused(form):
    """There are two."""
    with pytest.raises(ValueError, match="player 2"):
        best_response(form, form.tree.uniform(), 2)


def test_strided_profiles_are_accepted(form):
    """A column of a table, say."""
    table = np.repeat(form.tree.uniform()[:, None], 2, axis=1)
    assert exploitability(form, table[:, 0]) == exploitability(form, form.tree.uniform())
