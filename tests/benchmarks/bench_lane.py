"""The dealer with the fast lane and without, and a bare ping-pong of as many messages in C.

Measured from the first logged hand to the last: loading is left out.  One match is left to the
operating system or kept on one core with its bots; or four are played at once.
"""

import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.benchmarks.bench_dealer import GAME, PING_PONG, TEMPLATE

SERVER = Path(__file__).parent / "ping_pong_server.c"
HANDS = 20_000
OWN_HANDS = 5_000
TURNS_A_HAND = 6.35
"""Of random players in this game."""
TICKS = os.sysconf("SC_CLK_TCK")

needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here")


@pytest.fixture(scope="module")
def programs(tmp_path_factory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("programs")
    sources = {"bot": TEMPLATE, "client": PING_PONG, "server": SERVER}
    for name, source in sources.items():
        subprocess.run(["cc", "-O2", "-o", folder / name, source], check=True)
    return {name: str(folder / name) for name in sources}


@dataclass(frozen=True)
class Pace:
    hands_per_s: float
    cpu_us_per_hand: float
    """Of the dealer alone."""


class PlayedMatch:
    """A dealer and its bots, in their processes."""

    def __init__(self, folder: Path, lane: str, hands: int, bots: Sequence[list[str]]) -> None:
        folder.mkdir(parents=True)
        self._hands = hands
        self._log = folder / "m.log"
        words = ["m", GAME, str(hands), "42", "A", "B", "-q", "--t_per_hand", "-1", "--lane", lane]
        self._dealer = subprocess.Popen(
            [sys.executable, "-m", "dealer.server.dealer_command", *words],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        ports = self._dealer.stdout.readline().split()
        self._bots = [
            subprocess.Popen(
                [*bot, "127.0.0.1", port], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            for bot, port in zip(bots, ports, strict=True)
        ]

    def begin(self) -> None:
        """Wait for the first hand."""
        while not (self._log.exists() and b"STATE" in self._log.read_bytes()):
            assert self._dealer.poll() is None
            time.sleep(0.001)
        self._start, self._used = time.perf_counter(), self._seconds_used()

    def end(self) -> Pace:
        """Wait for the last one."""
        os.waitid(os.P_PID, self._dealer.pid, os.WEXITED | os.WNOWAIT)
        seconds, used = time.perf_counter() - self._start, self._seconds_used() - self._used
        assert self._dealer.wait() == 0
        self._dealer.stdout.close()
        for bot in self._bots:
            bot.wait(10)
        return Pace(self._hands / seconds, used / self._hands * 1e6)

    def _seconds_used(self) -> float:
        words = Path(f"/proc/{self._dealer.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / TICKS


def play(
    folder: Path, lane: str, hands: int, bots: Sequence[list[str]], matches: int
) -> tuple[float, float]:
    """Play some matches at once; return hands a second of all, and CPU time per hand, us."""
    played = [PlayedMatch(folder / f"{n}", lane, hands, bots) for n in range(matches)]
    for match in played:
        match.begin()
    paces = [match.end() for match in played]
    shutil.rmtree(folder)
    return sum(one.hands_per_s for one in paces), statistics.mean(
        one.cpu_us_per_hand for one in paces
    )


def ping_pong(programs: dict[str, str], matches: int) -> float:
    """Return the hands a second of as many bare ping-pongs at once."""
    start = time.perf_counter()
    turns = str(round(HANDS * TURNS_A_HAND))
    servers = [
        subprocess.Popen([programs["server"], str(HANDS), turns], stdout=subprocess.PIPE, text=True)
        for _ in range(matches)
    ]
    clients = [
        subprocess.Popen([programs["client"], "127.0.0.1", port])
        for server in servers
        for port in server.stdout.readline().split()
    ]
    for server in servers:
        assert server.wait(300) == 0
        server.stdout.close()
    seconds = time.perf_counter() - start
    for client in clients:
        client.wait(10)
    return matches * HANDS / seconds


@needs_cc
@pytest.mark.parametrize(("placing", "matches"), [("one_core", 1), ("free", 1), ("free", 4)])
def bench_lane_against_ping_pong_in_c(benchmark, programs, tmp_path, placing, matches):
    """No-limit matches of 20 000 hands, the C template on both seats; the best of three rounds."""
    everywhere = os.sched_getaffinity(0)
    bots = [[programs["bot"]]] * 2
    off, on, bare = [], [], []

    def rounds() -> None:
        off.append(play(tmp_path / "off", "off", HANDS, bots, matches))
        on.append(play(tmp_path / "on", "on", HANDS, bots, matches))
        bare.append(ping_pong(programs, matches))

    if placing == "one_core":
        os.sched_setaffinity(0, {min(everywhere)})
    try:
        benchmark.pedantic(rounds, rounds=3)
    finally:
        os.sched_setaffinity(0, everywhere)
    report(benchmark, off, on)
    benchmark.extra_info["ratio_to_ping_pong_in_c"] = max(on)[0] / max(bare)
    benchmark.extra_info["ratio_to_ping_pong_in_c_without"] = max(off)[0] / max(bare)


@pytest.mark.parametrize("names", ["always-call always-call", "blueprint rule"])
def bench_lane_between_our_own_bots(benchmark, tmp_path, names):
    """No-limit matches of 5 000 hands; the best of three rounds."""
    bots = [[sys.executable, "-m", "agents", name] for name in names.split()]
    off, on = [], []

    def rounds() -> None:
        off.append(play(tmp_path / "off", "off", OWN_HANDS, bots, 1))
        on.append(play(tmp_path / "on", "on", OWN_HANDS, bots, 1))

    benchmark.pedantic(rounds, rounds=3)
    report(benchmark, off, on)


def report(benchmark, off: list[tuple[float, float]], on: list[tuple[float, float]]) -> None:
    info = benchmark.extra_info
    info["hands_per_s"], info["hands_per_s_without"] = max(on)[0], max(off)[0]
    info["cpu_us_per_hand"] = min(cpu for _, cpu in on)
    info["cpu_us_per_hand_without"] = min(cpu for _, cpu in off)
    info["ratio_to_without"] = max(on)[0] / max(off)[0]
