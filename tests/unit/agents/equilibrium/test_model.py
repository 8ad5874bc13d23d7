"""Models of solved games, and their files."""

import re

import numpy as np
import pytest

from agents.equilibrium.model import KIND, EquilibriumModel, load_model
from engine.errors import ArtifactMismatch
from engine.small_games.poker_tree import poker_tree
from engine.small_games.table_solver import random_profile
from engine.storage.artifacts import load_artifact, save_artifact
from protocol.gamedefs import load_builtin
from tests.helpers.said import refused

REMEDY = "the shipped ones come back with `git checkout -- agents/equilibrium/models`"


@pytest.fixture(scope="module")
def tree():
    """Kuhn poker for three."""
    return poker_tree(load_builtin("kuhn3"))


@pytest.fixture(scope="module")
def profile(tree):
    """Any profile of it."""
    return random_profile(tree, np.random.default_rng(1))


@pytest.fixture
def file(tree, profile, tmp_path):
    """A saved model of that profile."""
    path = tmp_path / "my.equilibrium"
    EquilibriumModel.of_profile(load_builtin("kuhn3"), tree, profile, {"seed": 1}).save(path)
    return path


def test_a_saved_model_is_the_same_model(file, tree, profile, tmp_path):
    """Game, provenance and probabilities, these rounded; the file repeats itself."""
    model = load_model(file)
    assert model.game == load_builtin("kuhn3")
    assert model.provenance == {"seed": 1}
    np.testing.assert_allclose(model.profile(tree), profile, rtol=1e-6)
    assert model.actions("ccrf:K") == ("f", "c")
    assert model.shares("ccrf:K").sum() == pytest.approx(1)
    model.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == file.read_bytes()


def test_names_of_other_games_are_not_there(file):
    """A KeyError, and no profile of another tree."""
    model = load_model(file)
    with pytest.raises(KeyError):
        model.shares("cr:9")
    with pytest.raises(ArtifactMismatch, match="other information sets"):
        model.profile(poker_tree(load_builtin("kuhn")))


def with_line(facts, arrays, line):
    """The same with one more line of text."""
    text = arrays["sets"].tobytes() + line
    return facts, {**arrays, "sets": np.frombuffer(text, np.uint8)}


def with_shares(facts, arrays, change):
    """The same with other probabilities."""
    return facts, {**arrays, "probabilities": change(arrays["probabilities"])}


DAMAGES = {
    "named twice": lambda *file: with_line(*file, b"\n:A c r"),
    "one without actions": lambda *file: with_line(*file, b"\nx"),
    "for 98 probabilities": lambda *file: with_line(*file, b"\nx c r"),
    "can't decode": lambda *file: with_line(*file, b"\xff"),
    "shares that add to 1": lambda *file: with_shares(*file, lambda p: p * np.float32(0.9)),
    "float64": lambda *file: with_shares(*file, lambda p: p.astype(np.float64)),
    "number of rounds": lambda facts, arrays: ({**facts, "game": "limit"}, arrays),
    "'game'": lambda facts, arrays: ({"provenance": {}}, arrays),
}


@pytest.mark.parametrize("message", DAMAGES)
def test_damaged_models_are_refused_with_a_remedy(message, file):
    """In one line with the file's name; so are those that were cut, or are missing."""
    found = load_artifact(file, KIND)
    facts, arrays = DAMAGES[message](found.facts, dict(found.arrays))
    save_artifact(file, KIND, facts, arrays)
    with pytest.raises(ArtifactMismatch, match=message) as caught:
        load_model(file)
    assert re.match(f"{re.escape(str(file))}: damaged: .*; {re.escape(REMEDY)}", str(caught.value))
    assert "\n" not in str(caught.value)
    file.write_bytes(file.read_bytes()[:-5])
    for path in (file, file.with_name("none")):
        with refused(ArtifactMismatch, path, REMEDY):
            load_model(path)
