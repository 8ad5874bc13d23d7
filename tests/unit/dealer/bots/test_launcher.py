"""Processes that are started are also ended, whoever goes first."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from dealer.bots.processes import ProcessLauncher
from engine.parallel.own_programs import environment

SLEEP = ("/bin/sleep", "600")


def run(folder, body):
    """Run the coroutine function `body(launcher, start)` within ten seconds."""

    async def main():
        async with asyncio.timeout(10), ProcessLauncher() as launcher:

            async def start(*argv, **options):
                options = {"cwd": folder, "env": os.environ, "stderr": folder / "err", **options}
                return await launcher.start("it", argv, **options)

            return await body(launcher, start)

    return asyncio.run(main())


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


def test_program_runs_with_its_arguments_and_without_input(tmp_path):
    """Output is readable or in a file, error output is added to its file, input is empty."""

    async def body(_, start):
        (tmp_path / "err").write_text("before\n")
        script = 'cat; pwd; echo "$1" "$X"; echo oops >&2'
        child = await start("/bin/sh", "-c", script, "sh", "a  b", env={"X": "y"})
        text = await child.stdout.read()
        status = await child.wait()
        other = await start("/bin/sh", "-c", "echo out; exit 3", stdout=tmp_path / "out")
        await other.wait()
        with pytest.raises(ValueError, match="file"):
            _ = other.stdout
        return text.decode(), status, other.status

    text, status, other = run(tmp_path, body)
    assert text == f"{tmp_path}\na  b y\n"
    assert (status, other) == (0, 3)
    assert (tmp_path / "err").read_text() == "before\noops\n"
    assert (tmp_path / "out").read_text() == "out\n"


def test_missing_program_is_an_exit_status_with_a_message(tmp_path):
    """Like a shell: 127 and a line on its error output."""

    async def body(_, start):
        return await (await start("./nowhere")).wait()

    assert run(tmp_path, body) == 127
    assert "nowhere" in (tmp_path / "err").read_text()


def test_process_leads_its_own_session(tmp_path):
    """A Ctrl-C at the terminal must reach the match runner alone."""

    async def body(_, start):
        child = await start(*SLEEP)
        session = os.getsid(child.pid)
        await child.end(0)
        return session == child.pid, child.status, child.was_stopped

    assert run(tmp_path, body) == (True, -signal.SIGTERM, True)


def test_end_takes_helpers_along(tmp_path):
    """Also helpers of a program that has ended in good order."""

    async def body(_, start):
        child = await start("/bin/sh", "-c", "sleep 600 & echo $!")
        helper = int(await child.stdout.readline())
        await child.wait()
        lived = child.group_lives
        await child.end(0)
        return lived, gone(helper), child.status, child.was_stopped

    assert run(tmp_path, body) == (True, True, 0, False)


def test_end_kills_what_will_not_end(tmp_path, monkeypatch):
    """SIGTERM is a request; SIGKILL is not."""
    monkeypatch.setattr("dealer.bots.processes._SIGTERM_WAIT_SECONDS", 0.2)

    async def body(_, start):
        child = await start("/bin/sh", "-c", "trap '' TERM; echo ready; while :; do sleep 9; done")
        await child.stdout.readline()
        await child.end(0)
        await child.end(0)
        return child.status

    assert run(tmp_path, body) == -signal.SIGKILL


def test_end_is_patient_first(tmp_path):
    """A program that is about to end gets the time for it."""

    async def body(_, start):
        child = await start("/bin/sh", "-c", "sleep 0.1; exit 5")
        await child.end(5)
        return child.status, child.was_stopped

    assert run(tmp_path, body) == (5, False)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="needs processor affinity")
def test_pinned_process_stays_on_its_core(tmp_path):
    """Helpers inherit it."""
    core = min(os.sched_getaffinity(0))

    async def body(_, start):
        child = await start(*SLEEP, core=core)
        cores = os.sched_getaffinity(child.pid)
        await child.end(0)
        return cores

    assert run(tmp_path, body) == {core}


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
