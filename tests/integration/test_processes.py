"""Work handed out to real processes: in order, and nobody works on when the first one has gone."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from engine.parallel.processes import in_order

SLEEPING = """
import os, time
from engine.parallel.processes import in_order

def start():
    return work

def work(seconds):
    time.sleep(seconds)
    return os.getpid()

if __name__ == "__main__":
    for pid in in_order(start, (), [0.0, 0.0, 600.0, 600.0], 2):
        print(pid, flush=True)
"""


def works(process):
    """Whether it is there, and not only waited for."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def times(factor):
    """What a process multiplies its tasks with."""
    return factor.__mul__


def test_results_come_in_the_order_of_the_tasks():
    """By one process and by two."""
    for workers in (1, 2):
        assert list(in_order(times, (3,), range(20), workers)) == list(range(0, 60, 3))


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_processes_end_with_the_one_that_started_them(tmp_path, how):
    """Though it was killed and could tell nobody, or was left with tasks in line."""
    script = tmp_path / "sleeping.py"
    script.write_text(SLEEPING)
    with subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as first:
        assert first.stdout.readline().strip().isdigit()
        others = psutil.Process(first.pid).children()
        assert len(others) >= 2
        if how == signal.SIGINT:
            os.killpg(first.pid, how)  # as a terminal does: all of them hear it
        else:
            first.send_signal(how)
        first.wait(60)
        deadline = time.monotonic() + 60
        while any(map(works, others)) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not any(map(works, others))
        assert first.stderr.read().count("Traceback") == (how == signal.SIGINT)


def test_a_task_that_fails_ends_the_others():
    """With what it raised, although others would go on for minutes."""
    with pytest.raises(ZeroDivisionError):
        list(in_order(failing, (), [0.0, 600.0], 2))


def failing():
    """Works on the first task by failing, on others by sleeping."""

    def work(seconds):
        if not seconds:
            raise ZeroDivisionError
        time.sleep(seconds)

    return work


def test_whoever_wants_no_more_need_not_wait():
    """The results that are there are enough."""
    results = in_order(sleeping, (), [0.0, 0.0, 600.0, 600.0, 600.0], 2)
    assert next(results) == 0.0
    results.close()


def sleeping():
    """Works on a task by sleeping."""

    def work(seconds):
        time.sleep(seconds)
        return seconds

    return work
