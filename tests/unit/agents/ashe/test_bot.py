"""ASHE as an agent: its file, and what it refuses."""

import numpy as np
import pytest

from agents.ashe.bot import MODEL, ashe_bot, policy_for
from agents.ashe.policy import ASHE
from agents.evolution.network import EvolvedNetwork, NetworkDamaged
from agents.lookahead.policy import LOOKAHEAD
from agents.opponents.policy import pool_policy
from agents.recurrent.shape import random_genome
from engine.play.compiled_match import play_matches
from tests.helpers.evolving import AHEAD, GAME_ANEW, HUNL, SHAPE, small_genomes


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A network that never evolved."""
    path = tmp_path_factory.mktemp("ashe") / "some.network"
    (genome,) = small_genomes(1)
    EvolvedNetwork(ASHE.name, SHAPE, GAME_ANEW, genome, {}).save(path)
    return path


def test_it_plays_the_network_of_its_file(model):
    """As the network alone does."""
    (genome,) = small_genomes(1)
    players = (policy_for(HUNL, 3, model), ASHE.policy(SHAPE, genome, GAME_ANEW, 3))
    other = pool_policy("O6", HUNL, 1)
    one, two = play_matches(HUNL, [(player, other) for player in players], 300, 5)
    np.testing.assert_array_equal(one.won, two.won)


def test_versions_play_their_own_networks(tmp_path):
    """The second one with its file as it does alone; neither takes the other's."""
    genome = random_genome(AHEAD, np.random.default_rng(1))
    path = tmp_path / "second.network"
    EvolvedNetwork(LOOKAHEAD.name, AHEAD, 0, genome, {}).save(path)
    players = (policy_for(HUNL, 3, path, "ashe-2"), LOOKAHEAD.policy(AHEAD, genome, 0, 3))
    other = pool_policy("O6", HUNL, 1)
    one, two = play_matches(HUNL, [(player, other) for player in players], 300, 5)
    np.testing.assert_array_equal(one.won, two.won)
    with pytest.raises(NetworkDamaged, match="not of ashe"):
        ashe_bot(str(path))
    with pytest.raises(NetworkDamaged, match="not of ashe-2"):
        ashe_bot(str(MODEL), "ashe-2")
