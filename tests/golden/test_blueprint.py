"""The blueprints that come along."""

import json
from functools import cache

import pytest

from agents.blueprint.measure import leduc_exploitability
from agents.blueprint_model import model
from agents.blueprint_model.codes import grid_size, shares_of
from agents.blueprint_model.models import (
    BIG_BLINDS_OF_STEM,
    MODELS,
    RESPONSE,
    SUFFIX,
    model_file,
    shipped_model,
)
from protocol.gamedefs import load_builtin
from tests.oracles.coded_rows import read_rows

MIB = 2**20
BUILT_IN = ("hunl", "hulhe", "leduc")
STEMS = sorted({*BUILT_IN, *BIG_BLINDS_OF_STEM, RESPONSE})
load_model = cache(model.load_model)


def test_models_are_as_deep_as_their_names_say():
    """And each built-in game has its own."""
    for name in BUILT_IN:
        assert load_model(shipped_model(load_builtin(name))).tree.game == load_builtin(name)
    for stem in BIG_BLINDS_OF_STEM:
        game = load_model(model_file(stem)).tree.game
        assert {stack / game.big_blind for stack in game.stacks} == {BIG_BLINDS_OF_STEM[stem]}
        assert shipped_model(game) == model_file(stem)


@pytest.mark.parametrize("stem", STEMS)
def test_each_says_how_it_was_made(stem):
    """The file beside it tells what the model itself tells; none is large."""
    path = model_file(stem)
    found = load_model(path)
    told = json.loads(path.with_suffix(".json").read_text())
    assert found.provenance.items() <= told.items()
    assert {"commands", "seed", "iterations", "hours", "machine"} <= told.keys()
    assert path.stat().st_size <= 16 * MIB


@pytest.mark.parametrize("stem", ["hunl", "hulhe"])
def test_a_plain_reader_reads_the_shipped_rows(stem):
    """Of some decisions on each street from the flop on, share by share."""
    found = load_model(model_file(stem))
    tree, packed = found.tree, found.packed
    several = [node for node in tree.decisions.tolist() if tree.child_count[node] > 1]
    for place in range(97, len(several), len(several) // 12):
        node, begin, end = several[place], *packed.ends[place - 1 : place + 1].tolist()
        numbers, bits = found.numbers(node)
        actions = int(tree.child_count[node])
        stream = packed.streams[begin:end].tolist()
        rows = read_rows(stream, len(numbers), actions, grid_size(actions, bits))
        assert rows == shares_of(numbers, actions, bits).tolist()


def test_nothing_else_lies_beside_them():
    """Models that nobody plays take room in every clone."""
    wanted = {f"{stem}{suffix}" for stem in STEMS for suffix in (SUFFIX, ".json")}
    assert {path.name for path in MODELS.iterdir()} == wanted


def test_leduc_is_within_a_thousandth_of_an_ante_of_an_equilibrium():
    """Exactly, of the strategy as it is rounded in the file."""
    assert leduc_exploitability(load_model(shipped_model(load_builtin("leduc")))) < 1.0
