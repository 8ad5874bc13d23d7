"""Whole hands are told to whoever wants them, in the fast lane as in the readable path."""

from pathlib import Path

import numpy as np
import pytest

from dealer.lane import layout
from dealer.plan.match_plan import LaneMode
from dealer.server.time_limits import MatchSettings
from protocol.gamedefs import load_builtin
from protocol.handlog import format_hand
from tests.helpers.dealer_process import DealerProcess
from tests.helpers.interpreter import INTERPRETER
from tests.helpers.pipelined import play_pipelined
from tests.helpers.streamed_match import VERSION, Seen, Stream, play_streams
from tests.property.test_fast_lane import FREE, conversation

HUNL = load_builtin("hunl")
HANDS = 700
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def streams() -> list[bytes]:
    """What two seats send in a match of `HANDS` hands, all of it ordinary."""
    return [bytes(one) for one in conversation(HUNL, HANDS, 0.0, np.random.default_rng(6))]


@pytest.fixture(scope="module")
def readable(tmp_path_factory, streams) -> Seen:
    return play(tmp_path_factory.mktemp("off"), LaneMode.OFF, streams)


def play(folder: Path, mode: LaneMode, streams: list[bytes]) -> Seen:
    sent = [Stream(stream, stays=True) for stream in streams]
    return play_streams(folder, mode, HUNL, MatchSettings(HANDS, (FREE,) * 2), sent, told=True)


@pytest.mark.parametrize("mode", [LaneMode.ON, LaneMode.MIXED])
def test_the_same_hands_are_told_in_the_lane(tmp_path, streams, readable, mode):
    """All that are in the log, in its order; more than the lane keeps in one visit."""
    seen = play(tmp_path, mode, streams)
    assert len(seen.log) > 2 * layout.HAND_TEXTS_BYTES
    assert [format_hand(hand) for hand in seen.hands] == seen.log.splitlines()
    assert seen.is_like(readable)
    assert seen.lane_turns > 0
    if mode is LaneMode.ON:  # left between two hands only, to tell them
        assert seen.left_for == {layout.HAND_DONE}
        assert seen.lane_turns == len(seen.transactions)


@pytest.mark.parametrize("mode", list(LaneMode))
def test_a_dealer_tells_the_hands_of_its_log(tmp_path, streams, monkeypatch, mode):
    """Whichever way they are played, and whether or not there is a log."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    told = []
    for number, options in enumerate((["-q"], ["-q", "-l"])):
        folder = tmp_path / str(number)
        folder.mkdir()
        with DealerProcess(
            folder,
            str(HANDS),
            *options,
            "--lane",
            mode.value,
            python=INTERPRETER,
            program="tests.helpers.telling_dealer",
        ) as dealer:
            play_pipelined(dealer.ports, [VERSION + stream for stream in streams])
            code, _, err = dealer.finish()
            assert code == 0, err
        told.append((folder / "hands.txt").read_text().splitlines())
    log = (tmp_path / "0" / "m.log").read_text().splitlines()
    assert told[0] == [line for line in log if line.startswith("STATE:")]
    assert told[1] == told[0]
    assert len(told[0]) == HANDS
