"""How long the command `arena` takes to answer, start of the interpreter included.

What it may import for that is checked by tests; `arena --help` has to be there within 0.2 s.
"""

import subprocess
import sys

import pytest

from engine.parallel.own_programs import environment


@pytest.mark.parametrize("words", ["--help", "--version", "games", "agent --list", "equity --help"])
def bench_answer(benchmark, words):
    """A process of its own each time; unit: seconds per answer."""
    command = [sys.executable, "-m", "dealer.arena", *words.split()]
    options = {"env": environment(), "check": True, "capture_output": True}
    benchmark.pedantic(subprocess.run, (command,), options, rounds=10)
