"""kill -9 of a dealer whose match is in the fast lane: nothing is lost, nothing is added."""

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from engine.compiled.jit import RUNS_AS_PYTHON
from tests.helpers.dealer_process import DealerProcess
from tests.helpers.interpreter import INTERPRETER

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or RUNS_AS_PYTHON, reason="there is no lane to be killed in"
)
TEMPLATE = Path(__file__).parents[2] / "agents/templates/bot.c"
HANDS = 20_000
MOST_HANDS_PLAYED = 1400
"""Before a kill, of which there are some thirty."""


@pytest.fixture(scope="module")
def bot(tmp_path_factory) -> str:
    """The C template, built; and the lane compiled, which no dealer here lives long enough for."""
    subprocess.run([INTERPRETER, "-m", "dealer.lane.compiling"], check=True)
    compiler = shutil.which("cc") or pytest.skip("no cc to compile the C template")
    binary = tmp_path_factory.mktemp("c") / "bot"
    subprocess.run([compiler, "-std=c99", "-O2", str(TEMPLATE), "-o", str(binary)], check=True)
    return str(binary)


@contextmanager
def dealer_and_bots(folder: Path, bot: str, lane: str) -> Iterator[DealerProcess]:
    """Begin the match in a folder, or go on with it, with two bots that choose by hand alone."""
    options = (str(HANDS), "-q", "-T", "-a", "--t_per_hand", "-1", "--lane", lane)
    with DealerProcess(folder, *options, python=INTERPRETER) as dealer:
        bots = [
            subprocess.Popen([bot, "-s", str(seed), "127.0.0.1", str(port)])
            for seed, port in enumerate(dealer.ports)
        ]
        yield dealer
    for one in bots:
        one.wait(10)


def hands_and_score(folder: Path) -> list[str]:
    lines = (folder / "m.log").read_text().splitlines()
    return [line for line in lines if not line.startswith("#")]


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_kills_in_the_lane_lose_nothing(tmp_path, bot):
    """What is resumed again and again is, line by line, the match that nobody disturbed."""
    whole, part = tmp_path / "whole", tmp_path / "part"
    whole.mkdir()
    part.mkdir()
    with dealer_and_bots(whole, bot, "off") as dealer:
        assert dealer.finish(250)[0] == 0
    expected = hands_and_score(whole)
    assert len(expected) == HANDS + 1

    rng, log = np.random.default_rng(6), part / "m.log"
    kills = done = 0
    while done < HANDS:
        with dealer_and_bots(part, bot, "on") as dealer:
            before = log.stat().st_size
            enough = before + int(rng.integers(1, MOST_HANDS_PLAYED)) * len(expected[0])
            while log.stat().st_size < enough and dealer.process.poll() is None:
                time.sleep(rng.uniform(0, 0.002))
            if dealer.process.poll() is None:
                kills += dealer.has_lane()
                dealer.process.kill()
        found = hands_and_score(part) or [""]
        assert found[:-1] == expected[: len(found) - 1]  # the last line may be torn
        assert expected[len(found) - 1].startswith(found[-1])
        done = len(found) - 1
    assert found == expected
    assert kills >= 20
