"""Tournaments played by other processes: of this machine, and by Dask's workers on two hosts."""

import json
import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil
import pytest

from dealer.commands.tournament import main
from engine.parallel import cluster
from engine.parallel.executors import PlainPool
from engine.parallel.own_programs import PACKAGES_FOLDER, environment
from tests.helpers.said import says
from tests.helpers.two_hosts import two_hosts

CHARACTERS = Path(__file__).resolve().parents[1] / "helpers" / "characters.py"
PORT = 28786
WORDS = ("always-call", "always-fold", "uniform-random")
PLAY = ("--game", "kuhn", "--hands", "30", "--seed", "4", "--in-process")


def played_here(folder, *more):
    """Play the tournament on this machine; return its folder."""
    assert main([*WORDS, *PLAY, "--out", str(folder), "--quiet", *more]) == 0
    return folder


def content(folder):
    """Return a tournament's files but for who played it: the ledger in any order, no record."""
    files = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "standings.html"
    }
    files["ledger.jsonl"] = sorted(files["ledger.jsonl"].splitlines())
    standings = json.loads(files["standings.json"])
    for record in ("command", "cluster"):
        standings.pop(record, None)
    return files | {"standings.json": standings}


def test_processes_play_what_one_machine_plays(tmp_path, capfd):
    """To the byte; the end says how fast they are, and that some was played again, as drawn."""
    here = played_here(tmp_path / "here")
    there = played_here(tmp_path / "there", "--executor", "processes", "--jobs", "1")
    assert content(there) == content(here)
    says(capfd.readouterr().out, "M evaluations/s, results 6", "done again at home, the same")
    cluster = json.loads((there / "standings.json").read_text())["cluster"]
    assert [worker["results"] for worker in cluster["workers"]] == [6]


def test_a_scheduler_that_cannot_be_reached_is_told_in_a_line(tmp_path, capsys):
    """With the command that plays what is left."""
    pytest.importorskip("distributed")
    words = [*WORDS, *PLAY, "--out", str(tmp_path / "t"), "--executor", "dask:foo://10.0.0.1"]
    assert main(words) == 1
    says(capsys.readouterr().err, "no Dask scheduler answers at foo://10.0.0.1", "--resume ")


def test_workers_that_fail_are_told_in_a_line(tmp_path, capsys, monkeypatch):
    """With the command that plays what is left."""

    @contextmanager
    def threads(*_):
        with ThreadPoolExecutor(1) as executor:
            yield PlainPool(executor, 1)

    def fail(*_):
        raise CancelledError

    monkeypatch.setattr(cluster, "pool_called", threads)
    monkeypatch.setattr(cluster, "done_here", fail)
    assert main([*WORDS, *PLAY, "--out", str(tmp_path / "t"), "--executor", "processes"]) == 1
    says(capsys.readouterr().err, "the scheduler is gone; arena tournament --resume ")


class Network:
    """A Dask scheduler on the first of two hosts, and workers on both."""

    def __init__(self, address, befores, folder, stack):
        self.address = f"tcp://{address}:{PORT}"
        self.befores = befores
        self.folder = folder
        self.ledger = folder / "t" / "ledger.jsonl"
        self._stack = stack
        self._dask(0, "scheduler", "--host", address, "--port", str(PORT), "--no-show")

    def worker(self, host, character="", packages=PACKAGES_FOLDER):
        """Start a worker; return its process."""
        variables = {
            "ARENA_CHARACTER": character,
            "ARENA_LEDGER": str(self.ledger),
            "ARENA_LINES": "5",
            "PYTHONPATH": f"{packages}{os.pathsep}{PACKAGES_FOLDER}",
        }
        words = ["--nthreads", "1", "--no-nanny", "--local-directory", str(self.folder / "dask")]
        words += ["--preload", str(CHARACTERS)] * bool(character)
        return self._dask(host, "worker", self.address, *words, variables=variables)

    def _dask(self, host, what, *words, variables=()):
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", "--no-dashboard"]
        process = subprocess.Popen(
            [*self.befores[host], *command, *words],
            cwd=self.folder,
            env=environment() | dict(variables),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._stack.callback(end, process)
        return process

    def tournament(self, *more):
        """Begin the tournament on the first host; return its process."""
        words = [*WORDS, *PLAY, "--out", "t", "--executor", f"dask:{self.address}", *more]
        process = subprocess.Popen(
            [*self.befores[0], sys.executable, "-m", "dealer.arena", "tournament", *words],
            cwd=self.folder,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self._stack.callback(end, process)
        return process


def end(process):
    """Kill a process and its group."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


@contextmanager
def network(folder, name, numbers):
    """Yield a scheduler in a folder, on the first of two hosts."""
    pytest.importorskip("distributed")
    with ExitStack() as stack:
        address, befores = stack.enter_context(two_hosts(name, numbers))
        yield Network(address, befores, folder, stack)


def lines_until(process, *wanted):
    """Read what a process says until a line has each of the words; return all of it."""
    said = []
    while wanted:
        line = process.stdout.readline()
        assert line, "".join(said)
        said.append(line)
        wanted = [word for word in wanted if word not in line]
    return "".join(said)


@pytest.mark.slow
def test_two_hosts_play_what_one_plays(tmp_path, monkeypatch):
    """One worker is killed in its leg, one is slow, one of another version: all is as at home."""
    packages = tmp_path / "other"
    packages.mkdir()
    for package in ("protocol", "dealer", "agents"):
        (packages / package).symlink_to(PACKAGES_FOLDER / package)
    shutil.copytree(PACKAGES_FOLDER / "engine", packages / "engine")
    with (packages / "engine" / "errors.py").open("a") as file:
        file.write("# another version\n")
    with network(tmp_path, "exec", "10.213.91") as hosts:
        doomed = hosts.worker(1, "doomed")
        tournament = hosts.tournament("--quiet")
        said = lines_until(tournament, "takes part")
        while not hosts.ledger.with_suffix(".doomed").exists():
            assert tournament.poll() is None
        hosts.worker(1, "slow")
        said += lines_until(tournament, "takes part")
        hosts.worker(0, packages=packages)
        said += lines_until(tournament, "is refused")
        hosts.worker(0)
        said += lines_until(tournament, "takes part")
        psutil.Process(doomed.pid).kill()
        said += tournament.communicate()[0]
        assert tournament.returncode == 0, said
    says(said, "is refused: it runs ", "is gone; others do what it was at", "M evaluations/s")
    hosts.ledger.with_suffix(".doomed").unlink()
    monkeypatch.chdir(tmp_path)
    assert content(tmp_path / "t") == content(played_here(tmp_path / "here"))
    workers = json.loads((tmp_path / "t" / "standings.json").read_text())["cluster"]["workers"]
    assert sorted(worker["results"] for worker in workers) == [0, 1, 5]


@pytest.mark.slow
def test_a_worker_that_lies_is_found(tmp_path):
    """By its first leg, which is played at home too; nothing of it is kept."""
    with network(tmp_path, "lies", "10.213.92") as hosts:
        hosts.worker(1, "liar")
        tournament = hosts.tournament("--quiet")
        said = tournament.communicate()[0]
        assert tournament.returncode == 1
    says(said, "sent another leg ", "from line ", "it lies", "results taken from it before: 0")
    assert not [*tmp_path.glob("t/pairings/*/*.log")]
