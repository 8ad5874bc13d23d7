"""`arena equity` as its users meet it: a process, a terminal, Ctrl-C."""

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import dealer
from tests.helpers.said import says

ROOT = Path(dealer.__file__).parent.parent
ENDLESS = ["AA", "KK", "QQ", "--samples", "10000000000"]


def start(*words, **options):
    """Start the command."""
    return subprocess.Popen(
        [sys.executable, "-m", "dealer.arena", "equity", *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        **options,
    )


def test_result_goes_to_stdout_and_nothing_to_a_stderr_that_is_no_terminal():
    """Exit code 0."""
    with start("AhKh", "--board=Ts9s2d", stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, b"")
    says(out.decode().splitlines()[0], "Ts9s2d", "exact", 990)
    assert out.count(b"\n") == 4


def test_terminal_shows_progress_and_control_c_ends_it():
    """The line is wiped out; no traceback, exit code 130."""
    ours, its = pty.openpty()
    with start(*ENDLESS, stdout=subprocess.PIPE, stderr=its) as process:
        os.close(its)
        seen = b""
        deadline = time.monotonic() + 120
        while seen.count(b"counting ... 0%") < 2 and time.monotonic() < deadline:
            seen += os.read(ours, 1000)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert seen.count(b"counting ... 0%") >= 2
    rest = os.read(ours, 10000)
    os.close(ours)
    assert rest.endswith(b"\r\x1b[K")
    assert b"Traceback" not in seen + rest


INTERRUPTED_OFTEN = """
import os, signal, threading, time
import numpy as np
from engine.equity import sampling
from engine.hands.cards import COMBOS

ranges, rng = [np.ones(COMBOS)] * 3, np.random.default_rng(1)
sampling.sampled_equity(ranges, [], 10, rng)
sampling._DEALS_AT_ONCE = 1  # so that kernels are called nearly all the time
begun = threading.Event()

def interrupt():
    for _ in range(300):
        begun.wait()
        begun.clear()
        time.sleep(0.002)
        os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
for _ in range(300):
    try:
        begun.set()
        sampling.sampled_equity(ranges, [], 10**9, rng)
    except KeyboardInterrupt:
        pass
print("alive")
"""


def test_control_c_may_come_while_a_generator_is_handed_to_a_kernel():
    """There numba crashes when an exception is raised."""
    words = [sys.executable, "-c", INTERRUPTED_OFTEN]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(words, env=environment, capture_output=True, timeout=120, text=True)
    assert (ended.returncode, ended.stdout) == (0, "alive\n"), ended.stderr
