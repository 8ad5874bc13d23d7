"""Times of answers, read from lines and joined with the hands of a log."""

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.handlogs.counting.answer_times import answer_times, read_times, times_of_actions
from engine.handlogs.counting.tally import Tally
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
HANDS = (
    "STATE:3:r300f:2c3c|4c5c:-100|100:Ann|Bob",
    "STATE:5:cr300c/cc/cc/cc:2c3c|4c5c/6d7d8h/9s/Ts:0|0:Bob|Ann",
    "STATE:6:f:2c3c|4c5c:50|-50:Ann|Bob",
)
LINES = b"""\
r300 3 10.5 10.75
f 3 11 13.000001
c 5 14 14.5
r300 5 15 15.25
c 5 16 16
c 5 17 17
c 5 18 18
c 5 19 19
c 5 20 20
c 5 21 21
c 5 22 25
f 6 30.999999999 31.000000001
"""
LINE = re.compile(
    rb"([fc]|r[0-9]*) ([0-9]{1,10}) ([0-9]{1,10})(?:\.([0-9]{1,9}))? "
    rb"([0-9]{1,10})(?:\.([0-9]{1,9}))?"
)


def logged(lines=HANDS):
    """The results and actions of hands."""
    tally = Tally(HUNL, expectation=False, keep_actions=True)
    tally.begin_session()
    for line in lines:
        tally.scan(np.frombuffer(line.encode() + b"\n", np.uint8), 0)
    return tally, tally.results(), tally.actions()


def seconds_of(data, lines=HANDS):
    """The times of all actions."""
    _, results, actions = logged(lines)
    return times_of_actions(results.hand, actions, read_times(data)).tolist()


def slowly(data):
    """Lines as a pattern reads them, whole numbers of billionths of seconds."""
    found = []
    for line in data.split(b"\n")[:-1]:
        match = LINE.fullmatch(line)
        if match is None:
            break
        sent, received = (
            int(match[at]) * 10**9 + int((match[at + 1] or b"").ljust(9, b"0")) for at in (3, 5)
        )
        found.append((match[1][0], int(match[2]), max(0, received - sent)))
    return found


PIECES = st.sampled_from(
    [b"f", b"c", b"r", b"r200", b" ", b"\n", b".", b"0", b"17", b"1795902685.9", b"1" * 11, b"x"]
)


@given(
    st.one_of(
        st.binary(max_size=60),
        st.lists(PIECES, max_size=40).map(b"".join),
        st.lists(st.sampled_from([LINES, LINES[:10], b"f 1 2 3\n", b"c 1 5.5 4\n"])).map(b"".join),
    )
)
@example(b"r 1 2.000000000 3.1\n")
@example(b"c 1 2.0000000000 3\n")
@example(b"c 1 2 3")
def test_lines_are_read_as_a_pattern_reads_them(data):
    """Whatever stands there, up to the first line that is none."""
    found = read_times(data)
    wanted = slowly(data)
    assert list(zip(found.kind.tolist(), found.hand.tolist(), strict=True)) == [
        (kind, hand) for kind, hand, _ in wanted
    ]
    assert found.seconds.tolist() == pytest.approx([1e-9 * took for *_, took in wanted], abs=1e-9)


def test_each_action_has_its_time():
    """In the order of the hands; a hand without actions changes nothing."""
    times = seconds_of(LINES)
    assert times == pytest.approx([0.25, 2.000001, 0.5, 0.25, 0, 0, 0, 0, 0, 0, 3, 2e-9])


@pytest.mark.parametrize(
    ("data", "known"),
    [
        (LINES.replace(b"f 3", b"c 3"), [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
        (LINES.replace(b"c 5 14 14.5\n", b""), [0, 1, 11]),
        (LINES.replace(b"f 6 30", b"f 7 30"), list(range(11))),
        (LINES[: LINES.index(b"f 6")], list(range(11))),
        (LINES + LINES, []),
        (b"", []),
    ],
    ids=["another action", "a line missing", "another hand", "cut off", "twice", "empty"],
)
def test_hands_with_other_lines_have_no_times(data, known):
    """The others have theirs, but where lines are of several matches."""
    times = np.array(seconds_of(data))
    assert np.flatnonzero(~np.isnan(times)).tolist() == known


def test_a_log_of_several_matches_has_no_times():
    """Since a number stands for more than one hand."""
    assert np.isnan(seconds_of(LINES, HANDS * 2)).all()


def test_times_of_each_player_and_street():
    """The slowest first, with the hand of the longest answer."""
    tally, results, actions = logged()
    seconds = times_of_actions(results.hand, actions, read_times(LINES))
    rows = answer_times(results.players, actions, seconds, tally.players)
    assert [(row.player, row.street, row.answers) for row in rows] == [
        ("Ann", None, 6),
        ("Ann", 0, 3),
        ("Ann", 1, 1),
        ("Ann", 2, 1),
        ("Ann", 3, 1),
        ("Bob", None, 6),
        ("Bob", 0, 3),
        ("Bob", 1, 1),
        ("Bob", 2, 1),
        ("Bob", 3, 1),
    ]
    mine = seconds[results.players[actions.hand, actions.position] == tally.players.index("Ann")]
    assert rows[0].mean == pytest.approx(mine.mean())
    assert rows[0].quantiles == pytest.approx(np.quantile(mine, (0.5, 0.95, 0.99)))
    assert (rows[0].longest, rows[0].longest_hand) == (mine.max(), 1)
    seconds[:] = np.nan
    assert answer_times(results.players, actions, seconds, tally.players) == []
