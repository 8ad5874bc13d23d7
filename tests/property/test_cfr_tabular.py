"""The tabular solver and best responses against recursion over random games."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cfr.variants import VARIANTS
from engine.small_games.best_response import (
    best_response,
    expected_value,
    exploitability,
    nash_conv,
)
from engine.small_games.game_tree import Chance, Decision, Terminal, build_tree
from engine.small_games.largest_reach import largest_cf_reach
from engine.small_games.sequence_form import sequence_form
from engine.small_games.tabular import TabularSolver
from tests.helpers.examples import one_in
from tests.helpers.random_games import random_game
from tests.oracles import cfr as oracle

ITERATIONS = 6
SEEDS = st.integers(0, 10**6)


def flat(tree, by_name):
    """Numbers by information set as one flat array."""
    return np.concatenate([by_name[name] for name in tree.info_set_names])


def named(tree, profile):
    """A flat profile as probabilities by information set."""
    return {
        name: profile[tree.actions_of(number)].tolist()
        for number, name in enumerate(tree.info_set_names)
    }


def random_profile(tree, seed):
    """Random probabilities, some of them 0."""
    rng = np.random.default_rng(seed)
    weights = rng.exponential(size=tree.flat_actions) * (rng.random(tree.flat_actions) < 0.8) + 1e-9
    return weights / np.repeat(np.add.reduceat(weights, tree.first_action), tree.action_count)


def drawn(seed):
    """A random game's description and its tree."""
    describe = random_game(seed)
    return describe, build_tree(describe)


@pytest.mark.parametrize("name", oracle.ALGORITHMS)
@one_in(5)
@given(game=SEEDS, alternating=st.booleans())
def test_iterations_are_those_of_the_papers(name, game, alternating):
    """Regrets, current and average strategies after each iteration, for every algorithm."""
    describe, tree = drawn(game)
    slow = oracle.RecursiveCfr(describe, alternating=alternating)
    fast = TabularSolver(tree, alternating=alternating)
    for t in range(1, ITERATIONS + 1):
        slow.iterate(oracle.ALGORITHMS[name], t)
        fast.iterate(VARIANTS[name].step(t))
        np.testing.assert_allclose(fast.current(), flat(tree, slow.current), atol=1e-7)
        np.testing.assert_allclose(fast.average(), flat(tree, slow.average()), atol=1e-7)
    if name in ("cfr", "cfr+", "pcfr+"):  # others keep regrets discounted already
        np.testing.assert_allclose(fast.tables.regret, flat(tree, slow.regrets), atol=1e-7)


@one_in(2)
@given(game=SEEDS, alternating=st.booleans())
def test_hedge_uses_the_spread_or_the_variance(game, alternating):
    """Its rate is relative to the largest regret there can be, or to the deviation observed."""
    describe, tree = drawn(game)
    slow = oracle.RecursiveCfr(describe, alternating=alternating)
    fast = TabularSolver(tree, alternating=alternating)
    reach = dict(zip(tree.info_set_names, largest_cf_reach(tree), strict=True))
    plain = oracle.hedge(reach, fast.spread)
    for t in range(1, ITERATIONS + 1):
        slow.iterate(plain, t)
        fast.iterate(VARIANTS["hedge"].step(t, fast.spread))
        np.testing.assert_allclose(fast.current(), flat(tree, slow.current), atol=1e-9)
    slow.iterate(oracle.hedge_by_variance(slow.values), ITERATIONS + 1)
    fast.iterate(VARIANTS["hedge-var"].step(ITERATIONS + 1, fast.spread))
    np.testing.assert_allclose(fast.current(), flat(tree, slow.current), atol=1e-6)


@given(game=SEEDS, seed=SEEDS)
def test_best_responses_and_values_equal_recursion(game, seed):
    """Of both players, for profiles with actions that are never taken."""
    describe, tree = drawn(game)
    form = sequence_form(tree)
    profile = random_profile(tree, seed)
    by_name = named(tree, profile)
    value = oracle.expected_value(describe, by_name)
    assert expected_value(form, profile) == pytest.approx(value, abs=1e-12)
    best = [oracle.best_response_value(describe, by_name, player) for player in (0, 1)]
    assert nash_conv(form, profile) == pytest.approx(sum(best), abs=1e-12)
    assert exploitability(form, profile) == pytest.approx(sum(best) / 2, abs=1e-12)
    for player, sign in ((0, 1), (1, -1)):
        found = best_response(form, profile, player)
        assert found.value == pytest.approx(best[player], abs=1e-12)
        reached = oracle.expected_value(describe, named(tree, found.profile))
        assert sign * reached == pytest.approx(best[player], abs=1e-12)
        np.testing.assert_array_equal(
            found.profile[form.actions(1 - player)], profile[form.actions(1 - player)]
        )


@given(game=SEEDS)
def test_largest_cf_reach_is_what_an_opponent_can_do(game):
    """It is the value, for the opponent, of the game that pays 1 for coming there."""
    describe, tree = drawn(game)
    reach = largest_cf_reach(tree)
    for number in range(tree.info_sets):
        form = sequence_form(build_tree(towards(describe, tree, number)))
        opponent = 1 - int(tree.owner[number])
        most = best_response(form, form.tree.uniform(), opponent).value
        assert reach[number] == pytest.approx(most, abs=1e-12)


def towards(describe, tree, number):
    """The game that ends at an information set and pays its owner's opponent 1; elsewhere 0.

    The owner does nothing but go there.
    """
    owner = int(tree.owner[number])
    history = tree.histories[int(np.flatnonzero(tree.info_set == number)[0])]
    path = {}
    for length, way in enumerate(history):
        node = describe(history[:length])
        if isinstance(node, Decision) and node.player == owner:
            path[node.info_set] = way

    def changed(history):
        node = describe(history)
        if isinstance(node, Terminal):
            return Terminal(0.0)
        if isinstance(node, Chance) or node.player != owner:
            return node
        if node.info_set == tree.info_set_names[number]:
            return Terminal(1.0 if owner == 1 else -1.0)
        way = path.get(node.info_set)
        return Terminal(0.0) if way is None else Chance((way,), (1.0,))

    return changed
