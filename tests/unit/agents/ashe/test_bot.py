"""ASHE as an agent: its file, and what it refuses."""

import numpy as np
import pytest

from agents.ashe.bot import MODEL, ashe_bot, policy_for
from agents.ashe.policy import ASHE
from agents.baselines.always_call import AlwaysCall
from agents.errors import GameNotPlayed
from agents.evolution.network import EvolvedNetwork, NetworkDamaged
from agents.lookahead.policy import LOOKAHEAD
from agents.lookahead.sizes import FOLD_INPUTS, WIN_INPUTS
from agents.opponents.policy import pool_policy
from agents.recurrent.shape import NetShape, Stack, random_genome
from engine.errors import InvalidGame
from engine.play.compiled_match import play_matches
from engine.play.learners import play_learning_match
from protocol.gamedefs import load_builtin
from tests.helpers.evolving import GAME_ANEW, HUNL, SHAPE, small_genomes


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


def test_it_sits_at_a_table(model):
    """To the end of every hand, chips adding up."""
    won = play_learning_match(HUNL, 3, 40, [ashe_bot(str(model)), AlwaysCall()])
    assert won.any()
    np.testing.assert_allclose(won.sum(axis=1), 0)


@pytest.mark.parametrize("game", ["hulhe", "leduc", "kuhn"])
def test_other_games_are_refused(game, model):
    """Limit hold'em, and what is no hold'em at all."""
    with pytest.raises((GameNotPlayed, InvalidGame)):
        policy_for(load_builtin(game), 1, model)


def test_versions_play_their_own_networks(tmp_path):
    """The second one with its file as it does alone; neither takes the other's."""
    shape = NetShape(Stack(1, 1, 3), Stack(1, 1, 2), (4,), WIN_INPUTS, FOLD_INPUTS, 2, "tanh")
    genome = random_genome(shape, np.random.default_rng(1))
    path = tmp_path / "second.network"
    EvolvedNetwork(LOOKAHEAD.name, shape, 0, genome, {}).save(path)
    players = (policy_for(HUNL, 3, path, "ashe-2"), LOOKAHEAD.policy(shape, genome, 0, 3))
    other = pool_policy("O6", HUNL, 1)
    one, two = play_matches(HUNL, [(player, other) for player in players], 300, 5)
    np.testing.assert_array_equal(one.won, two.won)
    with pytest.raises(NetworkDamaged, match="not of ashe"):
        ashe_bot(str(path))
    with pytest.raises(NetworkDamaged, match="not of ashe-2"):
        ashe_bot(str(MODEL), "ashe-2")


def test_files_that_are_none(tmp_path):
    """Missing, damaged, and of the other family."""
    from agents.astar.family import ASTAR
    from tests.unit.agents.astar.grown import SHAPE as OTHER
    from tests.unit.agents.astar.grown import some_genome

    with pytest.raises(NetworkDamaged, match=r"no\.network"):
        ashe_bot(str(tmp_path / "no.network"))
    (tmp_path / "text.network").write_text("no network")
    with pytest.raises(NetworkDamaged, match=r"text\.network"):
        ashe_bot(str(tmp_path / "text.network"))
    network = EvolvedNetwork(ASTAR.name, OTHER, GAME_ANEW, some_genome(), {})
    network.save(tmp_path / "astar.network")
    with pytest.raises(NetworkDamaged, match="not of ashe"):
        ashe_bot(str(tmp_path / "astar.network"))
