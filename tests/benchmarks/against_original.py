"""Our dealer beside the original one, both with the original's example player on both seats.

    python -m tests.benchmarks.against_original [ROUNDS]

Builds the original from ../shared/tools/acpc_original, and has both play the same no-limit matches
in alternation: on one core and wherever the system puts them, with -q and, in short ones, without.
Prints hands a second, from the moment the ports are told to the end of the dealer, and the seconds
of a core that each dealer took.  All lines go to files.  Takes three minutes for two rounds.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import SHARED

SOURCES = SHARED / "tools" / "acpc_original"
GAME = "holdem.nolimit.2p.reverse_blinds.game"
SHORT, LONG = 4_000, 40_000
SHORT_ROUNDS = 3
"""Short matches in the time of a long one."""


@dataclass(frozen=True)
class Played:
    hands_per_s: float
    start_s: float
    """Until the ports were told."""
    cpu_s: float
    """Of the dealer, its start included."""


def build(folder: Path) -> Path:
    """Build the original's dealer and example player; return the folder they are in."""
    built = folder / "acpc_original"
    shutil.copytree(SOURCES, built, copy_function=shutil.copyfile)
    built.chmod(0o755)
    subprocess.run(
        ["make", "-s", "CFLAGS=-O3 -w", "dealer", "example_player"], cwd=built, check=True
    )
    return built


def play(original: Path, dealer: list[str], hands: int, *options: str) -> Played:
    """Play one match; the files of the dealer are removed afterwards."""
    words = ["m", str(original / GAME), str(hands), "42", "A", "B", *options]
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "m.err").open("wb") as errors:
        start = time.perf_counter()
        process = subprocess.Popen(
            [*dealer, *words], cwd=folder, stdout=subprocess.PIPE, stderr=errors
        )
        assert process.stdout is not None
        ports = process.stdout.readline().split()
        told = time.perf_counter()
        player = [str(original / "example_player"), str(original / GAME), "127.0.0.1"]
        players = [subprocess.Popen([*player, port.decode()]) for port in ports]
        _, status, used = os.wait4(process.pid, 0)
        end = time.perf_counter()
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stdout.close()
        for one in players:
            one.wait(10)
        lines = (Path(folder) / "m.log").read_bytes().count(b"\nSTATE:")
    assert process.returncode == 0
    assert lines == hands
    cpu = used.ru_utime + used.ru_stime
    return Played(hands / (end - told), told - start, cpu)


def alternate(
    original: Path, hands: int, rounds: int, *options: str, one_core: bool
) -> dict[str, list[Played]]:
    """Play the same matches with both dealers, in turns; return what was seen of each."""
    ours = [sys.executable, "-m", "dealer.server.dealer_command"]
    dealers = {"original": [str(original / "dealer")], "ours": ours}
    found: dict[str, list[Played]] = {name: [] for name in dealers}
    everywhere = os.sched_getaffinity(0)
    if one_core:
        os.sched_setaffinity(0, {min(everywhere)})
    try:
        for _ in range(rounds):
            for name, words in dealers.items():
                found[name].append(play(original, words, hands, *options))
    finally:
        os.sched_setaffinity(0, everywhere)
    return found


def ratio(found: dict[str, list[Played]]) -> float:
    """Return our pace in parts of the original's: the median of the pairs."""
    pairs = zip(found["ours"], found["original"], strict=True)
    return statistics.median(one.hands_per_s / other.hands_per_s for one, other in pairs)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[2])
    parser.add_argument("rounds", metavar="ROUNDS", nargs="?", type=int, default=2)
    rounds = parser.parse_args().rounds
    if not SOURCES.is_dir():
        parser.error(f"{SOURCES} is not here")
    with tempfile.TemporaryDirectory() as folder:
        original = build(Path(folder))
        subprocess.run([sys.executable, "-m", "dealer.lane.compiling"], check=True)
        print(
            "hands, cores, options: original and ours, hands/s; ratio (that of each round); CPU s"
        )
        for one_core in (True, False):
            for hands, options in ((SHORT, ("-q",)), (SHORT, ()), (LONG, ("-q",))):
                many = rounds * (SHORT_ROUNDS if hands == SHORT else 1)
                found = alternate(original, hands, many, *options, one_core=one_core)
                print(_line(found, hands, one_core, options), flush=True)
    return 0


def _line(
    found: dict[str, list[Played]], hands: int, one_core: bool, options: tuple[str, ...]
) -> str:
    original, ours = found["original"], found["ours"]
    pace = [statistics.median(one.hands_per_s for one in some) for some in (original, ours)]
    cpu = [statistics.median(one.cpu_s for one in some) for some in (original, ours)]
    ratios = " ".join(
        f"{one.hands_per_s / other.hands_per_s:.2f}"
        for one, other in zip(ours, original, strict=True)
    )
    return (
        f"{hands:6} {'one ' if one_core else 'all '} {' '.join(options) or '  '}: "
        f"{pace[0]:5.0f} {pace[1]:5.0f}  {ratio(found):.2f} ({ratios})  "
        f"{cpu[0]:.2f} {cpu[1]:.2f}  "
        f"ours: {statistics.median(one.start_s for one in ours):.2f} s to start"
    )


if __name__ == "__main__":
    sys.exit(main())
