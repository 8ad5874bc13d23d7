"""The ensemble: who plays where, and that it is the blend it says."""

import numpy as np
import pytest

from agents.astar.ensemble.library import Library, used_nodes
from agents.astar.ensemble.likeness_kernels import measure_distances, write_likeness
from agents.astar.ensemble.policy import Blending, ensemble_policy
from agents.astar.ensemble.policy_kernels import SHARPNESS, weigh_nets
from agents.astar.play.policy import evolved_policy
from agents.opponents.policy import pool_policy
from agents.patterns import trees_kernels as trees
from agents.patterns.memory_kernels import nodes_of, path_of
from engine.play.compiled_match import play_matches
from tests.unit.agents.astar.grown import (
    GAME_ANEW,
    HUNL,
    SHAPE,
    memory_of,
    some_genome,
)

KNOWN = ("O2", "O6")
GENOMES = np.stack([some_genome(seed) for seed in (1, 2, 3)])


@pytest.fixture(scope="module")
def library():
    """Two opponents."""
    return Library(KNOWN, tuple(used_nodes(nodes_of(memory_of(one))) for one in KNOWN))


def weights_at(policy, memory):
    """Return how much each network counts where a memory stands."""
    weights = np.zeros(3)
    weigh_nets(policy.params, memory, weights)
    return weights.tolist()


def standing(root, moves, acting, *, visits):
    """A memory of O6 that stands after some moves, at a node that was seen so often."""
    memory = memory_of("O6").copy()
    path, nodes = path_of(memory), nodes_of(memory)
    node = 4 * root[0] + root[1]
    path.state[:] = 0
    path.moves[:] = -1
    for at, acts in enumerate(acting):
        path.nodes[at] = node
        if acts:
            path.moves[at] = moves[at]
        if at < len(moves):
            node = int(nodes[node, trees.CHILDREN + moves[at]])
    path.state[trees.LENGTH] = len(acting)
    path.state[trees.NODE] = node
    nodes[node, trees.VISITS] = visits
    return memory


def policy_with(library, **blending):
    """An ensemble of three networks."""
    usual = {"form": "exponential", "half_life": 0.0}
    return ensemble_policy(SHAPE, GENOMES, library, GAME_ANEW, Blending(**usual | blending), 5)


RAISED = ((1, 0), (4,), [True, False])
"""O6 on the button has raised; the player is to act."""


def test_the_base_plays_until_a_node_was_seen_often_enough(library):
    """Nine hands are too few, ten are enough."""
    policy = policy_with(library, confidence=10)
    assert weights_at(policy, standing(*RAISED, visits=9)) == [0, 0, 1]
    found = weights_at(policy, standing(*RAISED, visits=10))
    assert found[2] == 0
    assert sum(found) == pytest.approx(1)


def test_the_base_plays_where_the_opponent_has_not_acted(library):
    """Sure of itself or not."""
    for confidence in (0, 10):
        policy = policy_with(library, confidence=confidence)
        assert weights_at(policy, standing((0, 0), (), [False], visits=500)) == [0, 0, 1]


@pytest.mark.parametrize("form", ["inverse", "exponential"])
def test_weights_are_the_likeness(library, form):
    """Of this path, by the form and the sharpness asked for."""
    memory = standing(*RAISED, visits=40)
    policy = policy_with(library, form=form, sharpness=0.07, confidence=0)
    distances, expected = np.empty(2), np.empty(2)
    measure_distances(nodes_of(memory), library.stacked(), path_of(memory), distances)
    write_likeness(distances, int(form == "exponential"), 0.07, expected)
    assert weights_at(policy, memory) == [*expected.tolist(), 0]
    assert expected[1] > 0.5


def test_alike_means_alike(library):
    """Whatever is known, all counter-strategies count the same and the base nothing."""
    policy = policy_with(library, alike=True)
    assert weights_at(policy, standing((0, 0), (), [False], visits=0)) == [0.5, 0.5, 0]


