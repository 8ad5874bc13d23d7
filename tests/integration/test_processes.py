"""Work handed out to real processes: in order, and nobody works on when the first one has gone."""

import subprocess
import sys
import time

import psutil

from engine.processes import in_order

SLEEPING = """
import os, time
from engine.processes import in_order

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


def test_processes_end_with_the_one_that_started_them(tmp_path):
    """Though it was killed and could tell nobody."""
    script = tmp_path / "sleeping.py"
    script.write_text(SLEEPING)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout.readline().strip().isdigit()
        others = psutil.Process(first.pid).children()
        assert len(others) >= 2
        first.kill()
    deadline = time.monotonic() + 60
    while any(map(works, others)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(map(works, others))
