"""PyTorch is needed to train, not to play: all this runs in interpreters that do not have it."""

import json
import os
import subprocess
import sys

import pytest

from agents.roster.bots import ROSTER, find_agent
from engine.parallel.own_programs import environment
from protocol.gamedefs import load_builtin

NO_TORCH = '''\
"""Run by every interpreter that finds it on its path, before anything else."""

import sys


class NoTorch:
    """Finds no torch, whatever is installed."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, NoTorch)
'''

IN_A_CHILD = """\
import subprocess, sys
sys.exit(subprocess.call([sys.executable, "-c", "import torch"]))
"""

READY = """\
from agents.roster.bots import ROSTER
from protocol.gamedefs import load_builtin
games = list(map(load_builtin, ("hunl", "hulhe", "leduc")))
for spec in ROSTER:
    bot = spec.build()
    bot.warm_up()
    bot.start_match(next(game for game in games if spec.plays(game, {})), 1)
    print(spec.name)
"""

LEGS = """\
import json, sys
from agents.roster.leg_player import leg_lines, LegSeat
for game, *bots in json.loads(sys.argv[1]):
    seats = [LegSeat(str(seat), bot, 1) for seat, bot in enumerate(bots)]
    *hands, score = leg_lines(load_builtin(game), 2, 1, seats)
    print(len(hands))
"""

FAMILIES = {spec.factory: spec.name for spec in reversed(ROSTER)}
"""One bot of each kind, by what makes it."""


def pairs():
    """Return the families two by two, with a game that both play.

    No-limit hold'em, or Leduc hold'em for those that play small games only; the first one of each
    plays again where one is left over.
    """
    hunl = load_builtin("hunl")
    of_game = {"hunl": [], "leduc": []}
    for name in FAMILIES.values():
        of_game["hunl" if find_agent(name).plays(hunl, {}) else "leduc"].append(name)
    for names in of_game.values():
        names += names[: len(names) % 2]
    return [
        (game, *names[seat : seat + 2])
        for game, names in of_game.items()
        for seat in range(0, len(names), 2)
    ]


class TorchlessShell:
    """Runs programs in a folder, in interpreters that find no torch; their children neither."""

    def __init__(self, folder):
        self.folder = folder
        path = folder / "path"
        path.mkdir()
        (path / "sitecustomize.py").write_text(NO_TORCH)
        self._path = os.pathsep.join([str(path), environment()["PYTHONPATH"]])

    def python(self, *words):
        """Run the interpreter to its end."""
        return subprocess.run(
            [sys.executable, *words],
            env={**os.environ, "PYTHONPATH": self._path},
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=250,
        )

    def arena(self, *words):
        """Run a command that has to end well; return what it prints."""
        done = self.python("-m", "dealer.arena", *words)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture
def shell(tmp_path):
    """A place without torch."""
    return TorchlessShell(tmp_path)


def test_there_is_no_torch(shell):
    """Neither here nor in processes that are started from here: the other tests show something."""
    for code in ("import torch", IN_A_CHILD):
        done = shell.python("-c", code)
        assert done.returncode == 1
        assert "ModuleNotFoundError" in done.stderr
        assert "'torch'" in done.stderr


def test_every_bot_is_ready_and_each_kind_plays(shell):
    """All names of the roster, in one interpreter; then a leg of every kind, to its end."""
    done = shell.python("-c", READY + LEGS, json.dumps(pairs()))
    assert done.returncode == 0, done.stderr
    names = [spec.name for spec in ROSTER]
    assert done.stdout.split() == names + ["2"] * len(pairs())


def test_a_match_is_played_and_verified(shell):
    """Over TCP: a dealer, a network and a bot that plays by rules."""
    match = ("match", "cnn", "rule", "--game", "hunl", "--hands", "5", "--seed", "1")
    shell.arena(*match, "--no-duplicate", "--out", "played", "--quiet")
    (log,) = (shell.folder / "played").glob("*.log")
    report = json.loads(shell.arena("replay", "--verify", "--json", str(log)))
    assert (report["ok"], report["hands"]) == (True, 5)


@pytest.mark.slow
def test_a_river_is_solved(shell):
    """And can be looked at again."""
    words = "--board 4s8hTc9h2s --pot 500 --stacks 700 --oop AA,KK --ip QQ,JJ --iterations 20"
    assert "exploitability" in shell.arena("solve", *words.split(), "--out", "my.solution")
    assert "EV" in shell.arena("solve", "my.solution")


def test_a_blueprint_is_trained(shell):
    """By one process; the result is a model."""
    words = "--config leduc --workers 1 --iterations 100 --lbr-pairs 0 --out run"
    shell.arena("train", "blueprint", *words.split())
    assert (shell.folder / "run" / "model.blueprint").exists()


def test_training_a_network_says_what_it_needs(shell):
    """Before it reads any log, if there is one: one line, exit code 1."""
    (shell.folder / "none").write_text("")
    done = shell.python("-m", "dealer.arena", "train", "statistical", "ann", "--logs", "none")
    assert done.returncode == 1
    assert done.stderr.startswith("arena train statistical: ")
    assert all(word in done.stderr for word in ("PyTorch", "make setup", "'.[train]'"))
    assert done.stderr.count("\n") == 1
    assert not (shell.folder / "runs").exists()
