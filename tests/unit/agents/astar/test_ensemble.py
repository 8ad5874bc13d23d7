"""The ensemble: who plays where, and that it is the blend it says."""

import numpy as np
import pytest

from agents.astar.ensemble.library import Library, used_nodes
from agents.astar.ensemble.likeness_kernels import measure_distances, write_likeness
from agents.astar.ensemble.policy import BaseStrategy, Blending, ensemble_policy
from agents.astar.ensemble.policy_kernels import FEW, SHARPNESS, has_lost, weigh_nets
from agents.astar.family import ASTAR
from agents.astar.play.player_memory import GAME_INPUTS, RESULTS
from agents.lookahead.policy import LOOKAHEAD
from agents.opponents.policy import pool_policy
from agents.patterns import trees_kernels as trees
from agents.patterns.memory_kernels import nodes_of, path_of
from agents.patterns.raise_classes import MOVES
from agents.recurrent.shape import NetShape, Stack, random_genome
from agents.roster.bots import find_agent
from engine.play.compiled_match import play_matches
from tests.helpers.evolving import AHEAD
from tests.unit.agents.astar.grown import (
    GAME_ANEW,
    HUNL,
    SHAPE,
    enter,
    memory_of,
    some_genome,
)

KNOWN = ("O2", "O6")
GENOMES = np.stack([some_genome(seed) for seed in (1, 2)])
BASE = BaseStrategy(SHAPE, some_genome(3), GAME_ANEW)
DEEP = NetShape(Stack(2, 1, 3), Stack(3, 2, 2), (12, 6, 5), trees.VECTOR, GAME_INPUTS, MOVES)


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
    path.state[:] = 0
    path.moves[:] = -1
    nodes[enter(path, nodes, root, moves, acting), trees.VISITS] = visits
    return memory


def policy_with(library, **blending):
    """An ensemble of three networks."""
    return ensemble_over(BASE, library, **blending)


def ensemble_over(base, library, **blending):
    """Two counter-strategies over a base strategy."""
    usual = Blending(**{"form": "exponential", "half_life": 0.0} | blending)
    return ensemble_policy(SHAPE, GENOMES, base, library, GAME_ANEW, usual, 5)


RAISED = ((1, 0), (4,), [True, False])
"""O6 on the button has raised; the player is to act."""


def test_the_base_plays_until_a_node_was_seen_often_enough(library):
    """Nine hands are too few, ten are enough; and where the opponent has not acted, always."""
    policy = policy_with(library, confidence=10)
    assert weights_at(policy, standing(*RAISED, visits=9)) == [0, 0, 1]
    found = weights_at(policy, standing(*RAISED, visits=10))
    assert found[2] == 0
    assert sum(found) == pytest.approx(1)
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


def test_a_blend_of_one_plays_as_that_network(library):
    """With one network three times as that network, hand by hand."""
    same, base = np.stack([GENOMES[0]] * 2), BaseStrategy(SHAPE, GENOMES[0], GAME_ANEW)
    usual = Blending(confidence=0, half_life=0.0)
    blend = ensemble_policy(SHAPE, same, base, library, GAME_ANEW, usual, 5)
    check_same_play(blend, ASTAR.policy(SHAPE, GENOMES[0], GAME_ANEW, 5), "O6")


@pytest.mark.parametrize("shape", [SHAPE, DEEP], ids=["as the others", "of several layers"])
@pytest.mark.parametrize("resets", [0, GAME_ANEW])
def test_a_base_of_any_shape_plays_as_it_does_alone(library, shape, resets):
    """Never sure: with its own layers and resets.  Always sure: as over another base."""
    base = BaseStrategy(shape, random_genome(shape, np.random.default_rng(4)), resets)
    alone = ASTAR.policy(shape, base.genome, resets, 5)
    check_same_play(ensemble_over(base, library, confidence=10**9), alone, "O6")
    sure = {"confidence": 0, "alike": True}
    check_same_play(ensemble_over(base, library, **sure), policy_with(library, **sure), "O6")


def check_same_play(blend, alone, opponent):
    """Have two players meet an opponent, and check that they win the same in each hand."""
    met = find_agent(opponent).compiled_policy(HUNL, 3)
    first, second = play_matches(HUNL, [(blend, met), (alone, met)], 300, 9, duplicate=True)
    np.testing.assert_array_equal(first.won, second.won)


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


def with_lookahead(library, **blending):
    """Two counter-strategies over a base strategy that looks ahead, and that alone."""
    genome = random_genome(AHEAD, np.random.default_rng(4))
    base = BaseStrategy(AHEAD, genome, 0, ahead=True)
    return ensemble_over(base, library, **blending), LOOKAHEAD.policy(AHEAD, genome, 0, 5)


def test_a_base_that_looks_ahead_plays_as_it_does_alone(library):
    """Never sure: the same trees, draws and actions.  Always sure: as over another base."""
    sure = {"confidence": 0, "alike": True}
    blend, alone = with_lookahead(library, confidence=10**9)
    check_same_play(blend, alone, "O3")
    check_same_play(blend, alone, "plane-60-50")
    check_same_play(with_lookahead(library, **sure)[0], policy_with(library, **sure), "O6")


def test_has_lost_is_a_matter_of_standard_errors():
    """Few hands tell nothing; so many standard errors below 0 do."""
    hands = np.random.default_rng(1).normal(-30, 200, 400)
    told = np.array([len(hands), hands.sum(), (hands**2).sum()])
    below = -hands.mean() / (hands.std() / 20)
    assert below > 1.5
    assert has_lost(told, below - 0.01)
    assert not has_lost(told, below + 0.01)
    assert not has_lost(told, 0.0)
    assert not has_lost(told * [1, -1, 1], 0.01)
    assert not has_lost(told * FEW / 401, 0.01)


def test_who_loses_with_its_counters_falls_back(library):
    """With no patience to speak of, the base plays once they have lost; the trees are the same."""
    losing = pool_policy("plane-40-50", HUNL, 3)
    patient, impatient = (
        with_lookahead(library, confidence=0, form="evidence", patience=patience)[0]
        for patience in (0.0, 0.5)
    )
    first, second = play_matches(
        HUNL, [(patient, losing), (impatient, losing)], 600, 9, duplicate=True
    )
    assert first.won.mean() < 0
    assert (first.won[:, :15] == second.won[:, :15]).all()
    assert second.won.mean() > first.won.mean()
    results = second.memories[0][0][RESULTS : RESULTS + 3]
    assert 0 < results[0] < 600
    assert results[1] < 0


def test_what_is_no_blending_is_refused(library):
    """Forms, distances, counts; networks that are not one for each opponent."""
    with pytest.raises(ValueError, match="genomes of"):
        ensemble_policy(SHAPE, GENOMES[:1], BASE, library, GAME_ANEW, Blending())
    for name, wrong in (
        ("form", "other"),
        ("sharpness", 0.0),
        ("sharpness", float("nan")),
        ("confidence", -1),
        ("half_life", -1.0),
        ("carry", -1),
        ("doubt", -0.1),
        ("patience", -1.0),
        ("patience", float("inf")),
    ):
        with pytest.raises(ValueError, match=name.replace("_", "-")):
            Blending(**{name: wrong})
