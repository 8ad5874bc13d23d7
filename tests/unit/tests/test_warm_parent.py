"""A warm parent whose callers or who itself is killed at a bad moment."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from engine.parallel.own_programs import environment
from tests.helpers.warm_start.starting import WarmParent

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the parent wants Linux")
COLD = (
    "-c",
    "from tests.helpers.warm_start import parent; parent.preload = lambda: None; parent.main()",
)
"""A parent that imports nothing beforehand: what it forks is the same, and it starts at once."""


@pytest.fixture
def parent(tmp_path):
    """A parent that nobody else uses."""
    found = WarmParent(tmp_path, COLD)
    until((tmp_path / "parent").exists)
    yield found
    found.end()


@contextmanager
def dealing(parent, folder):
    """A dealer that waits for its agents, in a folder of its own, and the child that it is."""
    folder.mkdir()
    before = children(parent)
    words = ("-P", "-m", "dealer.arena", "dealer", "m", "kuhn", "5", "1", "A", "B", "-q")
    options = {"cwd": folder, "env": environment(), "stdout": subprocess.PIPE}
    with subprocess.Popen([parent.program, *words], **options) as process:
        assert len(process.stdout.readline().split()) == 2
        (child,) = children(parent) - before
        yield process, child
        process.kill()


def children(parent):
    """Return the processes that a parent has forked."""
    number = parent.process.pid
    return set(map(int, Path(f"/proc/{number}/task/{number}/children").read_text().split()))


def until(condition):
    """Wait for something."""
    end = time.monotonic() + 100
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def is_gone(number):
    """Return whether there is no such process any more, dead ones aside."""
    with suppress(OSError):
        return ") Z" in Path(f"/proc/{number}/stat").read_text()
    return True


@pytest.mark.parametrize("said", [b"", b"\0\0", b"\0\0\0\x09half"])
def test_callers_killed_over_their_request_do_no_harm(parent, tmp_path, said):
    """The next program is forked as ever."""
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(str(tmp_path / "parent"))
        caller.sendall(said)
    with dealing(parent, tmp_path / "next"):
        assert parent.process.poll() is None


def test_child_and_caller_may_be_killed_at_once(parent, tmp_path):
    """When the parent hears of both, the child is gone already, and what stood for it, too."""
    with dealing(parent, tmp_path / "one") as one, dealing(parent, tmp_path / "two") as two:
        parent.process.send_signal(signal.SIGSTOP)
        for process, child in (one, two):
            os.kill(child, signal.SIGKILL)
            until(lambda child=child: is_gone(child))
            process.kill()
            process.wait(20)
        parent.process.send_signal(signal.SIGCONT)
    with dealing(parent, tmp_path / "next"):
        assert parent.process.poll() is None


def test_children_are_killed_with_their_parent(parent, tmp_path):
    """And with them what stands for them; later programs are run by the interpreter."""
    with dealing(parent, tmp_path / "one") as (process, child):
        parent.process.kill()
        assert process.wait(20) == -signal.SIGKILL
        until(lambda: is_gone(child))
    words = [parent.program, "-P", "-m", "dealer.arena", "--version"]
    assert subprocess.check_output(words, env=environment()).startswith(b"arena ")


@pytest.mark.parametrize("number", [None, signal.SIGTERM])
def test_a_parent_killed_over_a_request_is_not_needed(parent, number):
    """The interpreter does it; a signal that has come meanwhile is heard."""
    parent.process.send_signal(signal.SIGSTOP)
    words = [parent.program, "-P", "-m", "dealer.arena", "--version"]
    with subprocess.Popen(words, env=environment(), stdout=subprocess.PIPE) as process:
        until(lambda: hears(process.pid, signal.SIGTERM))
        if number:
            process.send_signal(number)
        parent.process.kill()
        assert process.wait(100) == (-number if number else 0)
        assert process.stdout.read().startswith(b"" if number else b"arena ")


def hears(number, what):
    """Return whether a process has a handler for a signal."""
    status = Path(f"/proc/{number}/status").read_text()
    return bool(int(status.partition("SigCgt:")[2].split()[0], 16) >> (what - 1) & 1)
