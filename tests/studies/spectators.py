"""What spectators cost a match: hands a second with and without them, in turns within one match.

`always-call` plays `rule` under `arena match --live`.  In each round there are four spells: without
spectators, with them twice, without.  Half of the spectators read, the other half never do.  The
first second of a spell does not count.  Their program has the lowest priority, as the page's has;
with two cores both programs, and what the system does for them, are part of what is measured.
Takes eight minutes of the whole machine; docs/web.md tells what came out.
"""

import asyncio
import bisect
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from engine.parallel.own_programs import environment, own_program, yield_to_others

SETTLING_SECONDS = 1.0
TAIL_BYTES = 10_000
ROUND = (False, True, True, False)
SMALL = {"spectators": 4, "rounds": 2, "seconds": 0.2}


async def watch(link: str, start: int, *, reads: bool) -> None:
    """Ask for what is new in the first log, and read it or not, until cancelled."""
    place = urlsplit(link)
    loop = asyncio.get_running_loop()
    with socket.socket() as connection:
        connection.setblocking(False)
        if not reads:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        await loop.sock_connect(connection, (place.hostname, place.port))
        ask = f"GET {place.path}live/0?from={start} HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n"
        await loop.sock_sendall(connection, ask.encode())
        while not reads or await loop.sock_recv(connection, 1 << 18):
            if not reads:
                await asyncio.sleep(3600)


def next_line_at(log: Path) -> int:
    """Return the byte at which the next line of a log will begin."""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - TAIL_BYTES))
        return file.tell() + file.read().rfind(b"\n") + 1


async def spectators(link: str, log: Path, count: int) -> None:
    """Come at the first line of standard input, go at the next, and so on to its end."""
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        start = next_line_at(log)
        watching = [
            asyncio.ensure_future(watch(link, start, reads=bool(number % 2)))
            for number in range(count)
        ]
        await loop.run_in_executor(None, sys.stdin.readline)
        for task in watching:
            task.cancel()
        await asyncio.wait(watching)


def ends_of_hands(transactions: Path) -> list[float]:
    """Return the time of each hand's last action, in seconds."""
    ends: dict[str, float] = {}
    for line in transactions.read_text().splitlines():
        _, hand, _, answered = line.split()
        ends[hand] = float(answered)
    return list(ends.values())


def measure(folder: Path, count: int, rounds: int, seconds: float) -> list[float]:
    """Play; return the hands a second of all spells."""
    words = ["always-call", "rule", "--hands", "100000000", "--no-duplicate", "--quiet", "--live"]
    match = subprocess.Popen(
        [*own_program("arena"), "match", *words, "--out", str(folder)],
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert match.stderr is not None
    link = next(found[0] for line in match.stderr if (found := re.search(r"http://\S+", line)))
    time.sleep(5 * SETTLING_SECONDS)
    (log,) = folder.glob("*.log")
    own = (sys.executable, "-P", "-m", "tests.studies.spectators")
    watching = subprocess.Popen(
        [*own, link, str(log), str(count)],
        env=environment(),
        stdin=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    assert watching.stdin is not None
    spells: list[tuple[float, float]] = []
    there = False
    for wanted in ROUND * rounds:
        if wanted != there:
            print(file=watching.stdin, flush=True)
            there = wanted
        time.sleep(SETTLING_SECONDS)
        begun = time.time()
        time.sleep(seconds)
        spells.append((begun, time.time()))
    watching.stdin.close()
    watching.wait()
    match.send_signal(signal.SIGINT)
    match.communicate()
    ends = ends_of_hands(log.with_suffix(".tlog"))
    return [
        (bisect.bisect(ends, end) - bisect.bisect(ends, begun)) / (end - begun)
        for begun, end in spells
    ]


def add_options(parser):
    """Add how many watch, and how long."""
    add = parser.add_argument
    add("--spectators", type=int, default=100)
    add("--rounds", type=int, default=20)
    add("--seconds", type=float, default=5.0, help="of a spell")


def run(options):
    """Return hands a second, and the mean ratio of a round with its standard error."""
    with tempfile.TemporaryDirectory() as folder:
        rates = measure(Path(folder) / "match", options.spectators, options.rounds, options.seconds)
    ratios = [
        (rates[at + 1] + rates[at + 2]) / (rates[at] + rates[at + 3])
        for at in range(0, len(rates), len(ROUND))
    ]
    without = [rate for rate, there in zip(rates, ROUND * options.rounds, strict=True) if not there]
    return {
        "spectators": options.spectators,
        "hands_per_s_without": statistics.mean(without),
        "ratio": statistics.mean(ratios),
        "standard_error": statistics.stdev(ratios) / len(ratios) ** 0.5,
    }


if __name__ == "__main__":
    yield_to_others()
    asyncio.run(spectators(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])))
