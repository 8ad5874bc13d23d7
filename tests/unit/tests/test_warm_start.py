"""Programs that the warm parent forks end, speak and hear as those that the interpreter runs."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.parallel.own_programs import PACKAGES_FOLDER, environment
from tests.helpers.interpreter import INTERPRETER

pytestmark = pytest.mark.skipif(
    sys.executable == INTERPRETER, reason="only the workers of pytest -n have a warm parent"
)
ARENA = ("-P", "-m", "dealer.arena")
DEALER = (*ARENA, "dealer", "m", "kuhn", "5", "1", "A", "B")


def ended(python, *words, **options):
    """Return how a program of ours ended, and what it said."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    done = subprocess.run([python, *words], env=environment(), check=False, **(pipes | options))
    return done.returncode, done.stdout, done.stderr


def both(*words, **options):
    """Return how it ended, when both ways are the same."""
    forked, started = (ended(one, *words, **options) for one in (sys.executable, INTERPRETER))
    assert forked == started
    return forked


@pytest.fixture(scope="module", autouse=True)
def parent():
    """Until it has imported what it forks, everything is run by the interpreter."""
    until(Path(sys.executable).with_name("parent").exists)


@contextmanager
def dealing(python, folder):
    """A dealer that waits for its agents."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([python, *DEALER], cwd=folder, env=environment(), **pipes) as process:
        assert len(process.stdout.readline().split()) == 2
        yield process
        process.kill()


def until(condition):
    """Wait for something."""
    end = time.monotonic() + 100
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("words", [("--version",), ("nothing",), ("replay", "missing.log"), ()])
def test_words_and_exit_codes_are_the_same(words):
    """Help, errors and the version, in both streams."""
    assert sum(map(len, both(*ARENA, *words)[1:])) > 0


def test_streams_are_those_of_the_caller(tmp_path):
    """A full one, a closed one, an empty one to read."""
    with open("/dev/full", "w") as full:
        assert both(*ARENA, "--help", stdout=full)[0] != 0
    shell = ["sh", "-c", '"$@" >&-', "sh", sys.executable, *ARENA, "--help"]
    forked = subprocess.run(shell, env=environment(), capture_output=True, check=False)
    shell[4] = INTERPRETER
    started = subprocess.run(shell, env=environment(), capture_output=True, check=False)
    assert (forked.returncode, forked.stderr) == (started.returncode, started.stderr)
    assert both(*ARENA, "replay", "-", stdin=subprocess.DEVNULL, cwd=tmp_path)[0] != 0


def test_folder_and_environment_are_those_of_the_caller(tmp_path, monkeypatch):
    """What a command writes is in its folder; what it is told by variables it hears."""
    monkeypatch.setenv("ARENA_LANE", "sometimes")
    assert b"sometimes" in both(*DEALER, cwd=tmp_path)[2]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_are_passed_on(tmp_path, number):
    """It is the forked program that hears them, and tells."""
    endings = []
    for python in (sys.executable, INTERPRETER):
        with dealing(python, tmp_path) as dealer:
            dealer.send_signal(number)
            endings.append((dealer.wait(20), dealer.stderr.read()))
    assert endings[0] == endings[1]
    assert endings[0][0] != 0


def test_what_is_killed_is_gone(tmp_path):
    """The program as well as what stands for it."""
    with dealing(sys.executable, tmp_path) as dealer:
        assert len(in_folder(tmp_path)) == 2
        dealer.kill()
        assert dealer.wait(20) == -signal.SIGKILL
    until(lambda: not in_folder(tmp_path))


def test_other_programs_are_run_by_the_interpreter():
    """Scripts, options of the interpreter, and what wants another environment."""
    shown = [sys.executable, "-c", "import sys; print(sys.executable)"]
    assert subprocess.check_output(shown, text=True).strip() == INTERPRETER
    other = environment() | {"PYTHONUTF8": "0"}
    words = [sys.executable, *ARENA, "--version"]
    assert subprocess.check_output(words, env=other, cwd=PACKAGES_FOLDER).startswith(b"arena ")


def in_folder(folder):
    """Return the numbers of the processes that run in a folder."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{name}/cwd") == str(folder):
                found.append(int(name))
        except OSError:  # it has ended
            continue
    return found
