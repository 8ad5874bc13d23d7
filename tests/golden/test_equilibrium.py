"""The solved games that come along."""

import json

import numpy as np
import pytest

from agents.equilibrium.model import load_model
from agents.equilibrium.solvable import measured
from agents.equilibrium.solved_games import MODELS, SHIPPED_GAMES, SUFFIX, solved_file
from engine.small_games.poker_tree import poker_tree
from protocol.gamedefs import load_builtin

BOUNDS = {"kuhn": 1e-6, "kuhn3": 1e-6, "fixed-queen": 1e-6, "leduc": 1e-6, "leduc3": 1e-4}
"""Chips, which are big blinds in all of these games, that a best response gains at most, mean over
the players; docs/bots.md tells the same in thousandths."""
SLOW = {"leduc3": pytest.mark.slow}
VALUES = {"kuhn": -1 / 18, "leduc": -0.0856064, "fixed-queen": -1 / 3}
"""What the first player wins in games for two."""


@pytest.mark.parametrize("name", [pytest.param(n, marks=SLOW.get(n, ())) for n in SHIPPED_GAMES])
def test_no_best_response_gains_more_than_is_told(name):
    """Exactly, of the strategy as it is rounded in the file: the worst case for two players."""
    model, game = load_model(solved_file(name)), load_builtin(name)
    assert model.game == game
    tree = poker_tree(game)
    exploitability, values = measured(tree, model.profile(tree))
    assert exploitability == pytest.approx(model.provenance["exploitability"], rel=1e-6)
    assert 0 <= exploitability <= BOUNDS[name]
    np.testing.assert_allclose(values, model.provenance["values"], atol=1e-9)
    if name in VALUES:
        assert values[0] == pytest.approx(VALUES[name], abs=1e-5)


@pytest.mark.parametrize("name", SHIPPED_GAMES)
def test_each_file_says_how_it_was_made(name):
    """And the one beside it says the same."""
    path = solved_file(name)
    told = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert told == load_model(path).provenance
    assert told["name"] == name
    assert told["commands"][0].startswith(f"arena train equilibrium --game {name} ")
    assert sum(told["uses"].values()) == told["iterations"]


def test_nothing_else_lies_beside_the_solved_games():
    """Models that nobody plays take room in every clone."""
    wanted = {f"{name}{suffix}" for name in SHIPPED_GAMES for suffix in (SUFFIX, ".json")}
    assert {path.name for path in MODELS.iterdir()} == wanted
