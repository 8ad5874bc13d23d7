"""Forgetting: counts fade, and what they are counts of stays."""

import numpy as np

from agents.astar.ensemble.forgetting_kernels import EVERY, forget
from agents.astar.ensemble.policy import Blending
from agents.astar.ensemble_models import ensemble_of, load_models
from agents.opponents.policy import pool_policy
from agents.patterns import trees_kernels as trees
from agents.patterns.memory_kernels import nodes_of
from agents.patterns.tree_memory import PATH
from engine.compiled.jit import kernel
from engine.play.compiled_match import play_matches
from tests.unit.agents.astar.grown import HUNL, memory_of


@kernel
def fade(nodes, made, hands, half_life):
    forget(nodes, made, hands, half_life)


def test_counts_halve_and_links_stay():
    """All of a node but its children, on every node in use."""
    memory = memory_of("O6")
    before, nodes = nodes_of(memory).copy(), nodes_of(memory).copy()
    fade(nodes, int(memory[PATH + trees.MADE]), 30.0, 60.0)
    counts = slice(0, trees.CHILDREN)
    np.testing.assert_allclose(nodes[:, counts], before[:, counts] * 0.5**0.5)
    np.testing.assert_array_equal(nodes[:, trees.CHILDREN :], before[:, trees.CHILDREN :])


def trees_after(models, half_life, hands):
    """The trees of a player that never blends, so that its play does not depend on them."""
    player = ensemble_of(load_models(models), Blending(half_life=half_life, alike=True), 7)
    [result] = play_matches(HUNL, [(player, pool_policy("O2", HUNL, 1))], hands, 9)
    return nodes_of(result.memories[0][0])


def test_a_player_remembers_the_last_hands(small_models):
    """Of a long match as many as its half-life allows: the sum of a geometric series."""
    half_life, hands = 100.0, 2000
    visits = trees_after(small_models, half_life, hands)[[0, 4], trees.VISITS].sum()
    series = EVERY / (1 - 0.5 ** (EVERY / half_life))
    assert 0.75 * series < visits < 1.1 * series


def test_who_forgets_nothing_counts_all_hands(small_models):
    """Half of them in either seat."""
    visits = trees_after(small_models, 0.0, 200)[[0, 4], trees.VISITS]
    assert visits.tolist() == [100, 100]
