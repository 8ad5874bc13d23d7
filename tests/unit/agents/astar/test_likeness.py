"""Likeness: against the plain reading of dictionaries, and what it is for."""

import numpy as np
import pytest

from agents.astar.ensemble.library import Library, used_nodes
from agents.astar.ensemble.likeness_kernels import (
    EXPONENTIAL,
    INVERSE,
    measure_distances,
    write_likeness,
)
from agents.patterns import trees_kernels as trees
from agents.patterns.memory_kernels import nodes_of
from tests.oracles.likeness import distance
from tests.unit.agents.astar.grown import counts_of, enter, memory_of

KNOWN = ("O2", "O4", "O6")
ROOMY = 64


def library(hands=600):
    """The trees of some opponents."""
    return Library(KNOWN, tuple(used_nodes(nodes_of(memory_of(name, hands))) for name in KNOWN))


def path_through(nodes, root, moves, acting):
    """Return the state of a hand that has come through some moves on a street."""
    path = trees.TreePath(np.zeros(trees.STATE), np.zeros(ROOMY), np.full(ROOMY, -1.0))
    enter(path, nodes, root, moves, acting)
    path.state[trees.NODE] = path.nodes[len(acting) - 1]
    return path


def some_paths(nodes, rng, count):
    """Yield (root, moves, who acts) of paths come through; the last to act is the player."""
    places = [place for place in counts_of(nodes) if len(place[1]) >= 1]
    for at in rng.permutation(len(places))[:count]:
        root, moves = places[at]
        length = len(moves)
        yield root, moves, [(length - step) % 2 == 1 for step in range(length + 1)]


@pytest.mark.parametrize("opponent", ["O5", "O6", "O3"])
def test_distances_are_those_of_the_counts(opponent):
    """On many paths of an opponent, known or not, to all known ones."""
    nodes, known = nodes_of(memory_of(opponent, 400, 7)), library()
    stacked = known.stacked()
    plain, others = counts_of(nodes), [counts_of(one) for one in known.trees]
    checked = 0
    for root, moves, acting in some_paths(nodes, np.random.default_rng(1), 60):
        found = np.empty(len(KNOWN))
        told = measure_distances(nodes, stacked, path_through(nodes, root, moves, acting), found)
        for number, other in enumerate(others):
            expected, count = distance(plain, other, root, moves, acting)
            assert told == count
            assert found[number] == pytest.approx(expected, abs=1e-12)
        checked += told > 0
    assert checked > 20
    at_once = path_through(nodes, (0, 0), (), [False])
    assert measure_distances(nodes, stacked, at_once, found) == 0


@pytest.mark.parametrize("name", KNOWN)
def test_an_opponent_is_like_itself(name):
    """After other hands than those of the library it is nearer to itself than to the others."""
    nodes, stacked = nodes_of(memory_of(name, 2000, 11)), library(4000).stacked()
    wins = total = 0
    for root, moves, acting in some_paths(nodes, np.random.default_rng(2), 80):
        place = path_through(nodes, root, moves, acting)
        found = np.empty(len(KNOWN))
        seen = nodes[int(place.nodes[0]), trees.VISITS]
        if measure_distances(nodes, stacked, place, found) > 0 and seen > 100:
            total += 1
            wins += KNOWN[int(found.argmin())] == name
    assert total > 5
    assert wins > 0.7 * total


def test_both_forms_by_hand():
    """Weights fall with the distance, and add up to 1."""
    distances, weights = np.array([0.1, 0.3]), np.empty(2)
    write_likeness(distances, INVERSE, 0.1, weights)
    assert weights.tolist() == pytest.approx([2 / 3, 1 / 3])
    write_likeness(distances, EXPONENTIAL, 0.1, weights)
    assert weights[0] / weights[1] == pytest.approx(np.exp(2))
    assert weights.sum() == pytest.approx(1)
    write_likeness(np.array([700.0, 900.0]), EXPONENTIAL, 1e-3, weights)
    assert weights.tolist() == [1, 0]


def test_a_library_with_a_missing_node_keeps_what_is_above():
    """An opponent who never came there is judged by where it was last."""
    nodes = nodes_of(memory_of("O6"))
    lonely = np.zeros((1, trees.ROOTS, trees.WIDTH))
    lonely[0, 4, trees.VISITS] = lonely[0, 4, trees.ACTIONS + 1] = 50
    moves = next(moves for root, moves in counts_of(nodes) if root == (1, 0) and len(moves) == 3)
    acting = [True, False, True, False]
    found = np.empty(1)
    told = measure_distances(nodes, lonely, path_through(nodes, (1, 0), moves, acting), found)
    expected = distance(counts_of(nodes), counts_of(lonely[0]), (1, 0), moves, acting)
    assert (told, found[0]) == (2, pytest.approx(expected[0]))
