"""Speed of counting all that trackers tell, one core; unit: seconds per log, hands/s beside it."""

import re

import numpy as np
import pytest

from engine.handlogs.counting.detail import Detail
from engine.handlogs.counting.tally import Tally
from protocol.gamedefs import load_builtin
from protocol.handlog import parse_log_line
from tests.benchmarks.timing import seconds_of
from tests.oracles.tracker import count_tracked

HUNL = load_builtin("hunl")
COPIES = 10
READ = 2_000
"""Hands that the readable counts get."""


@pytest.fixture(scope="module")
def lines(shared_data):
    """The hands of DeepStack against professionals, without the times behind them."""
    text = (shared_data / "deepstack/hands.log").read_bytes()
    return re.sub(rb" # [0-9.]+\r\n", b"\n", text).splitlines()


def counted(data, **options):
    """Count everything; return the tally."""
    tally = Tally(HUNL, expectation=False, **options)
    assert tally.scan(data, 0)[0] == len(data)
    return tally


@pytest.mark.parametrize("detail", [Detail.TRACKER, Detail.OPPONENTS])
def bench_tracker(benchmark, lines, detail):
    """All counts, against the readable ones and against a tally of the basic counts alone."""
    data = np.frombuffer(b"\n".join([*lines * COPIES, b""]), np.uint8)
    hands = counted(data, detail=detail).hands
    assert hands == len(lines) * COPIES
    benchmark.pedantic(counted, (data,), {"detail": detail}, rounds=5, iterations=1)
    if benchmark.stats is None:
        return
    seconds = benchmark.stats.stats.median / hands
    counted(data)
    basic = seconds_of(lambda: counted(data)) / hands
    records = [parse_log_line(line.decode()) for line in lines[:READ]]
    readable = seconds_of(lambda: count_tracked(HUNL, records)) / READ
    benchmark.extra_info["hands_per_s"] = 1 / seconds
    benchmark.extra_info["ratio_to_readable_counts"] = readable / seconds
    benchmark.extra_info["times_as_long_as_basic_counts"] = seconds / basic
