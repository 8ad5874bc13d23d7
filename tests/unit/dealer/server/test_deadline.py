"""A deadline that moves."""

import math
from types import SimpleNamespace

import pytest

from dealer.server import deadline
from dealer.server.deadline import Deadline


class Clock:
    """An event loop of timers whose time passes when it is told to."""

    def __init__(self):
        self.now = 0.0
        self.timers = []

    def call_at(self, when, callback):
        timer = SimpleNamespace(when=when, callback=callback)
        timer.cancel = lambda: self.timers.remove(timer) if timer in self.timers else None
        self.timers.append(timer)
        return timer

    def run_until(self, end):
        while self.timers and (timer := min(self.timers, key=lambda one: one.when)).when <= end:
            self.now = timer.when
            self.timers.remove(timer)
            timer.callback()
        self.now = end


@pytest.fixture
def clock(monkeypatch):
    """The clock that deadlines are set on."""
    clock = Clock()
    monkeypatch.setattr(deadline, "monotonic", lambda: clock.now)
    monkeypatch.setattr(deadline, "asyncio", SimpleNamespace(get_running_loop=lambda: clock))
    return clock


@pytest.fixture
def rings(clock):
    """Set a deadline to each of some moments; return when it rang in ten seconds."""

    def rings(*moments):
        rung = []
        alarm = Deadline(lambda: rung.append(clock.now))
        for moment in moments:
            alarm.set(moment)
        clock.run_until(10.0)
        alarm.cancel()
        return rung

    return rings


def test_it_rings_once_when_the_last_deadline_has_passed(rings):
    """Moving it on puts it off; the timer of the first deadline does not ring."""
    assert rings(2.0, 5.0, 8.0) == [8.0]


def test_it_can_be_moved_forward(rings):
    """A sooner deadline rings sooner."""
    assert rings(9.0, 3.0) == [3.0]


def test_it_rings_again_when_it_is_set_again(clock):
    """Each time once, with one timer at most."""
    rung = []
    alarm = Deadline(lambda: rung.append(clock.now))
    for start in (0.0, 10.0):
        alarm.set(start + 4.0)
        clock.run_until(start + 2.0)
        alarm.set(start + 6.0)
        assert len(clock.timers) == 1
        clock.run_until(start + 10.0)
    assert rung == [6.0, 16.0]


def test_without_a_deadline_it_never_rings(rings, clock):
    """Neither when there is none, nor when it was taken away or forgotten."""
    assert rings(math.inf) == []
    clock.now = 0.0
    assert rings(2.0, math.inf) == []
    alarm = Deadline(lambda: pytest.fail("it rang"))
    alarm.set(clock.now + 1.0)
    alarm.cancel()
    clock.run_until(clock.now + 5.0)
