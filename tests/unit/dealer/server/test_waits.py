"""Whom the dealer waits for: what is seen of a match, and who learns of it."""

import math
import os
import tempfile

import pytest

from dealer.server.observers import Observers
from dealer.server.time_limits import TimeLimits
from dealer.server.waits import BOARD_BYTES, Wait, WaitWatch, post, read_board
from tests.helpers.fake_clock import FakeClock
from tests.helpers.fake_match import Ear, fake_match
from tests.helpers.said import says

PORTS = (4001, 4002)
ALICE, BOB = "Alice (seat 1, port 4001)", "Bob (seat 2, port 4002)"
LIMITS = TimeLimits(100.0, 60.0, 500.0)


@pytest.fixture
def board():
    """An open file to write on."""
    with tempfile.TemporaryFile() as file:
        yield file.fileno()


def watched(m):
    """Return a look at a match whose observers are not told of it."""
    watch = WaitWatch(("Alice", "Bob"), m.clock)
    watch.begin(PORTS, Observers())
    return lambda: m.match.current_wait(watch), watch


async def test_the_seat_to_act_is_waited_for():
    """Since it was asked; a response's limit ends it, behind a line that is none the hand's."""
    async with fake_match(limits=LIMITS) as m:
        look, _ = watched(m)
        m.clock.advance(12)
        says(look().text(m.clock.now), BOB, "act", "hand 0", "12 s", "--t_response", "88 s")
        m.actor.say(b"# thinking\r\n")
        says(look().text(m.clock.now), BOB, "act", "hand 0", "12 s", "--t_hand", "48 s")
        m.act(b"f", b"f")
        assert look() is None


async def test_a_seat_that_does_not_read_is_waited_for():
    """Whoever is to act."""
    async with fake_match() as m:
        look, _ = watched(m)
        m.agents[0].seat.congested = True
        m.act(b"c")
        m.clock.advance(3)
        says(look().text(m.clock.now), ALICE, "read", "hand 0", "3 s", "no time limit")


async def test_a_lost_seat_is_to_come_back():
    """While the match needs it, until the reconnect time is over."""
    async with fake_match(reconnect_s=30.0) as m:
        look, watch = watched(m)
        watch.seat_lost(1, 0)
        m.clock.advance(5)
        told = look().text(m.clock.now)
        says(told, BOB, "come back", "hand 0", "5 s", "--reconnect", "25 s")
        watch.seat_reconnected(1, 0)
        says(look().what, "act", "hand 0")


def test_scarce_time_is_told_apart():
    """The smaller rest of hand and match; a limit that no option sets has no name."""
    wait = Wait("A", "to act", 0.0, 9.6, "--t_per_hand", True)
    says(wait.text(2.0), "A to act", "2 s", "--t_per_hand", "8 s")
    says(wait.text(30.0), "30 s", "--t_per_hand", "0 s")
    assert Wait("A", "to sit", 0.0, 9.0).text(2.0) == "A to sit for 2 s; it is ended in 7 s"


def test_short_waits_are_worth_no_word(board):
    """The board has those of more than a second, and is wiped when they are over."""
    clock, ear = FakeClock(), Ear()
    watch = WaitWatch(("Alice", "Bob"), clock, board)
    observers = Observers([ear])
    watch.begin(PORTS, observers)
    with watch.during(lambda: [1], "to connect", math.inf):
        clock.advance(0.9)
        assert read_board(board) is None
        clock.advance(0.2)
        assert read_board(board) == Wait(BOB, "to connect", 1000.0, None, "--start_timeout")
        clock.advance(100)
    assert len(ear.of("still_waiting")) == 3
    clock.advance(1)
    assert read_board(board) is None
    watch.end()
    assert clock.pending == []


def test_a_match_that_is_stopped_leaves_on_the_board_what_holds_at_that_moment(board):
    """Not what held at the last look, up to a second before; nothing changes it any more."""
    clock = FakeClock()
    watch = WaitWatch(("Alice", "Bob"), clock, board)
    watch.begin(PORTS, Observers())
    with watch.during(lambda: [1], "to connect", math.inf):
        clock.advance(5)
    asked = Wait(ALICE, "to act in hand 3", clock.monotonic() - 2.0, None, "--t_response", True)
    watch.look_at(lambda: asked)
    watch.freeze()
    assert read_board(board) == asked
    watch.look_at(lambda: None)
    clock.advance(5)
    assert read_board(board) == asked


def test_a_wait_that_is_over_is_not_left_on_the_board_of_a_stopped_match(board):
    """A bot that has connected within the last second is not said to be missing."""
    clock = FakeClock()
    watch = WaitWatch(("Alice", "Bob"), clock, board)
    watch.begin(PORTS, Observers())
    with watch.during(lambda: [1], "to connect", math.inf):
        clock.advance(5)
    watch.freeze()
    assert read_board(board) is None


def test_nobody_is_looked_for_where_nobody_listens():
    """A quiet dealer sets no timer."""
    clock = FakeClock()
    WaitWatch(("Alice",), clock).begin((4001,), Observers())
    assert clock.pending == []


@pytest.mark.parametrize("written", [b"", b"{", b"[]", b'{"who": 1}', b"\xff" * BOARD_BYTES])
def test_a_board_that_cannot_be_read_says_nothing(board, written):
    """As one that is just being written."""
    os.write(board, written)
    assert read_board(board) is None


def test_a_board_that_cannot_be_written_is_left_alone():
    """A pipe is none: nobody need read it, and nothing blocks."""
    reading, writing = os.pipe()
    for _ in range(100):
        post(writing, Wait("A", "to act", 0.0))
    post(-1, None)
    assert read_board(reading) is None
    os.close(reading)
    os.close(writing)
