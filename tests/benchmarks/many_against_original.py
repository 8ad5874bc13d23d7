"""Our dealer with many matches beside as many original dealers, with the original's players.

    python -m tests.benchmarks.many_against_original [--matches N] [--hands N] [ROUNDS]

Has `arena dealer --serve N` and N dealers of the original play the same no-limit matches in
alternation, wherever the system puts them.  Prints, for each round and both: hands a second of all
matches, microseconds of a core that a hand took dealers and players, context switches of the
dealers a hand, the pace of the slowest match in parts of the median's, and memory a match (PSS,
half a second after the last player was started).  At the end: the median ratio of the paces.
"""

import argparse
import math
import os
import resource
import selectors
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.benchmarks.against_original import GAME, SOURCES, build

ORIGINAL, OURS = "original", "ours"
SETTLED_S = 0.5


@dataclass(frozen=True)
class Hosted:
    """What was seen of some matches played at once."""

    hands_per_s: float
    dealers_us: float
    """A hand, as all that follows but the last two."""
    players_us: float
    switches: float
    """Of the dealers."""
    slowest: float
    """Its pace in parts of the median's."""
    match_kb: float


def host(original: Path, name: str, matches: int, hands: int) -> Hosted:
    """Play some matches at once with the dealers of that name."""
    with tempfile.TemporaryDirectory() as folder:
        dealers, ports = _start_dealers(original, name, matches, hands, Path(folder))
        player = [str(original / "example_player"), str(original / GAME), "127.0.0.1"]
        begins, players = [], []
        for two in ports:
            begins.append(time.perf_counter())
            players += [_start([*player, port], stdout=subprocess.DEVNULL) for port in two]
        time.sleep(SETTLED_S)
        sizes = [size for dealer in dealers if (size := _pss_kb(dealer.pid)) > 0]
        ends = _wait_for_scores(dealers, matches)
        dealers_s, switches = _used_by(dealers)
        players_s, _ = _used_by(players)
        lines = [(Path(folder) / f"m.{one}.log").read_bytes() for one in range(matches)]
    assert all(log.count(b"\nSTATE:") == hands for log in lines)
    every = matches * hands
    paces = [hands / (end - begin) for begin, end in zip(begins, ends, strict=True)]
    return Hosted(
        every / (max(ends) - begins[0]),
        1e6 * dealers_s / every,
        1e6 * players_s / every,
        switches / every,
        min(paces) / statistics.median(paces),
        statistics.fmean(sizes or [math.nan]) * len(dealers) / matches,
    )


def _start(words: Sequence[str], **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(words, stderr=subprocess.DEVNULL, text=True, **options)


def _start_dealers(
    original: Path, name: str, matches: int, hands: int, folder: Path
) -> tuple[list[subprocess.Popen[str]], list[list[str]]]:
    """Return the dealers, and the ports of each match."""
    how: dict[str, Any] = {"cwd": folder, "stdout": subprocess.PIPE}
    terms = [str(original / GAME), str(hands)]
    if name == ORIGINAL:
        dealers = [
            _start(
                [str(original / "dealer"), f"m.{one}", *terms, f"{42 + one}", "A", "B", "-q"], **how
            )
            for one in range(matches)
        ]
        ready = dealers
    else:
        words = [sys.executable, "-m", "dealer.server.dealer_command", "m", *terms, "42", "A", "B"]
        dealers = [_start([*words, "-q", "--serve", str(matches)], **how)]
        ready = dealers * matches
    return dealers, [dealer.stdout.readline().split() for dealer in ready if dealer.stdout]


def _wait_for_scores(dealers: Sequence[subprocess.Popen[str]], matches: int) -> list[float]:
    """Return when each match was over: its dealer has told its score."""
    ends = [0.0] * matches
    with selectors.DefaultSelector() as selector:
        for number, dealer in enumerate(dealers):
            assert dealer.stdout is not None
            selector.register(dealer.stdout, selectors.EVENT_READ, number)
        while selector.get_map():
            for key, _ in selector.select():
                text = os.read(key.fd, 65536).decode()
                for line in text.splitlines():
                    name, score, _ = line.partition("SCORE:")
                    if score:
                        number = int(name.partition(".")[2] or key.data)
                        ends[number] = time.perf_counter()
                if not text:
                    selector.unregister(key.fileobj)
    return ends


def _used_by(processes: Sequence[subprocess.Popen[str]]) -> tuple[float, int]:
    """Wait for processes; return their seconds of a core and their context switches."""
    seconds, switches = 0.0, 0
    for process in processes:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds += used.ru_utime + used.ru_stime
        switches += used.ru_nvcsw + used.ru_nivcsw
        if process.stdout is not None:
            process.stdout.close()
    return seconds, switches


def _pss_kb(process: int) -> int:
    """Return the memory of a process, that of shared pages divided among those who share them.

    0 where it has ended.
    """
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
    except ProcessLookupError:
        return 0
    return int(text.partition("\nPss:")[2].split()[0])


def alternate(original: Path, matches: int, hands: int, rounds: int) -> dict[str, list[Hosted]]:
    """Play the same matches with both, in turns; return what was seen of each."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    seen: dict[str, list[Hosted]] = {ORIGINAL: [], OURS: []}
    for _ in range(rounds):
        for name, some in seen.items():
            some.append(host(original, name, matches, hands))
    return seen


def ratio(seen: dict[str, list[Hosted]], figure: str) -> float:
    """Return a figure of ours in parts of the original's: the median of the rounds."""
    pairs = zip(seen[OURS], seen[ORIGINAL], strict=True)
    return statistics.median(getattr(one, figure) / getattr(two, figure) for one, two in pairs)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[2])
    parser.add_argument("rounds", metavar="ROUNDS", nargs="?", type=int, default=3)
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--hands", type=int, default=1000, help="of each match")
    options = parser.parse_args()
    if not SOURCES.is_dir():
        parser.error(f"{SOURCES} is not here")
    with tempfile.TemporaryDirectory() as folder:
        original = build(Path(folder))
        subprocess.run([sys.executable, "-m", "dealer.lane.compiling"], check=True)
        seen = alternate(original, options.matches, options.hands, options.rounds)
    print("          hands/s  dealers us  players us  switches  slowest  kB a match")
    for both in zip(*seen.values(), strict=True):
        for name, one in zip(seen, both, strict=True):
            print(
                f"{name:9} {one.hands_per_s:7.0f}  {one.dealers_us:10.0f}  {one.players_us:10.0f}"
                f"  {one.switches:8.1f}  {one.slowest:7.2f}  {one.match_kb:10.0f}"
            )
    print(f"hands/s in parts of the original's: {ratio(seen, 'hands_per_s'):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
