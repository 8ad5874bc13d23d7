"""Files of learned policies."""

from itertools import pairwise

import numpy as np
import pytest

from agents.learners.encoder import Encoder
from agents.learners.model import (
    KIND,
    REGRETS,
    SOFTMAX,
    LearnedModel,
    LearnedNetworks,
    load_learned,
    match_scores,
)
from agents.learners.small_game import SmallLearnedGame
from engine.errors import ArtifactMismatch
from engine.networks.dense import DenseNetwork
from engine.storage.artifacts import load_artifact, save_artifact
from protocol.gamedefs import load_builtin
from tests.helpers.said import refused

KUHN = load_builtin("kuhn")


def network(seed, game=KUHN):
    """A network with a hidden layer for a game."""
    rng = np.random.default_rng(seed)
    widths = (Encoder(game).width, 4, 3)
    weights = [rng.normal(size=size) for size in pairwise(widths)]
    return DenseNetwork(
        tuple(part.astype(np.float32) for part in weights),
        tuple(rng.normal(size=size).astype(np.float32) for size in widths[1:]),
        "rectified",
    )


def model(head=SOFTMAX, policies=1, seats=2):
    """A model of random networks."""
    nets = tuple(tuple(network(9 * at + seat) for seat in range(seats)) for at in range(policies))
    shares = tuple(range(1, policies + 1))
    return LearnedModel(KUHN, LearnedNetworks(head, nets, shares), {"seed": 1})


@pytest.mark.parametrize(("head", "policies", "seats"), [(SOFTMAX, 1, 1), (REGRETS, 3, 2)])
def test_a_file_has_the_same_policy(head, policies, seats, tmp_path):
    """Game, networks, shares, provenance."""
    saved = model(head, policies, seats)
    saved.save(tmp_path / "it")
    loaded = load_learned(tmp_path / "it")
    assert (loaded.game, loaded.provenance) == (saved.game, saved.provenance)
    game = SmallLearnedGame(KUHN)
    assert (game.average(loaded.networks) == game.average(saved.networks)).all()
    assert loaded.networks.shares == saved.networks.shares


def test_the_average_of_policies_is_that_of_whole_hands():
    """A hand draws a policy, so later decisions count by the reach of each."""
    networks = model(SOFTMAX, 2).networks
    game = SmallLearnedGame(KUHN)
    parts = [
        game.average(LearnedNetworks(SOFTMAX, (policy,), (1.0,))) for policy in networks.policies
    ]
    reach = [share * game.reaches(part) for share, part in zip((1, 2), parts, strict=True)]
    for info_set in range(game.tree.info_sets):
        at = game.tree.actions_of(info_set)
        total = sum(part[at] for part in reach)
        np.testing.assert_allclose(game.average(networks)[at], total / total.sum())


def test_scores_are_matched_as_regrets_are():
    """Positive ones in proportion; else the best legal action, illegal ones never."""
    scores = np.array([[9, 1, 3], [-1, -2, -3], [5, -4, -3], [0, 0, 0]], np.float32)
    legal = np.array([[0, 1, 1], [1, 1, 1], [0, 1, 1], [1, 1, 0]], bool)
    expected = [[0, 0.25, 0.75], [1, 0, 0], [0, 0, 1], [1, 0, 0]]
    assert match_scores(scores, legal).tolist() == expected


def test_networks_that_do_not_fit_are_refused():
    """Of another game or of too many positions, shares that are none, heads that nobody knows."""
    with refused(ValueError, "another game"):
        LearnedModel(load_builtin("leduc"), model().networks, {})
    with refused(ValueError, "3 networks", "2 positions"):
        model(seats=3)
    policy = (network(1),)
    for head, policies, shares in (
        ("argmax", (policy,), (1.0,)),
        (SOFTMAX, (), ()),
        (SOFTMAX, (policy,), (1.0, 2.0)),
        (SOFTMAX, (policy,), (0.0,)),
        (SOFTMAX, (policy,), (float("nan"),)),
    ):
        with pytest.raises(ValueError, match=r"head|shares"):
            LearnedNetworks(head, policies, shares)


def test_damaged_files_are_named(tmp_path):
    """Cut, missing, without an array, with a number that is none, of another game."""
    path = tmp_path / "it"
    model().save(path)
    facts, arrays = load_artifact(path, KIND)
    whole = path.read_bytes()
    arrays = {name: np.array(array) for name, array in arrays.items()}
    path.write_bytes(whole[:-9])
    with refused(ArtifactMismatch, path.name, "damaged", "arena train nfsp"):
        load_learned(path)
    with refused(ArtifactMismatch, "none", "No such file"):
        load_learned(tmp_path / "none")
    for change in (
        ({}, {"0.0.w": arrays["0.0.w"][:, :-1]}),
        ({}, {"0.0.w": np.full_like(arrays["0.0.w"], np.nan)}),
        ({}, {"0.0.b": np.full_like(arrays["0.0.b"], -3e38)}),
        ({"layers": [9]}, {}),
        ({"game": "GAMEDEF"}, {}),
        ({"shares": ["x"]}, {}),
        ({"head": None}, {}),
    ):
        save_artifact(path, KIND, facts | change[0], arrays | change[1])
        with refused(ArtifactMismatch, path.name, "damaged"):
            load_learned(path)
