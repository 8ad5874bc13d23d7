"""The fast lane where something goes wrong: the match goes on, or ends, as it does without it."""

import math
import re
import resource
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from dealer.lane import layout
from dealer.plan.match_plan import LaneMode
from dealer.server.time_limits import MatchSettings, TimeLimits
from protocol.gamedefs import load_builtin
from tests.helpers.dealer_process import DealerProcess
from tests.helpers.interpreter import INTERPRETER
from tests.helpers.pipelined import play_pipelined
from tests.helpers.streamed_match import VERSION, Seen, Stream, play_streams
from tests.property.test_fast_lane import FREE, conversation

HUNL = load_builtin("hunl")
HANDS = 60


@pytest.fixture(scope="module")
def ordinary() -> list[Stream]:
    """What the seats send in a match of `HANDS` hands, all of it ordinary."""
    streams = conversation(HUNL, HANDS, 0.0, np.random.default_rng(5))
    return [Stream(bytes(stream), stays=True) for stream in streams]


def play(folder, mode, streams, limits=FREE, **more) -> Seen:
    how = MatchSettings(HANDS, (limits,) * len(streams))
    return play_streams(folder, LaneMode(mode), HUNL, how, streams, **more)


def test_an_ordinary_match_stays_in_the_lane(tmp_path, ordinary):
    """From its first turn to its last."""
    seen = play(tmp_path, "on", ordinary)
    assert seen.is_like(play(tmp_path, "off", ordinary))
    assert seen.left_for == {layout.HAND_DONE}
    assert seen.lane_turns == len(seen.transactions)


def test_a_seat_that_reads_late_gets_the_rest_of_a_message(tmp_path, ordinary):
    """The lane ends where a message does not leave in one piece, and the readable path waits."""
    streams = [ordinary[0], replace(ordinary[1], narrow=True, reads_after=0.3)]
    seen = play(tmp_path, "on", streams)
    assert seen.is_like(play(tmp_path, "off", streams))
    assert layout.MESSAGE_CUT in seen.left_for


def test_a_silent_seat_runs_out_of_time(tmp_path, ordinary):
    """The wait begins in the lane and ends in the readable path."""
    streams = [ordinary[0], replace(ordinary[1], data=ordinary[1].data[:500])]
    limits = TimeLimits(1.0, math.inf, math.inf)
    seen = play(tmp_path, "on", streams, limits)
    assert seen.is_like(play(tmp_path, "off", streams, limits))
    assert seen.ending == "seat 2 ran out of time"
    assert seen.lane_turns > 0


def test_a_budget_is_not_exceeded_in_the_lane(tmp_path, ordinary):
    """Where it runs out, turns being short, is decided there; what follows is as ever."""
    data = ordinary[0].data
    cuts = [place + 1 for place, byte in enumerate(data) if byte == ord("\n")]
    streams = [replace(ordinary[0], cuts=cuts, pauses=(0.004,)), ordinary[1]]
    seen = play(tmp_path, "on", streams, TimeLimits(math.inf, math.inf, 0.1))
    assert "seat 1 ran out of time" in seen.ending
    assert seen.seconds[0] <= 0.1
    assert seen.lane_turns > 0


def test_an_interrupt_finds_the_match_where_it_stands(tmp_path, ordinary):
    """The lane is left, files are whole, and what was played is counted."""
    streams = [replace(one, cuts=range(0, len(one.data), 50), pauses=(0.002,)) for one in ordinary]
    seen = play(tmp_path, "on", streams, interrupt_after=0.2)
    whole = play(tmp_path, "off", ordinary)
    assert seen.ending == "interrupted"
    assert seen.lane_turns > 0
    assert 0 < seen.finished_hands < HANDS
    assert whole.log.startswith(seen.log)
    assert whole.transactions[: len(seen.transactions)] == seen.transactions
    assert len(seen.log.splitlines()) == seen.finished_hands


@pytest.mark.parametrize("options", [["-T"], []], ids=["transactions", "log"])
def test_a_file_that_takes_no_more_ends_the_match(tmp_path, ordinary, monkeypatch, options):
    """In mid-line, with the same bytes in it, the same words and the same exit code."""
    found = []
    for mode in ("off", "on"):
        monkeypatch.setenv("ARENA_LANE", mode)
        folder = tmp_path / mode
        folder.mkdir()
        with DealerProcess(folder, str(HANDS), "-q", *options, python=INTERPRETER) as dealer:
            resource.prlimit(dealer.process.pid, resource.RLIMIT_FSIZE, (1000, 1000))
            play_pipelined(dealer.ports, [VERSION + stream.data for stream in ordinary])
            code, out, err = dealer.finish()
        files = {path.name: path.read_bytes() for path in folder.iterdir()}
        actions = [line.split()[:2] for line in files.pop("m.tlog", b"").splitlines()]
        found.append((code, out, err, files, actions))
    assert found[0] == found[1]
    assert found[0][0] == 1
    assert "could not write" in found[0][2]


@pytest.mark.slow
def test_ctrl_c_in_the_lane_leaves_whole_files(tmp_path, monkeypatch):
    """A dealer in mid-match, between bots that never pause: it ends as interrupted, at once."""
    monkeypatch.setenv("ARENA_LANE", "on")
    with DealerProcess(tmp_path, "100000", "-q", "-T", "--ending-codes") as dealer:
        bots = [
            subprocess.Popen(
                [sys.executable, "-m", "agents", "always-call", "127.0.0.1", str(port)],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for port in dealer.ports
        ]
        while len(dealer.log) < 300:
            assert dealer.process.poll() is None
        dealer.interrupt()
        code, _, _ = dealer.finish()
        for bot in bots:
            bot.wait()
    assert code == 130
    assert all(re.match(r"#|STATE:\d+:", line) for line in dealer.log)
    assert (tmp_path / "m.log").read_bytes().endswith(b"\n")
