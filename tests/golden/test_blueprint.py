"""The blueprints that come along."""

import json

import pytest

from agents.blueprint.measure import leduc_exploitability
from agents.blueprint.model import load_model
from agents.blueprint.models import MODELS, SHIPPED, SUFFIX, shipped_model
from protocol.gamedefs import load_builtin

MIB = 2**20


@pytest.mark.parametrize("name", SHIPPED)
def test_each_plays_its_game_and_says_how_it_was_made(name):
    """The file beside it tells what the model itself tells; together they are small."""
    path = shipped_model(load_builtin(name))
    model = load_model(path)
    assert model.tree.game == load_builtin(name)
    told = json.loads(path.with_suffix(".json").read_text())
    assert model.provenance.items() <= told.items()
    assert {"commands", "seed", "iterations", "hours", "machine"} <= told.keys()
    assert path.stat().st_size <= 24 * MIB


def test_nothing_else_lies_beside_them():
    """Models that nobody plays take room in every clone."""
    wanted = {f"{stem}{suffix}" for stem in SHIPPED.values() for suffix in (SUFFIX, ".json")}
    assert {path.name for path in MODELS.iterdir()} == wanted


def test_leduc_is_within_a_thousandth_of_an_ante_of_an_equilibrium():
    """Exactly, of the strategy as it is rounded in the file."""
    assert leduc_exploitability(load_model(shipped_model(load_builtin("leduc")))) < 1.0
