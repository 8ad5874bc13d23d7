"""The bots of the pool as processes at the real dealer."""

import sys

import pytest

from agents.opponents.policy import pool_policy
from engine.play.compiled_match import play_matches
from protocol.gamedefs import load_builtin
from tests.helpers.seated_match import play_seated

DEALER_SEED = 42
HANDS = 40
SECONDS = 280


@pytest.mark.parametrize(
    ("game", "names"), [("hunl", ("O6", "O4")), ("hulhe", ("O_random", "O8"))], ids=str
)
def test_matches_over_the_network_are_those_of_bulk_play(tmp_path, game, names):
    """With the same seeds every action of the log is the one of the bulk match."""
    commands = [
        [sys.executable, "-m", "agents", name, "--game", game, "--seed", str(seed)]
        for seed, name in enumerate(names)
    ]
    match = play_seated(tmp_path, game, HANDS, commands, seconds=SECONDS)
    assert (match.warnings, match.errors, match.exit_codes) == ([], ["", ""], [0, 0])
    definition = load_builtin(game)
    pair = tuple(pool_policy(name, definition, seed) for seed, name in enumerate(names))
    (bulk,) = play_matches(definition, [pair], HANDS, DEALER_SEED, record=True, threads=1)
    for hand, line in enumerate(match.hands):
        betting = line.split(":")[2].replace("/", "")
        sized = definition.no_limit
        assert betting == "".join(
            chr(kind) + (str(chips) if sized and chr(kind) == "r" else "")
            for kind, chips in bulk.records[0].actions_of(hand)
        )
