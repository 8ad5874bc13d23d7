"""PyTorch is needed to train, not to play: all this runs in interpreters that do not have it."""

import json
import os
import subprocess
import sys

import pytest

from agents.roster import ROSTER, find_agent
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
from agents.roster import ROSTER
from protocol.gamedefs import load_builtin
hunl, leduc = map(load_builtin, ("hunl", "leduc"))
for spec in ROSTER:
    bot = spec.build()
    bot.warm_up()
    bot.start_match(hunl if spec.plays(hunl, {}) else leduc, 1)
    print(spec.name)
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
        assert "ModuleNotFoundError: No module named 'torch'" in done.stderr


@pytest.mark.parametrize(("game", "one", "other"), pairs())
def test_bots_of_every_kind_play(shell, game, one, other):
    """Over TCP, in duplicate, to the end; the logs are verified to the last card."""
    match = ("match", one, other, "--game", game, "--hands", "10", "--seed", "1")
    shell.arena(*match, "--out", "played", "--quiet")
    logs = [str(path) for path in (shell.folder / "played").glob("*.log")]
    assert len(logs) == 2
    report = json.loads(shell.arena("replay", "--verify", "--json", *logs))
    assert (report["ok"], report["hands"]) == (True, 20)


def test_every_bot_is_ready_to_play(shell):
    """All names of the roster, in one interpreter: what they load and compile needs no torch."""
    assert shell.python("-c", READY).stdout.split() == [spec.name for spec in ROSTER]


def test_a_river_is_solved(shell):
    """And can be looked at again."""
    words = "--board 4s8hTc9h2s --pot 500 --stacks 700 --oop AA,KK --ip QQ,JJ --iterations 20"
    assert "exploitability" in shell.arena("solve", *words.split(), "--out", "my.solution")
    assert "EV" in shell.arena("solve", "my.solution")


def test_a_blueprint_is_trained(shell):
    """By one process; the result is a model."""
    words = "--config leduc --workers 1 --iterations 2000 --lbr-pairs 0 --out run"
    shell.arena("train", "blueprint", *words.split())
    assert (shell.folder / "run" / "model.blueprint").exists()


def test_training_a_network_says_what_it_needs(shell):
    """Before it reads any log, if there is one: one line, exit code 1."""
    (shell.folder / "none").write_text("")
    done = shell.python("-m", "dealer.arena", "train", "statistical", "ann", "--logs", "none")
    assert done.returncode == 1
    assert done.stderr == (
        "arena train statistical: ann needs PyTorch, which is not installed: make setup, or "
        "pip install -c constraints.txt -e '.[train]'\n"
    )
    assert not (shell.folder / "runs").exists()
