"""A deadline that moves."""

import math

import pytest

from dealer.server.deadline import Deadline
from tests.helpers.fake_clock import FakeClock


@pytest.fixture
def clock():
    return FakeClock()


def rings(clock: FakeClock, *moves: float) -> list[float]:
    """Set a deadline to each of `moves` seconds from now; return when it rings."""
    start = clock.now
    rung: list[float] = []
    deadline = Deadline(clock, lambda: rung.append(clock.now - start))
    for move in moves:
        deadline.set(start + move)
    clock.advance(1000.0)
    return rung


def test_it_rings_once_when_the_last_deadline_has_passed(clock):
    """Moving it on puts it off; the timer of the first deadline does not ring."""
    assert rings(clock, 2.0, 5.0, 8.0) == [8.0]


def test_it_can_be_moved_forward(clock):
    """A sooner deadline rings sooner."""
    assert rings(clock, 50.0, 3.0) == [3.0]


def test_without_a_deadline_it_never_rings(clock):
    """Neither when there is none, nor when it was taken away."""
    assert rings(clock, math.inf) == []
    assert rings(clock, 2.0, math.inf) == []


def test_a_cancelled_one_never_rings(clock):
    """Its timer is taken back."""
    deadline = Deadline(clock, pytest.fail)
    deadline.set(clock.now + 1)
    deadline.cancel()
    assert clock.pending == []


def test_moving_it_on_sets_no_timer(clock):
    """One timer serves many messages."""
    deadline = Deadline(clock, lambda: None)
    for seconds in range(1, 100):
        deadline.set(clock.now + seconds)
    assert clock.pending == [clock.now + 1]


def test_it_can_be_set_again_after_it_rang(clock):
    """Each deadline rings once."""
    rung = []
    deadline = Deadline(clock, lambda: rung.append(clock.now))
    for _ in range(2):
        deadline.set(clock.now + 1)
        clock.advance(1)
    assert rung == [1001.0, 1002.0]
