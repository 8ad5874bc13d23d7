"""The types that come along, on players of the pool's plane whom they were not made of."""

import json
from itertools import product

import pytest

from agents.opponents.pool_logs import write_logs
from agents.roster.contestants import find_contestants
from agents.statistical.learning.log_decisions import read_logs
from agents.statistical.learning.type_clustering import windows_of
from agents.statistical.predicting.model_files import MODELS, load_shipped
from agents.statistical.predicting.player_types import TYPES
from protocol.gamedefs import load_builtin

STRANGERS = {
    "plane-60-30": {"regular"},
    "plane-90-60": {"aggressive"},
    "plane-80-60-60": {"aggressive"},
    "plane-50-30-90": {"bluffer"},
    "plane-80-40-0-80": {"trapper"},
}
"""Character -> the types of which most of its play is."""
POOL = {
    "O1": {"conservative"},  # gives up to every raise
    "O2": {"trapper"},  # never raises
    "O3": {"aggressive"},  # always raises
    "O5": {"regular"},
    "O6": {"aggressive"},
    "O7": {"conservative", "trapper"},  # plays few hands, and calls with them
    "O8": {"aggressive"},
}
"""Opponent of the pool -> types of which most of its windows are; O4 changes with the game."""


def test_each_type_has_a_centre():
    """So that each can be told."""
    types = load_shipped("types")
    assert set(types.names) == set(TYPES)
    told = json.loads((MODELS / "types.json").read_text())["evaluation"]
    assert told["centres"] == {name: types.names.count(name) for name in TYPES}
    assert told["held_out"]["same"] > 1.5 * told["held_out"]["chance"]


def test_strangers_got_the_types_they_play_by_the_note():
    """Nobody was learned from; the type of most windows is the one of the character."""
    told = json.loads((MODELS / "types.json").read_text())["evaluation"]
    for name, expected in STRANGERS.items():
        assert name not in told["players"]
        counts = told["strangers"][name]
        assert TYPES[counts.index(max(counts))] in expected


def test_the_pool_gets_the_types_it_plays_by_the_note():
    """Tight or loose, who raises more than it calls with what it plays is aggressive."""
    told = json.loads((MODELS / "types.json").read_text())["evaluation"]["players"]
    for name, expected in POOL.items():
        assert TYPES[told[name].index(max(told[name]))] in expected, name
    assert told["O3"][TYPES.index("aggressive")] == sum(told["O3"])


@pytest.mark.parametrize(
    ("game", "others"),
    [
        pytest.param("hunl", ["O5", "O6"], marks=pytest.mark.slow),
        ("hulhe", ["O6"]),
    ],
)
def test_strangers_get_the_types_they_play(tmp_path, game, others):
    """In matches with some of the pool on other deals."""
    logs = []
    for met, name in product(others, STRANGERS):
        pair = find_contestants([met, name])
        logs += [one.path for one in write_logs(tmp_path, pair, load_builtin(game), 130, 77)]
    windows = windows_of(decisions := read_logs(logs))
    types = load_shipped("types")
    for name, expected in STRANGERS.items():
        mine = windows.players == decisions.names.index(name)
        chances = types.chances(windows.points[mine], windows.kinds[mine])
        assert TYPES[int(chances.mean(axis=0).argmax())] in expected, name
