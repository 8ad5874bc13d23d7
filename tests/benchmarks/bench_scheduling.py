"""What a tournament costs beyond its legs, in one process and at dealers; unit: seconds.

Legs are played one after the other.  The time between the end of one and the beginning of the next
is the scheduler's: counting the log, the ledger (to the disk), folders and their locks.  While a
leg is played the runner looks at the logs now and then, so that its own processor time, beside
that of dealers and bots, is told as well.
"""

import contextlib
import io
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

import agents
from dealer.commands.tournament import main as tournament
from dealer.series import leg_queue as runner

TEMPLATE = Path(agents.__file__).parent / "templates" / "bot.c"


@pytest.fixture(scope="module")
def bot(tmp_path_factory):
    """Return the C template, compiled: the fastest of bots makes the shortest legs."""
    program = tmp_path_factory.mktemp("bot") / "bot"
    subprocess.run(["cc", "-O2", "-o", program, TEMPLATE], check=True)
    return program


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here")
@pytest.mark.parametrize("way", ["dealers", "in_process"])
def bench_scheduling(benchmark, monkeypatch, tmp_path, bot, way):
    """Three bots, six legs of 1000 hands."""
    bots = [f"{label}={bot}" for label in "abc"] if way == "dealers" else ["O5", "O6", "O8"]
    words = [*bots, "--hands", "1000", "--seed", "4", "--jobs", "1", "--quiet"]
    legs = []
    play_leg = runner.play_leg

    async def timed(*arguments):
        begin = time.perf_counter(), time.process_time()
        outcome = await play_leg(*arguments)
        legs.append((begin, (time.perf_counter(), time.process_time())))
        return outcome

    monkeypatch.setattr(runner, "play_leg", timed)
    shares, own = [], []

    def play():
        legs.clear()
        before = os.times()
        folder = tmp_path / str(len(shares))
        more = ["--in-process"] * (way == "in_process")
        with contextlib.redirect_stdout(io.StringIO()):
            assert tournament([*words, *more, "--out", str(folder)]) == 0
        assert len(legs) == 6
        played = sum(end[0] - begin[0] for begin, end in legs)
        between = sum(one[0][0] - other[1][0] for one, other in zip(legs[1:], legs, strict=False))
        shares.append(between / played)
        after = os.times()
        children = sum(after[2:4]) - sum(before[2:4])
        own.append((legs[-1][1][1] - legs[0][0][1]) / children)

    benchmark.pedantic(play, rounds=3)
    benchmark.extra_info["ratio_between_legs_to_legs"] = sorted(shares)[len(shares) // 2]
    benchmark.extra_info["ratio_own_to_children_processor_time"] = sorted(own)[len(own) // 2]
