"""`arena train equilibrium` and its bot as their users meet them: processes, sockets, Ctrl-C."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import agents
from agents.equilibrium.model import load_model
from agents.equilibrium.models import solved_file
from agents.training.command import main
from agents.training.folders import alone_in
from dealer.logs.command import main as verify
from tests.helpers.seated_match import play_seated

ROOT = Path(agents.__file__).parent.parent
AGENT = [sys.executable, "-m", "agents", "equilibrium"]
BIG = """
limit
numPlayers = 2
numRounds = 1
blind = 1 1
raiseSize = 1
maxRaises = 2
numSuits = 4
numRanks = 13
numHoleCards = 3
numBoardCards = 2
"""


def start(folder, *words):
    """Start an `arena` command in a folder."""
    return subprocess.Popen(
        [sys.executable, "-m", "dealer.arena", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def result(folder, *words):
    """Exit code, stdout and stderr of a command."""
    with start(folder, *words) as process:
        out, err = process.communicate(timeout=120)
    return process.returncode, out, err


WRONG = {
    (): "the following arguments are required: --game",
    ("--game", "chess"): "argument --game: game chess: no built-in game 'chess'",
    ("--game", "bad.game"): "argument --game: game bad.game: ",
    (
        "--game",
        "hunl",
    ): "the game is too large to be written out: its tree has far more than 1,000,000 nodes",
    ("--game", "big.game"): "the game is too large to be written out",
    ("--game", "kuhn", "--minimiser", "magic"): "argument --minimiser: no minimiser is called",
    ("--game", "kuhn", "--minimiser", "cfr", "--pool", "cfr"): "--pool is for --minimiser adaptive",
    ("--game", "kuhn", "--minimiser", "cfr", "--every", "2"): "--every is for --minimiser adaptive",
    ("--game", "kuhn", "--preset", "mine"): "argument --preset: invalid choice: 'mine'",
    ("--game", "kuhn", "--pool", "cfr,magic"): "argument --pool: magic in the pool; there are",
    ("--game", "kuhn", "--pool", "cfr,cfr"): "argument --pool: 'cfr,cfr' names a minimiser twice",
    ("--game", "kuhn", "--exploitability", "0"): "argument --exploitability: 0",
    ("--game", "kuhn", "--iterations", "0"): "argument --iterations: 0: want 1 to",
    ("--game", "kuhn", "--minutes", "nan"): "argument --minutes: nan",
    ("--game", "kuhn", "--alpha", "2"): "exploration 0.01 below 0 or alpha 2.0 not in (0, 1]",
    ("--game", "kuhn", "--exploration", "-1"): "argument --exploration",
    ("--game", "kuhn", "--seed", "x"): "argument --seed",
    ("--game", "kuhn", "--resume", "--out", "new"): "new holds no run to resume",
}


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_hopeless_wishes_are_one_line_and_exit_2(words, tmp_path, monkeypatch, capsys):
    """Before anything is solved or written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.game").write_text("limit\nnumPlayers = 1\n")
    (tmp_path / "big.game").write_text(BIG)
    try:
        code = main(["equilibrium", *words])
    except SystemExit as stop:
        code = stop.code
    shown = capsys.readouterr()
    *before, last = shown.err.splitlines()
    assert (code, shown.out) == (2, "")
    assert all(line.startswith("run folder ") for line in before)
    assert last.startswith("arena train equilibrium: ")
    assert WRONG[words] in last
    assert {path.name for path in tmp_path.iterdir()} == {"bad.game", "big.game"}


def test_a_folder_is_one_trainings_alone(tmp_path, capsys):
    """The second one would write over the model of the first; it ends in a line, and exits 2."""
    words = ["equilibrium", "--game", "kuhn", "--iterations", "5", "--out", str(tmp_path)]
    with alone_in(tmp_path, ()):
        assert main(words) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == f"arena train equilibrium: another process is working in {tmp_path}"
    assert main(words) == 0


def test_a_game_of_ones_own_is_solved_left_resumed_and_played(tmp_path):
    """Kuhn poker with five cards: Ctrl-C, --resume, then a match; no line of it is out of order."""
    game = tmp_path / "five.game"
    text = (ROOT / "protocol/gamedefs/kuhn.limit.2p.game").read_text()
    game.write_text(text.replace("numRanks = 3", "numRanks = 5"))
    words = ("train", "equilibrium", "--game", "five.game", "--minimiser", "cfr", "--out", "run")
    with start(tmp_path, *words, "--minutes", "5") as process:
        for line in process.stderr:
            if "exploitability" in line:
                break
        process.send_signal(signal.SIGINT)
        said = process.stderr.read().splitlines()
    assert process.returncode == 130
    assert said[-1] == "stopped; resume with the same options and --resume"
    done = load_model(tmp_path / "run" / "model.equilibrium").provenance["iterations"]
    code, out, err = result(tmp_path, *words, "--resume", "--iterations", str(done + 10))
    assert (code, out) == (0, "")
    assert f"going on after {done:,} iterations" in err
    assert "chips that each position wins" in err
    assert "HOST PORT --game five.game --model run/model.equilibrium\n" in err
    told = json.loads((tmp_path / "run" / "model.json").read_text())
    assert told["iterations"] == done + 10
    assert len(told["commands"]) == 2
    model = ["--game", str(game), "--model", str(tmp_path / "run" / "model.equilibrium")]
    match = play_seated(tmp_path, game, 200, [[*AGENT, *model], [*AGENT, *model]])
    assert (match.warnings, match.errors, set(match.exit_codes)) == ([], ["", ""], {0})
    assert len(match.hands) == 200


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
    code, out, err = result(
        tmp_path, "match", *bots, "--game", game, "--hands", "60", "--seed", "7", "--out", "m"
    )
    assert code == 0, out + err
    logs = sorted((tmp_path / "m").glob("*.log"))
    assert logs
    assert verify(["--verify", *map(str, logs)]) == 0, capsys.readouterr()
    if game == "fixed-queen":
        hands = [line for path in logs for line in path.read_text().splitlines() if "STATE" in line]
        dealt = {re.split(r":", line)[3] for line in hands}
        assert dealt == {"Js|Qs", "Ks|Qs"}


def test_other_games_are_refused_in_a_line(tmp_path):
    """The shipped models', and a model's."""
    for words, message in (
        (["--game", "hunl"], "no equilibrium comes along for no-limit for 2 players"),
        (["--game", "leduc", "--model", str(solved_file("kuhn"))], "kuhn.equilibrium plays limit"),
        (["--game", "kuhn", "--model", str(tmp_path / "none")], "No such file"),
    ):
        code, out, err = result(tmp_path, "agent", "equilibrium", "localhost", "1", *words)
        assert out == ""
        assert code in (1, 2)
        assert message in err
        assert len(err.splitlines()) == 1
