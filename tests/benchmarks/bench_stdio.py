"""Decisions a second of the random Python template: on standard streams, and over TCP by itself.

Both play against the C template at a dealer, which is the fastest opponent there is.
"""

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import agents
from engine.parallel.own_programs import environment, own_program

TEMPLATES = Path(agents.__file__).parent / "templates"
GAME = "holdem.nolimit.2p.reverse_blinds.game"
HANDS = 5000


def played(folder: Path, command: list[str], opponent: Path) -> tuple[float, int]:
    """Play a match; return the seconds from its first hand on, and the decisions of the first."""
    dealer = [*own_program("arena"), "dealer", "m", GAME, str(HANDS), "42", "A", "B", "-q"]
    with subprocess.Popen(
        dealer,
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as serving:
        one, other = serving.stdout.readline().split()
        bot = subprocess.Popen([*command, "127.0.0.1", one], env=environment())
        time.sleep(2.0)  # it has started, and waits
        start = time.perf_counter()
        with subprocess.Popen([opponent, "127.0.0.1", other]):
            serving.wait(300)
        seconds = time.perf_counter() - start
        assert bot.wait(10) == 0
    decisions = 0
    for line in (folder / "m.log").read_text().splitlines():
        if line.startswith("STATE:"):
            *_, betting, _, _, names = line.split(":")
            mine = names.split("|").index("A")
            streets = betting.split("/")
            decisions += len(re.findall("[fcr]", streets[0])[(mine == 0) :: 2])
            decisions += sum(len(re.findall("[fcr]", one)[mine::2]) for one in streets[1:])
    return seconds, decisions


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here")
def bench_stdio_beside_tcp(benchmark, tmp_path):
    """A no-limit match of 5000 hands; unit: seconds per match."""
    opponent = tmp_path / "bot"
    subprocess.run(["cc", "-O2", "-o", opponent, TEMPLATES / "bot.c"], check=True)
    python = f"{sys.executable} -S {TEMPLATES}"
    rates: dict[str, list[float]] = {"stdio": [], "tcp": []}
    commands = {
        "stdio": [*own_program("agents"), f"stdio:{python}/stdio_bot.py"],
        "tcp": f"{python}/bot.py".split(),
    }

    def pair() -> None:
        for name, command in commands.items():
            seconds, decisions = played(tmp_path, command, opponent)
            rates[name].append(decisions / seconds)

    benchmark.pedantic(pair, rounds=3)
    for name, found in rates.items():
        benchmark.extra_info[f"{name}_decisions_per_s"] = max(found)
