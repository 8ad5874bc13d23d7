"""`arena solve` as its users meet it: a process, files, a terminal, Ctrl-C."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import dealer
from tests.helpers.said import says, says_in_a_line
from tests.helpers.solving import FORECAST

ROOT = Path(dealer.__file__).parent.parent
RIVER = ["--board=4s8hTc9h2s", "--pot=500", "--stacks=700", "--oop=AA,KK,76s", "--ip=QQ,AKs"]
ENDLESS = [*RIVER, "--oop=random", "--ip=random", "--accuracy=1e-30"]
"""Single precision does not come that close."""
SECONDS = 120


def start(*words, **options):
    """Start the command."""
    return subprocess.Popen(
        [sys.executable, "-m", "dealer.arena", "solve", *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        **options,
    )


def result(*words, **options):
    """Exit code, stdout and stderr of a run."""
    with start(*words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options) as process:
        out, err = process.communicate(timeout=SECONDS)
    return process.returncode, out.decode(), err.decode()


def test_result_goes_to_stdout_and_what_it_takes_to_stderr(tmp_path):
    """Exit code 0; the saved file is looked at by another process."""
    code, out, err = result(*RIVER, "--iterations=50", "--out=my.solution", cwd=tmp_path)
    assert code == 0
    assert re.match(FORECAST, err.splitlines()[-1])
    assert out.startswith("4s8hTc9h2s, pot 500, 700 behind; 16 against 10 hands, ")
    assert out.endswith(": arena solve my.solution --node BETTING\n")
    code, shown, err = result("my.solution", cwd=tmp_path)
    assert (code, err) == (0, "")
    assert out.partition("\n\n")[2].partition("\n\n")[0] in shown
    code, text, err = result("my.solution", "--json", cwd=tmp_path)
    assert (code, err) == (0, "")
    hands = json.loads(text)["hands"]
    assert set(hands) == {"AA", "KK", "76s"}
    (row,) = [line for line in shown.splitlines() if line.startswith("KK ")]
    assert [f"{100 * share:.1f}" for share in hands["KK"]["probabilities"]] == (
        row.replace("%", "").split()[3:]
    )


def test_a_process_that_refuses_its_input_exits_with_2(tmp_path):
    """Nothing on stdout, one line on stderr."""
    code, out, err = result("nothing", "--pot=ten", cwd=tmp_path)
    assert (code, out) == (2, "")
    says_in_a_line(err, "arena solve:", "--pot")


def test_terminal_shows_progress_and_control_c_loses_nothing(tmp_path):
    """Exit code 130; the solution is that of a run that was asked for as many iterations."""
    ours, its = pty.openpty()
    words = [*ENDLESS, "--json", "--out=stopped", "--checkpoint=work"]
    with start(*words, stdout=subprocess.PIPE, stderr=its, cwd=tmp_path) as process:
        os.close(its)
        seen = b""
        deadline = time.monotonic() + SECONDS
        while seen.count(b" % of the pot after ") < 2 and time.monotonic() < deadline:
            seen += os.read(ours, 1000)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 130
    assert b"\r\x1b[Kiteration " in seen
    assert b" each; " in seen
    rest = os.read(ours, 100_000)
    os.close(ours)
    assert rest.endswith(b"\r\x1b[K")
    assert b"Traceback" not in seen + rest
    facts = json.loads(out)
    assert facts["ended"] == "interrupted"
    iterations = facts["iterations"]
    for name, words in (("whole", []), ("resumed", ["--checkpoint=work"])):
        asked = [f"--iterations={iterations + 10 * (name == 'resumed')}", f"--out={name}"]
        assert result(*ENDLESS, *words, *asked, cwd=tmp_path)[0] == 0
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "stopped").read_bytes()
    asked = [f"--iterations={iterations + 10}", "--out=longer"]
    assert result(*ENDLESS, *asked, cwd=tmp_path)[0] == 0
    assert (tmp_path / "resumed").read_bytes() == (tmp_path / "longer").read_bytes()


def test_a_reader_that_leaves_does_not_cost_the_solution(tmp_path):
    """It is saved before it is printed."""
    into, out_of = os.pipe()
    os.close(into)
    with start(
        *RIVER, "--iterations=5", "--out=x", stdout=out_of, stderr=subprocess.PIPE, cwd=tmp_path
    ) as process:
        os.close(out_of)
        _, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 0
    assert re.match(FORECAST, err.decode().splitlines()[-1])
    assert result("x", cwd=tmp_path)[0] == 0


def test_closed_stdout_is_told_before_the_work(tmp_path):
    """Exit code 1."""
    with start(
        *ENDLESS, stderr=subprocess.PIPE, preexec_fn=lambda: os.close(1), cwd=tmp_path
    ) as process:
        _, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 1
    says_in_a_line(err.decode(), "arena solve:", "stdout", "closed")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_full_stdout_is_told_and_the_solution_kept(tmp_path):
    """Exit code 1."""
    with (
        open("/dev/full", "wb") as full,
        start(
            *RIVER, "--iterations=5", "--out=x", stdout=full, stderr=subprocess.PIPE, cwd=tmp_path
        ) as process,
    ):
        _, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 1
    says(err.decode().splitlines()[-1], "arena solve:", "stdout", "No space left on device")
    assert (tmp_path / "x").exists()
