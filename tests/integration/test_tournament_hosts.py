"""`arena tournament` on several hosts: torchrun, torch.distributed's store, kills, cables."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from dealer.commands.tournament import main
from engine.parallel.own_programs import environment
from tests.helpers.said import says
from tests.helpers.two_hosts import two_hosts

pytest.importorskip("torch")
ROOT = Path(__file__).resolve().parents[2]
SCRIPTED = ROOT / "tests" / "helpers" / "scripted_bot.py"
CALLER = f"{sys.executable} -S -E {SCRIPTED}"
WATCHED = f"/bin/sh -c 'echo $PPID >> who; exec {CALLER} \"$@\"' sh"
"""A caller that writes down which process has started it."""
TORCHRUN = (sys.executable, "-m", "torch.distributed.run")


def launch(folder, *words, before=()):
    """Start torchrun in a folder and a process group of its own."""
    folder.mkdir(exist_ok=True)
    return subprocess.Popen(
        [*before, *TORCHRUN, *words],
        cwd=folder,
        env=environment() | {"OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def free_port():
    """Return a port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class TwoHosts:
    """Two launchers, each with one process of the tournament; gone at the end of the block."""

    def __init__(self, folder, *words, address="127.0.0.1", befores=((), ()), others=None):
        port = free_port()
        self.folders = [folder / "first", folder / "second"]
        self.launchers = [
            launch(
                home, "--nnodes", "2", "--nproc-per-node", "1", "--node-rank", str(rank),
                "--master-addr", address, "--master-port", str(port),
                "-m", "dealer.arena", "tournament", *asked,
                before=before,
            )
            for rank, (home, before, asked) in enumerate(
                zip(self.folders, befores, (words, others or words), strict=True)
            )
        ]  # fmt: skip

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for launcher in self.launchers:
            if launcher.poll() is None:
                os.killpg(launcher.pid, signal.SIGKILL)
                for one in psutil.Process(launcher.pid).children(recursive=True):
                    one.kill()
            launcher.communicate()

    def process(self, rank):
        """Return the process of the tournament that a launcher has started."""
        found = wait_for(
            lambda: [
                one
                for one in psutil.Process(self.launchers[rank].pid).children(recursive=True)
                if "dealer.arena" in one.cmdline()
            ]
        )
        return found[0]

    def played_by(self, rank, bots=2):
        """Wait until a host plays a leg."""
        process = self.process(rank)
        wait_for(
            lambda: len([one for one in process.children() if "scripted" in text(one)]) >= bots
        )
        return process

    def said(self, rank, seconds=300):
        """Return what a launcher printed, once it has ended."""
        return self.launchers[rank].communicate(timeout=seconds)[0]


