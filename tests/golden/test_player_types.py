"""The types that come along, on players of the pool's plane whom they were not made of."""

import json
from itertools import product

import numpy as np
import pytest

from agents.opponents.pool_logs import write_logs
from agents.roster.contestants import find_contestants
from agents.statistical.learning.log_decisions import read_logs
from agents.statistical.learning.type_clustering import windows_of
from agents.statistical.predicting.model_files import MODELS, load_shipped
from agents.statistical.predicting.player_types import CLUSTERED, TYPES
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
    "O1": {"conservative", "regular"},  # gives up to every raise
    "O2": {"regular"},  # never raises
    "O3": {"bluffer"},  # raises everything, weak hands too
    "O4": {"conservative"},
    "O5": {"regular"},
    "O6": {"aggressive"},
    "O7": {"conservative"},
    "O8": {"conservative", "aggressive"},
    "plane-70-80-0-90": {"trapper"},  # calls with its best hands until the river
    "plane-50-60-0-90": {"trapper"},
}
"""Opponent of the pool -> types of which most of its windows are."""


def test_each_type_is_a_cluster():
    """With a name of its own; who waits for the river is far from the others."""
    types = load_shipped("types")
    assert sorted(types.names) == sorted(TYPES)
    told = json.loads((MODELS / "types.json").read_text())["evaluation"]
    assert told["centres"].keys() == set(TYPES)
    waits = types.plain_centres()[:, CLUSTERED.index("waits")]
    trapper = types.names.index("trapper")
    assert waits[trapper] > np.delete(waits, trapper).max() + 0.2
    assert told["held_out"]["same"] > 3 * told["held_out"]["chance"]


def test_strangers_got_the_types_they_play_by_the_note():
    """Nobody was learned from; the type of most windows is the one of the character."""
    told = json.loads((MODELS / "types.json").read_text())["evaluation"]
    for name, expected in STRANGERS.items():
        assert name not in told["players"]
        counts = told["strangers"][name]
        assert TYPES[counts.index(max(counts))] in expected


def test_the_pool_gets_the_types_it_plays_by_the_note():
    """Most windows of each, whether it was learned from or not."""
    told = json.loads((MODELS / "types.json").read_text())["evaluation"]
    told = told["strangers"] | told["players"]
    for name, expected in POOL.items():
        assert TYPES[told[name].index(max(told[name]))] in expected, name


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
