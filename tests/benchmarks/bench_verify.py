"""Speed of verifying logs in bulk, one core; unit: seconds per log, hands/s beside it."""

import re
import time

import numpy as np
import pytest

from dealer.logs.verifying.verify import VerifySettings, verify_log
from engine.handlogs.source.log_games import game_from_argument
from protocol.gamedefs import builtin_path, load_builtin
from tests.benchmarks.timing import note, seconds_of
from tests.helpers.random_logs import random_log

HANDS = 6_000
COPIES = 50


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the logs go."""
    return tmp_path_factory.mktemp("logs")


def write_log(folder, name, *, header=True):
    """Write 300 000 hands of random play: one match with all its deals, again and again."""
    game = load_builtin(name)
    lines = random_log(game, 5, HANDS, np.random.default_rng(5), game_name=builtin_path(name).name)
    if not header:
        lines = [line for line in lines if line.startswith("STATE")]
    path = folder / f"{name}.{header}.log"
    path.write_text(("\n".join(lines) + "\n") * COPIES)
    return path


def measure(benchmark, path, settings):
    """Measure the compiled checks, compiled beforehand, and note hands/s."""
    verify_log(path, settings)
    report = benchmark.pedantic(verify_log, (path, settings), rounds=5, iterations=1)
    assert report.all_is_well
    assert report.hands == HANDS * COPIES
    note(benchmark, hands_per_s=lambda median: report.hands / median)


@pytest.mark.parametrize("name", ["hunl", "hulhe", "nolimit6", "leduc"])
def bench_verify_with_deals(benchmark, folder, name):
    """Syntax, legality, values, names, SCORE, and all cards dealt again from the seed."""
    path = write_log(folder, name)
    measure(benchmark, path, VerifySettings(compiled=True))
    short = folder / "short.log"
    short.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[: HANDS + 2]))
    readable = seconds_of(verify_log, short, VerifySettings()) * COPIES
    note(benchmark, ratio_to_readable_checks=lambda median: readable / median)


WRONG = {
    "deals": lambda line: line,  # the header's seed is changed instead
    "values": lambda line: re.sub(r":(-?[0-9.]+)\|(-?[0-9.]+):", r":\2|\1:", line),
    "betting": lambda line: re.sub(r"r([0-9]+)[0-9]", r"r\1", line),
    "names": lambda line: line.replace("Bob", "Zed"),
}


@pytest.mark.parametrize("kind", WRONG)
def bench_verify_wrong_hands(benchmark, folder, kind):
    """Every hand wrong: the first faults are told, the others counted; beside it, right hands."""
    path = write_log(folder, "hunl")
    lines = path.read_text().splitlines()[: HANDS + 1]
    head = lines[0][:-1] + ("6" if kind == "deals" else "5")
    wrong = [lines[1], *map(WRONG[kind], lines[2:])]  # the first hand says who plays
    path.write_text("\n".join([head, *wrong * COPIES]) + "\n")
    settings = VerifySettings(compiled=True)
    verify_log(path, settings)
    report = benchmark.pedantic(verify_log, (path, settings), rounds=5, iterations=1)
    assert report.hands == HANDS * COPIES
    assert report.parts[0].wrong[kind] > HANDS * COPIES / 2
    note(benchmark, hands_per_s=lambda median: report.hands / median)
    path.write_text("\n".join([lines[0], *lines[1:] * COPIES]) + "\n")
    start = time.perf_counter()
    assert verify_log(path, settings).all_is_well
    right = time.perf_counter() - start
    note(benchmark, times_as_long_as_right_hands=lambda median: median / right)


def bench_verify_without_header(benchmark, folder):
    """Hands of a log that names neither seed nor game."""
    path = write_log(folder, "hunl", header=False)
    measure(benchmark, path, VerifySettings(game=game_from_argument("hunl"), compiled=True))


def bench_statistics(benchmark, folder):
    """The basic counts without all-in expectation, which depends on the number of all-ins alone."""
    from engine.handlogs.counting.tally import Tally

    text = write_log(folder, "hunl", header=False).read_bytes()
    data = np.frombuffer(text, np.uint8)

    def count():
        tally = Tally(load_builtin("hunl"), expectation=False)
        assert tally.scan(data, 0)[0] == len(data)
        return tally.hands

    assert count() == HANDS * COPIES
    benchmark.pedantic(count, rounds=5, iterations=1)
    note(benchmark, hands_per_s=lambda median: HANDS * COPIES / median)
