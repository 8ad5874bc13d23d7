"""What the user sees while the match is played."""

import io

import pytest

from dealer.commands.command_run import MatchProgress
from dealer.series.logs import MatchLogs
from dealer.server.waits import Wait
from protocol.gamedef import parse_gamedef
from tests.helpers.said import says_in_a_line

HAND = ("rf", "3d2d|AcKc", (300, -300), ("A", "B"))


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


class Clock:
    """A clock that is set by hand."""

    seconds = 1000.0

    def __call__(self):
        return self.seconds


@pytest.fixture
def logs(make_manifest, tmp_path):
    manifest = make_manifest(hands=1000)
    return MatchLogs(manifest, parse_gamedef(manifest.game_text), tmp_path)


@pytest.fixture
def play(tmp_path, write_log):
    """Return a function after which so many hands of the first leg have been played."""
    return lambda hands: write_log(tmp_path / "A.B.0.0.log", [HAND] * hands)


def test_terminal_has_one_living_line(logs, play):
    """Speed and time left, if known, from the hands of this call, the result from all hands."""
    stream, clock = Terminal(), Clock()
    MatchProgress(logs, stream, standing=logs.standing, clock=clock)()
    assert stream.getvalue() == "\r\x1b[K0/2,000 hands  0%  0 hands/s  -:-- left  A - mbb/h"
    stream = Terminal()
    play(100)
    logs.read_new()
    progress = MatchProgress(logs, stream, standing=logs.standing, clock=clock)
    play(500)
    clock.seconds += 2
    progress()
    assert stream.getvalue() == (
        "\r\x1b[K500/2,000 hands  25%  200 hands/s  0:08 left  A +3,000.0 ± 0.0 mbb/h"
    )
    progress.clear()
    progress.clear()
    assert stream.getvalue().endswith("mbb/h\r\x1b[K")


def test_the_line_counts_in_sets_once_most_hands_are_in_one(logs, play, tmp_path, write_log):
    """As the table at the end will."""
    stream, clock = Terminal(), Clock()
    progress = MatchProgress(logs, stream, standing=logs.standing, clock=clock)
    play(500)
    write_log(tmp_path / "A.B.0.1.log", [("rf", "3d2d|AcKc", (-100, 100), ("A", "B"))] * 400)
    clock.seconds += 2
    progress()
    assert stream.getvalue().endswith(" left  A +1,000.0 ± 0.0 mbb/h in sets")


def test_line_is_cut_to_the_terminal(logs, play, monkeypatch):
    """A line that wraps could not be replaced."""
    monkeypatch.setenv("COLUMNS", "20")
    stream, clock = Terminal(), Clock()
    progress = MatchProgress(logs, stream, standing=logs.standing, clock=clock)
    play(1)
    progress()
    assert stream.getvalue() == "\r\x1b[K1/2,000 hands  0%  "


def test_files_get_a_line_now_and_then(logs, play):
    """After 5 s, 15 s, 35 s, then more and more seldom, at least once a minute."""
    stream, clock = io.StringIO(), Clock()
    progress = MatchProgress(logs, stream, standing=logs.standing, clock=clock)
    play(1)
    shown = []
    for second in range(1, 200):
        clock.seconds = 1000.0 + second
        before = len(stream.getvalue())
        progress()
        if len(stream.getvalue()) > before:
            shown.append(second)
    assert shown == [5, 15, 35, 75, 135, 195]
    assert "\x1b" not in stream.getvalue()
    assert (
        stream.getvalue().splitlines()[0].startswith("1/2,000 hands  0%  0 hands/s  2:46:35 left")
    )


def test_quiet_shows_only_what_must_be_said(logs, play):
    """A listening bot's address cannot wait; nothing is even read for progress."""
    stream, clock = Terminal(), Clock()
    progress = MatchProgress(logs, stream, shown=False, clock=clock)
    play(1)
    progress()
    progress.step("working", 1, 2)
    assert stream.getvalue() == ""
    assert logs.hands == 0
    progress.say("connect to 127.0.0.1 port 5")
    assert stream.getvalue() == "connect to 127.0.0.1 port 5\n"


def test_saying_something_makes_room_first(logs):
    """The living line never runs into other text."""
    stream = Terminal()
    progress = MatchProgress(logs, stream, clock=Clock())
    progress.step("all-in expectation, hands", 16, 2000)
    progress.say("hello")
    assert stream.getvalue() == "\r\x1b[Kall-in expectation, hands 16/2,000\r\x1b[Khello\n"


def test_terminal_that_went_away_stops_nothing(logs, play):
    """The match goes on; its logs are what counts."""

    class Gone(Terminal):
        def write(self, text):
            raise OSError(5, "Input/output error")

    play(1)
    progress = MatchProgress(logs, Gone(), clock=Clock())
    progress()
    progress.clear()
    assert logs.hands == 1


GUEST = Wait("guest (seat 1, port 4001)", "to connect", 1000.0, 1600.0, "--start_timeout")
SLOW = Wait("A (seat 1, port 4001)", "to act in hand 17", 990.0, None, "", True)


def test_wait_for_a_guest_is_told_and_not_counted(logs, play):
    """No time left can be known then, and the speed is that of play."""
    stream, clock, waits = Terminal(), Clock(), {}
    progress = MatchProgress(logs, stream, standing=logs.standing, clock=clock, waits=waits)
    waits["A.B.0.0"] = lambda: GUEST
    for _ in range(50):
        clock.seconds += 1
        progress()
    told = "\r\x1b[K0/2,000 hands  waiting for guest (seat 1, port 4001) to connect for 49 s"
    assert told in stream.getvalue()
    waits.clear()
    play(400)
    clock.seconds += 2
    progress()
    assert "  200 hands/s  0:08 left" in stream.getvalue()


def test_wait_in_play_is_told_and_counted(logs, play):
    """A bot that thinks is slow; of several legs that wait, the one is named that waits longest."""
    stream, clock = io.StringIO(), Clock()
    waits = {"A.B.0.0": lambda: GUEST, "A.B.0.1": lambda: SLOW}
    progress = MatchProgress(logs, stream, standing=logs.standing, clock=clock, waits=waits)
    clock.seconds += 10
    progress()
    told = stream.getvalue()
    assert told.startswith("0/2,000 hands  ")
    says_in_a_line(told, "A (seat 1, port 4001)", "hand 17", "20 s", "no time limit", "1 more")
    waits.clear()
    play(100)
    clock.seconds += 10
    progress()
    assert "  5 hands/s  " in stream.getvalue()


def test_hands_of_legs_without_a_dealer_count_before_their_log_is_there(logs, play):
    """Of a leg that is over its log has them."""
    stream, clock, unlogged = Terminal(), Clock(), {}
    progress = MatchProgress(logs, stream, standing=logs.standing, clock=clock, unlogged=unlogged)
    unlogged["A.B.0.0"] = lambda: 400
    clock.seconds += 2
    progress()
    assert "400/2,000 hands  20%  200 hands/s  0:08 left" in stream.getvalue()
    play(1000)
    unlogged.clear()
    progress()
    assert stream.getvalue().rpartition("\r")[2].startswith("\x1b[K1,000/2,000 hands  50%")