def text(process):
    """Return a command line, "" of a process that has just ended."""
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def wait_for(happened, seconds=300):
    """Return what is waited for."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := happened():
            return found
        time.sleep(0.02)
    return pytest.fail("it did not happen")


def ledger_of(folder):
    """Return the lines of a ledger without regard to the order in which legs ended."""
    return sorted((folder / "ledger.jsonl").read_text(encoding="utf-8").splitlines())


def words_of(hands, *more):
    """Return the arguments of a round-robin of three callers."""
    bots = [f"{label}={CALLER}" for label in "abc"]
    return [*bots, "--hands", str(hands), "--seed", "4", "--jobs", "1", "--out", "t", *more]


def alone(folder, hands, *more):
    """Return the ledger of the same tournament on one host."""
    folder.mkdir()
    words = words_of(hands, "--quiet", *more)
    words[words.index("t")] = str(folder / "t")
    assert main(words) == 0
    return ledger_of(folder / "t")


@pytest.mark.slow
def test_two_processes_play_one_tournament(tmp_path, monkeypatch):
    """The same legs, logs and chips as in one process, and both play."""
    bots = [f"a={WATCHED}", f"b={WATCHED}", f"c={CALLER}"]
    words = [*bots, "--style", "gauntlet", "--hands", "40", "--seed", "4", "--jobs", "1"]
    folders = [tmp_path / name for name in ("one", "two")]
    folders[0].mkdir()
    monkeypatch.chdir(folders[0])
    assert main([*words, "--out", "t", "--quiet"]) == 0
    two = launch(
        folders[1], "--standalone", "--nproc-per-node", "2",
        "-m", "dealer.arena", "tournament", *words, "--out", "t",
    )  # fmt: skip
    output = two.communicate(timeout=300)[0]
    assert two.returncode == 0, output
    assert "joins, 1 leg at once" in output
    whole, shared = (ledger_of(folder / "t") for folder in folders)
    assert whole == shared
    assert len(shared) == 5
    files = [sorted(path.name for path in f.glob("t/pairings/*/*")) for f in folders]
    assert files[0] == files[1]
    tables = [(f / "t" / "standings.txt").read_text(encoding="utf-8") for f in folders]
    assert tables[0] == tables[1]
    assert tables[0] in output
    starters = [set((folder / "who").read_text().split()) for folder in folders]
    assert [len(who) for who in starters] == [1, 2]


@pytest.mark.slow
def test_a_host_that_dies_gives_its_legs_back(tmp_path):
    """The other one ends the tournament as if nothing had happened."""
    with TwoHosts(tmp_path, *words_of(1000)) as hosts:
        hosts.played_by(1).kill()
        done = tmp_path / "first" / "t" / "standings.json"
        wait_for(done.exists)
        wait_for(lambda: hosts.launchers[1].poll() is not None)
        assert hosts.launchers[1].returncode == 1
        os.killpg(hosts.launchers[0].pid, signal.SIGINT)  # torchrun waits for the dead
        output = hosts.said(0)
    says(output, "silent", "20 s", "play again: 1")
    assert json.loads(done.read_text(encoding="utf-8"))["legs"] == 6
    assert ledger_of(tmp_path / "first" / "t") == alone(tmp_path / "alone", 1000)
    assert not (tmp_path / "second" / "t").exists()


@pytest.mark.slow
def test_without_the_first_host_nothing_is_lost(tmp_path):
    """The other one says so in a line, leaves no process, and both resume it."""
    with TwoHosts(tmp_path, *words_of(1000)) as hosts:
        second = hosts.played_by(1)
        hosts.process(0).kill()
        output = hosts.said(1)
        assert hosts.launchers[1].returncode == 1
        (line,) = [one for one in output.splitlines() if one.startswith("arena tournament:")]
        says(line, "first host", "gone")
        assert not second.is_running()
    with TwoHosts(tmp_path, "--resume", "t", "--jobs", "1") as hosts:
        output = hosts.said(0)
        assert hosts.launchers[0].wait() == 0, output
        assert "joins" in output
        assert hosts.launchers[1].wait() == 0
    ours = [json.loads(line) for line in ledger_of(tmp_path / "first" / "t")]
    whole = [json.loads(line) for line in alone(tmp_path / "alone", 1000)]
    for one in (*ours, *whole):
        one.pop("sha256", None)  # the log of a leg that was resumed says so in a comment
    assert ours == whole


@pytest.mark.slow
@pytest.mark.parametrize("rank", [0, 1])
def test_ctrl_c_is_clean_on_any_host(tmp_path, rank):
    """The other one ends or goes on, no hand is lost, nobody waits."""
    with TwoHosts(tmp_path, *words_of(1000)) as hosts:
        hosts.played_by(1)
        hosts.process(rank).send_signal(signal.SIGINT)
        if rank == 1:
            wait_for((tmp_path / "first" / "t" / "standings.json").exists)
            wait_for(lambda: hosts.launchers[1].poll() is not None)
            os.killpg(hosts.launchers[0].pid, signal.SIGINT)  # torchrun waits for who has left
        outputs = [hosts.said(0), hosts.said(1)]
    assert not [output for output in outputs if "tournament.py" in output]
    folder = tmp_path / "first" / "t"
    if rank == 0:
        says(outputs[0], "arena tournament --resume t")
        assert list(folder.glob("pairings/*/*.tlog"))
        assert main(["--resume", str(folder), "--quiet"]) == 0
    else:
        assert "play again: 0" not in outputs[0]
        says(outputs[0], "was stopped")
    assert len(ledger_of(folder)) == 7


@pytest.mark.slow
def test_a_host_that_asks_for_something_else_is_refused(tmp_path):
    """In one line there and one line here; the first one plays alone."""
    others = [word.replace("a=", "x=") for word in words_of(800)]
    with TwoHosts(tmp_path, *words_of(800), others=others) as hosts:
        output = hosts.said(1)
        assert hosts.launchers[1].returncode == 1
        (line,) = [one for one in output.splitlines() if one.startswith("arena tournament:")]
        says(line, "bots: a=", "x=", "first host")
        wait_for((tmp_path / "first" / "t" / "standings.json").exists)
        os.killpg(hosts.launchers[0].pid, signal.SIGINT)
        says(hosts.said(0), "another tournament")


@pytest.mark.slow
def test_two_machines_play_one_tournament(tmp_path):
    """In network namespaces, without a common folder; the logs are those of one machine."""
    with (
        two_hosts("legs", "10.213.78") as (address, befores),
        TwoHosts(tmp_path, *words_of(600), address=address, befores=befores) as hosts,
    ):
        output = hosts.said(0)
        assert hosts.launchers[0].wait() == 0, output
        assert hosts.launchers[1].wait() == 0
    assert "joins, 1 leg at once" in output
    assert ledger_of(tmp_path / "first" / "t") == alone(tmp_path / "alone", 600)
    assert not (tmp_path / "second" / "t").exists()