@pytest.mark.parametrize("net", [0, 2])
def test_a_blend_of_one_plays_as_that_network(library, net):
    """Always unsure it is the base, hand by hand; with one network three times that network."""
    if net == 2:
        blend = policy_with(library, confidence=10**9)
    else:
        same = np.stack([GENOMES[0]] * 3)
        blend = ensemble_policy(
            SHAPE, same, library, GAME_ANEW, Blending(confidence=0, half_life=0.0), 5
        )
    alone = evolved_policy(SHAPE, GENOMES[net], GAME_ANEW, 5)
    other = pool_policy("O6", HUNL, 3)
    first, second = play_matches(HUNL, [(blend, other), (alone, other)], 300, 9, duplicate=True)
    np.testing.assert_array_equal(first.won, second.won)
    assert first.won.any()


def carried(memory, known=2):
    """The same memory, with room for the mean of the distances."""
    return np.concatenate((memory, np.zeros(known + 2)))


def distances_at(memory, library):
    """The distances where a memory stands."""
    found = np.empty(len(KNOWN))
    measure_distances(nodes_of(memory), library.stacked(), path_of(memory), found)
    return found


def test_what_a_street_told_is_carried_to_where_it_does_not(library):
    """The mean of what was measured; a street that tells counts alone."""
    policy = policy_with(library, confidence=2, carry=50)
    telling, silent = standing(*RAISED, visits=40), standing((0, 0), (), [False], visits=500)
    other = standing((1, 0), (1,), [True, False], visits=40)
    kept = np.zeros(3)

    def weights_of(memory):
        row = carried(memory)
        row[-4:-1] = kept
        found = weights_at(policy, row)
        kept[:] = row[-4:-1]
        return found

    assert weights_of(silent) == [0, 0, 1]
    alone = weights_of(telling)
    assert alone == weights_at(policy_with(library, confidence=2), telling)
    assert weights_of(silent) == [0, 0, 1]  # told once, twice wanted
    weights_of(other)
    mean = (distances_at(telling, library) + distances_at(other, library)) / 2
    np.testing.assert_allclose(kept, [2, *mean])
    expected = np.empty(2)
    write_likeness(mean, 1, policy_with(library).params[SHARPNESS], expected)
    np.testing.assert_allclose(weights_of(silent), [*expected, 0])
    np.testing.assert_allclose(kept, [2, *mean])


def test_the_base_counts_by_its_distance(library):
    """As a third opponent that is as far away as the doubt says."""
    memory = standing(*RAISED, visits=40)
    distances = distances_at(memory, library)
    expected = np.empty(3)
    for doubt in (0.01, 0.3):
        write_likeness(np.array([*distances, doubt]), 1, 0.1, expected)
        policy = policy_with(library, confidence=0, sharpness=0.1, doubt=doubt)
        np.testing.assert_allclose(weights_at(policy, memory), expected)
    assert expected[2] < 0.5


def test_the_mean_is_of_the_last_decisions(library):
    """With a carry of four, the fifth measure changes it by a quarter."""
    policy = policy_with(library, confidence=0, carry=4)
    row = carried(standing(*RAISED, visits=40))
    for _ in range(9):
        weights_at(policy, row)
    assert row[-4] == 4
    np.testing.assert_allclose(row[-3:-1], distances_at(row, library))
    row[-3:-1] = 1.0
    weights_at(policy, row)
    np.testing.assert_allclose(row[-3:-1], 0.75 + 0.25 * distances_at(row, library))


def test_networks_of_another_number_are_refused(library):
    """One for each opponent, and the base."""
    with pytest.raises(ValueError, match="genomes of"):
        ensemble_policy(SHAPE, GENOMES[:2], library, GAME_ANEW, Blending())


@pytest.mark.parametrize(
    "wrong",
    [
        {"form": "other"},
        {"sharpness": 0.0},
        {"sharpness": float("nan")},
        {"confidence": -1},
        {"half_life": -1.0},
        {"carry": -1},
        {"doubt": -0.1},
    ],
)
def test_what_is_no_blending_is_refused(wrong):
    """Forms, distances and counts."""
    with pytest.raises(ValueError, match=next(iter(wrong)).replace("_", "-")):
        Blending(**wrong)
