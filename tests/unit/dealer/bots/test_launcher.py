"""Processes that are started are also ended, whoever goes first."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest

from dealer.bots.processes import ProcessLauncher
from engine.parallel.own_programs import environment

SLEEP = ("/bin/sleep", "600")


@asynccontextmanager
async def starting(folder):
    """Yield what starts programs, for ten seconds at most."""
    async with asyncio.timeout(10), ProcessLauncher() as launcher:

        def start(*argv, **options):
            options = {"cwd": folder, "env": os.environ, "stderr": folder / "err", **options}
            return launcher.start("it", argv, **options)

        yield start


def gone(pid, seconds=30.0):
    """Whether a process ends (a zombie counts) within some seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    return False


async def test_program_runs_with_its_arguments_and_without_input(tmp_path):
    """Output is readable or in a file, error output is added to its file, input is empty."""
    (tmp_path / "err").write_text("before\n")
    script = 'cat; pwd; echo "$1" "$X"; echo oops >&2'
    async with starting(tmp_path) as start:
        child = await start("/bin/sh", "-c", script, "sh", "a  b", env={"X": "y"})
        assert (await child.stdout.read()).decode() == f"{tmp_path}\na  b y\n"
        assert await child.wait() == 0
        other = await start("/bin/sh", "-c", "echo out; exit 3", stdout=tmp_path / "out")
        assert await other.wait() == other.status == 3
        with pytest.raises(ValueError, match="file"):
            _ = other.stdout
    assert (tmp_path / "err").read_text() == "before\noops\n"
    assert (tmp_path / "out").read_text() == "out\n"


async def test_missing_program_is_an_exit_status_with_a_message(tmp_path):
    """Like a shell: 127 and a line on its error output."""
    async with starting(tmp_path) as start:
        assert await (await start("./nowhere")).wait() == 127
    assert "nowhere" in (tmp_path / "err").read_text()


async def test_process_leads_its_own_session(tmp_path):
    """A Ctrl-C at the terminal must reach the match runner alone."""
    async with starting(tmp_path) as start:
        child = await start(*SLEEP)
        assert os.getsid(child.pid) == child.pid
        await child.end(0)
        assert (child.status, child.was_stopped) == (-signal.SIGTERM, True)


async def test_end_takes_helpers_along(tmp_path):
    """Also helpers of a program that has ended in good order."""
    async with starting(tmp_path) as start:
        child = await start("/bin/sh", "-c", "sleep 600 & echo $!")
        helper = int(await child.stdout.readline())
        await child.wait()
        assert child.group_lives
        await child.end(0)
        assert gone(helper)
        assert (child.status, child.was_stopped) == (0, False)


async def test_end_kills_what_will_not_end(tmp_path, monkeypatch):
    """SIGTERM is a request; SIGKILL is not."""
    monkeypatch.setattr("dealer.bots.processes._SIGTERM_WAIT_SECONDS", 0.2)
    script = "trap '' TERM; echo ready; while :; do sleep 9; done"
    async with starting(tmp_path) as start:
        child = await start("/bin/sh", "-c", script)
        await child.stdout.readline()
        await child.end(0)
        await child.end(0)
        assert child.status == -signal.SIGKILL


async def test_end_is_patient_first(tmp_path):
    """A program that is about to end gets the time for it."""
    async with starting(tmp_path) as start:
        child = await start("/bin/sh", "-c", "sleep 0.1; exit 5")
        await child.end(5)
        assert (child.status, child.was_stopped) == (5, False)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="needs processor affinity")
async def test_pinned_process_stays_on_its_core(tmp_path):
    """Helpers inherit it."""
    core = min(os.sched_getaffinity(0))
    async with starting(tmp_path) as start:
        child = await start(*SLEEP, core=core)
        assert os.sched_getaffinity(child.pid) == {core}
        await child.end(0)


def test_killed_runner_leaves_no_process_behind(tmp_path):
    """kill -9 of the runner ends programs and their helpers, wherever those have gone.

    Also those that ignore SIGTERM.
    """
    script = f"""
import asyncio, os, sys
from pathlib import Path
from dealer.bots.processes import ProcessLauncher
async def main():
    async with ProcessLauncher() as launcher:
        mark = {{**os.environ, "ARENA_LEG": f"{{launcher.token}}.leg"}}
        for first in ("", "trap '' TERM; ", "setsid "):
            child = await launcher.start(
                "x", ["/bin/sh", "-c", first + "sleep 600 & echo $!; wait; sleep 600"],
                cwd=Path("."), env=mark, stderr=Path({str(tmp_path / "err")!r}))
            print(child.pid, (await child.stdout.readline()).decode().strip(), flush=True)
        gone = await launcher.start("x", ["/bin/true"], cwd=Path("."), env=os.environ,
            stderr=Path({str(tmp_path / "err")!r}))
        await gone.end(5)
        await asyncio.sleep(600)
asyncio.run(main())
"""
    runner = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, env=environment(), text=True
    )
    pids = [int(word) for _ in range(3) for word in runner.stdout.readline().split()]
    assert all(psutil.pid_exists(pid) for pid in pids)
    runner.kill()
    runner.communicate()
    assert all(gone(pid) for pid in pids)


def test_our_programs_find_our_packages(tmp_path):
    """Wherever they are started, whatever lies there."""
    (tmp_path / "dealer.py").write_text("raise SystemExit(9)")
    found = subprocess.run(
        [sys.executable, "-P", "-c", "import dealer.server.endings as e; print(e.__file__)"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(found.stdout.strip()).parent == Path(__file__).parents[4] / "dealer" / "server"
