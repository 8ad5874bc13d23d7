"""Evidence: how well a known opponent explains what was done, against a plain account of it."""

import math

import numpy as np
import pytest

from agents.astar.ensemble.evidence_kernels import log_loss
from agents.astar.ensemble.library import Library, used_nodes
from agents.astar.ensemble.likeness_kernels import write_likeness
from agents.astar.ensemble.policy_kernels import SELDOM
from agents.patterns import trees_kernels as trees
from agents.patterns.memory_kernels import nodes_of
from agents.patterns.raise_classes import MOVES
from agents.patterns.tree_memory import PATH
from tests.unit.agents.astar.grown import grown, memory_of
from tests.unit.agents.astar.test_ensemble import policy_with, weights_at

KNOWN = ("O2", "O6", "O8")


@pytest.fixture(scope="module")
def library():
    """Three opponents."""
    return Library(KNOWN, tuple(used_nodes(nodes_of(memory_of(one))) for one in KNOWN))


def surprise(memory, library):
    """The distances and the number of actions."""
    found = np.empty(len(library.trees))
    made = int(memory[PATH + trees.MADE])
    actions = log_loss(nodes_of(memory), made, library.stacked(), found)
    return found, actions


def plain_surprise(nodes, known):
    """The same from dictionaries of nodes by their sequences."""
    theirs, total, actions = grown(known), 0.0, 0.0
    for place, row in grown(nodes).items():
        own = row[trees.ACTIONS : trees.CHILDREN]
        told = theirs.get(place, np.zeros(trees.WIDTH))[trees.ACTIONS : trees.CHILDREN]
        for count, seen in zip(own, told, strict=True):
            total -= count * math.log((1 + seen) / (MOVES + told.sum()))
            total += count * math.log((1 + count) / (MOVES + own.sum()))
        actions += own.sum()
    return total / actions, actions


@pytest.mark.parametrize("opponent", ["O2", "O6", "O8", "O4"])
def test_it_is_the_plain_account(opponent, library):
    """Of every sequence, known to the library or not; each explains itself best."""
    memory = memory_of(opponent, 300, 9)
    found, actions = surprise(memory, library)
    for one, known in zip(found, library.trees, strict=True):
        mean, count = plain_surprise(nodes_of(memory), known)
        assert one == pytest.approx(mean)
        assert actions == count
    assert opponent not in KNOWN or KNOWN[int(found.argmin())] == opponent
    found, actions = surprise(np.zeros_like(memory), library)
    assert (actions, found.tolist()) == (0, [0, 0, 0])


def test_evidence_is_weighed_now_and_then(library):
    """After a tenth of the hands, SELDOM at most; until then what was found stands."""
    two = Library(KNOWN[:2], library.trees[:2])
    policy = policy_with(two, form="evidence", sharpness=0.05, confidence=10)
    memory = np.concatenate((memory_of("O6", 300, 9), np.zeros(4)))
    hand = memory[PATH + trees.HAND]
    expected = np.empty(2)
    distances, actions = surprise(memory[:-4], two)
    write_likeness(distances, 1, 0.05, expected)
    assert weights_at(policy, memory) == [*expected.tolist(), 0]
    np.testing.assert_allclose(memory[-4:], [actions, *distances, hand + SELDOM])
    nodes_of(memory)[:] = 0
    assert weights_at(policy, memory) == [*expected.tolist(), 0]
    memory[PATH + trees.HAND] = hand + SELDOM
    assert weights_at(policy, memory) == [0, 0, 1]


def test_the_prior_is_outweighed_by_evidence_in_all(library):
    """The base's share is that of somebody at the distance of doubt, less the prior per action.

    By the street there is none: distances there are of other kinds.
    """
    two = Library(KNOWN[:2], library.trees[:2])
    for hands, prior in ((20, 4.0), (300, 4.0), (300, 0.0), (300, 900.0)):
        policy = policy_with(
            two, form="evidence", sharpness=0.05, confidence=0, doubt=0.1, prior=prior
        )
        memory = np.concatenate((memory_of("O6", hands, 9), np.zeros(4)))
        distances, actions = surprise(memory[:-4], two)
        odds = np.exp(-np.append(distances, 0.1 - prior / actions) / 0.05)
        assert weights_at(policy, memory) == pytest.approx(odds / odds.sum())
    street, other = (
        weights_at(policy_with(two, form="exponential", doubt=0.1, prior=prior), memory.copy())
        for prior in (0.0, 50.0)
    )
    assert street == other
