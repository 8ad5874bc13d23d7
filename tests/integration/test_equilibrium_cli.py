"""`arena train equilibrium` and its bot as their users meet them: processes, sockets, Ctrl-C."""

import json
import re
import signal
import sys
from pathlib import Path

import pytest

import agents
from agents.equilibrium import train_command
from agents.equilibrium.model import load_model
from agents.equilibrium.solved_games import solved_file
from agents.training.kinds import train as main
from dealer.logs.replay import main as verify
from tests.helpers.arena import arena_here, run_arena
from tests.helpers.said import says, says_in_a_line
from tests.helpers.seated_match import play_seated

ROOT = Path(agents.__file__).parent.parent
AGENT = [sys.executable, "-m", "agents", "equilibrium"]


def interrupt(*_):
    """Be Ctrl-C, at the first line of progress."""
    signal.raise_signal(signal.SIGINT)


def test_a_game_of_ones_own_is_solved_left_resumed_and_played(tmp_path, monkeypatch, capsys):
    """Kuhn poker with five cards: Ctrl-C, --resume, then a match; no line of it is out of order."""
    monkeypatch.chdir(tmp_path)
    game = tmp_path / "five.game"
    text = (ROOT / "protocol/gamedefs/kuhn.limit.2p.game").read_text()
    game.write_text(text.replace("numRanks = 3", "numRanks = 5"))
    words = ["equilibrium", "--game", "five.game", "--minimiser", "cfr", "--out", "run"]
    with monkeypatch.context() as patched:
        patched.setattr(train_command, "RateLimiter", lambda *_, **__: interrupt)
        assert main([*words, "--minutes", "5"]) == 130
    says(capsys.readouterr().err.splitlines()[-1], "--resume")
    done = load_model(tmp_path / "run" / "model.equilibrium").provenance["iterations"]
    assert main([*words, "--resume", "--iterations", str(done + 10)]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    says(err, f"{done:,}", "HOST PORT --game five.game --model run/model.equilibrium")
    told = json.loads((tmp_path / "run" / "model.json").read_text())
    assert told["iterations"] == done + 10
    assert len(told["commands"]) == 2
    model = ["--game", str(game), "--model", str(tmp_path / "run" / "model.equilibrium")]
    match = play_seated(tmp_path, game, 60, [[*AGENT, *model], [*AGENT, *model]])
    assert (match.warnings, match.errors, set(match.exit_codes)) == ([], ["", ""], {0})
    assert len(match.hands) == 60


@pytest.mark.parametrize(
    ("game", "bots"),
    [
        ("kuhn", ("equilibrium", "always-call")),
        ("kuhn3", ("equilibrium", "uniform-random", "equilibrium")),
        ("leduc3", ("equilibrium", "always-call", "uniform-random")),
        ("fixed-queen", ("equilibrium", "equilibrium")),
    ],
)
def test_matches_are_played_and_verified(game, bots, tmp_path, capsys):
    """By the dealer over sockets, from every seat; the logs hold up to the last card."""
    code, out, err = run_arena(
        tmp_path, "match", *bots, "--game", game, "--hands", "60", "--seed", "7", "--out", "m"
    )
    assert code == 0, out + err
    logs = sorted((tmp_path / "m").glob("*.log"))
    assert logs
    assert verify(["--verify", *map(str, logs)]) == 0, capsys.readouterr()
    if game == "fixed-queen":
        hands = [line for path in logs for line in path.read_text().splitlines() if "STATE" in line]
        dealt = {re.split(r":", line)[3] for line in hands}
        assert dealt == {"Qs|Js", "Qs|Ks"}


def test_models_of_other_games_and_none_are_refused_in_a_line(tmp_path):
    """Before anybody is called up."""
    for words, *facts in (
        (["--game", "leduc", "--model", str(solved_file("kuhn"))], "kuhn.equilibrium"),
        (["--game", "kuhn", "--model", str(tmp_path / "none")], "none", "No such file"),
    ):
        code, out, err = arena_here(tmp_path, "agent", "equilibrium", "localhost", "1", *words)
        assert (code, out) in ((1, ""), (2, ""))
        says_in_a_line(err, *facts)


@pytest.mark.parametrize(
    ("game", "facts"),
    [
        ("hulhe", ["too large", "--groups 4,3,3,3 solves it in groups of buckets"]),
        ("nolimit6", ["too large", "nodes (--help"]),
    ],
)
def test_games_too_large_are_refused_with_what_would_do(game, facts, tmp_path):
    """Groups of buckets, where there is a blueprint of the game."""
    code, out, err = arena_here(tmp_path, "train", "equilibrium", "--game", game)
    assert (code, out) == (2, "")
    says_in_a_line(err, *facts)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        ("--game hulhe --groups 999,1,1,1", ["groups: 999 of the 169 buckets of street 1"]),
        ("--game hulhe --groups 99,99,1,1", ["9801 hands on the river", "1000"]),
        ("--game hulhe --groups 1,1,1", ["want four numbers"]),
        ("--game leduc --groups 1,1,1,1", ["hold'em"]),
        ("--game kuhn --deals 9", ["--deals is for --groups"]),
    ],
)
def test_groups_that_cannot_be_are_refused_at_once(words, facts, tmp_path):
    """Before deals are counted, and nothing is written."""
    code, out, err = arena_here(tmp_path, "train", "equilibrium", *words.split())
    assert (code, out) == (2, "")
    says_in_a_line(err, *facts)
    assert list(tmp_path.iterdir()) == []
