"""Speed of the dealer over real sockets, beside a bare asyncio ping-pong of as many messages.

The readable path alone, without the fast lane (`bench_lane` has that).  Both seats are the C
template; dealer and bots share one core (as `arena match --affinity` has them) or are left to the
operating system.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import agents

TEMPLATE = Path(agents.__file__).parent / "templates" / "bot.c"
PING_PONG = Path(__file__).parent / "ping_pong.c"
HANDS = 20_000
GAME = "holdem.nolimit.2p.reverse_blinds.game"

needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here")


@pytest.fixture(scope="module")
def programs(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("bots")
    made = {"bot": folder / "bot", "ping_pong": folder / "ping_pong"}
    for source, target in ((TEMPLATE, made["bot"]), (PING_PONG, made["ping_pong"])):
        subprocess.run(["cc", "-O2", "-o", target, source], check=True)
    return made


def timed(server: list[str], client: Path, folder: Path, cores: set[int]) -> float:
    """Return the seconds from starting two clients to the end of the server."""
    everywhere = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        serving = subprocess.Popen(
            server, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        ports = serving.stdout.readline().split()
        start = time.perf_counter()
        clients = [subprocess.Popen([client, "127.0.0.1", port]) for port in ports]
        assert serving.wait(300) == 0
        seconds = time.perf_counter() - start
        for process in clients:
            process.wait(10)
        serving.stdout.close()
        return seconds
    finally:
        os.sched_setaffinity(0, everywhere)


def play(programs: dict[str, Path], folder: Path, cores: set[int]) -> tuple[float, int]:
    """Play a match; return its seconds and the number of actions in it."""
    module = [sys.executable, "-m", "dealer.server.dealer_command"]
    dealer = [*module, "m", GAME, str(HANDS), "42", "A", "B", "-q", "--lane", "off"]
    seconds = timed(dealer, programs["bot"], folder, cores)
    actions = 0
    for line in (folder / "m.log").read_text().splitlines():
        if line.startswith("STATE:"):
            actions += len(re.findall("[fcr]", line.split(":")[2]))
    return seconds, actions


@needs_cc
@pytest.mark.parametrize("placing", ["one_core", "free"])
def bench_match_against_ping_pong(benchmark, programs, tmp_path, placing):
    """A no-limit match of 20 000 hands; unit: seconds per match."""
    cores = os.sched_getaffinity(0)
    if placing == "one_core":
        cores = {min(cores)}
    seconds, ping_pong = [], []

    def pair() -> None:
        taken, actions = play(programs, tmp_path, cores)
        seconds.append(taken)
        server = [sys.executable, "-m", "tests.benchmarks.ping_pong", str(HANDS), str(actions)]
        root = Path(__file__).parents[2]
        ping_pong.append(timed(server, programs["ping_pong"], root, cores))

    benchmark.pedantic(pair, rounds=3)
    best = min(seconds)
    benchmark.extra_info["hands_per_s"] = HANDS / best
    benchmark.extra_info["ratio_to_bare_ping_pong"] = min(ping_pong) / best
