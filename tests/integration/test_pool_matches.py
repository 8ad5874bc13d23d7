"""The bots of the pool as processes at the real dealer, and the command that measures them."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import agents
from agents.opponents.policy import pool_policy
from agents.studies.pool import command as pool_command
from engine.play.compiled_match import play_matches
from protocol.gamedefs import load_builtin
from tests.helpers.said import says_in_a_line
from tests.helpers.seated_match import play_seated

ROOT = Path(agents.__file__).parent.parent
DEALER_SEED = 42
HANDS = 40
SECONDS = 280


def start(*words):
    """Start `arena pool` as a process."""
    return subprocess.Popen(
        [sys.executable, "-m", "agents.studies.pool.command", *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


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


def test_ctrl_c_shows_the_pairs_that_were_played(monkeypatch, capsys):
    """Exit code 130, a table with gaps, no traceback; it comes while the second pair plays."""
    key = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))

    def pair_played(line):
        if key.ident is None:
            key.start()

    monkeypatch.setattr(pool_command, "RateLimiter", lambda *_, **__: pair_played)
    names = [f"O{number}" for number in range(1, 9)]
    assert pool_command.main([*names, "--hands", "50000", "--workers", "1"]) == 130
    out, err = capsys.readouterr()
    says_in_a_line(err, "arena pool:", "stopped", 28)
    assert "O2 (calling-machine)" in out


def test_the_help_is_told():
    """Without compiling anything."""
    out, _ = start("--help").communicate(timeout=SECONDS)
    assert "arena pool" in out
    assert "--svg FILE" in out
