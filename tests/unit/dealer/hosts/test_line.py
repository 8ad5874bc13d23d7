"""The line between hosts: messages, signs of life, faults, farewells."""

import threading

import pytest

from dealer.hosts.line import HostLine
from tests.helpers.fake_store import FakeStore


class Clock:
    """Seconds that pass only by hand."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def three():
    """The lines of a first host and two others, the store and the clock."""
    store, clock = FakeStore(), Clock()
    first = HostLine(store, 0, (1, 2), clock=clock)
    others = [HostLine(store, rank, (0,), clock=clock) for rank in (1, 2)]
    return first, *others, store, clock


def test_the_first_hears_all_and_knows_who_spoke(three):
    """Each other hears the first alone."""
    first, one, two, *_ = three
    one.send(0, {"from": 1})
    two.send(0, {"from": 2})
    first.send(2, {"to": 2})
    for line in (one, two, first, two, one):
        line.exchange()
    assert [first.take(), first.take(), first.take()] == [(1, {"from": 1}), (2, {"from": 2}), None]
    assert (two.take(), one.take()) == ((0, {"to": 2}), None)


def test_who_is_silent_is_known_by_the_seconds(three):
    """Signs of life count when they change, by the clock of who looks."""
    first, one, two, _, clock = three
    for line in (one, two, first):
        line.exchange()
    assert first.was_heard(1)
    for _ in range(5):
        clock.now += 1.0
        one.exchange()
        first.exchange()
    assert (first.silent_for(1), first.silent_for(2)) == (0.0, 5.0)
    clock.now += 3.0
    assert first.silent_for(1) == 3.0


def test_a_lost_store_is_told_in_a_line_and_ends_the_thread(three):
    """Whoever listens is called; closing does not wait for anybody then."""
    first, _, _, store, _ = three
    told = threading.Event()
    first.listen(told.set)
    store.fault = "Connection reset"
    first.start()
    assert told.wait(10)
    assert first.fault == "Connection reset"
    first.close([1, 2])


def test_the_last_words_are_sent_and_heard(three):
    """The first leaves after the others have heard it and left."""
    first, one, _, store, _ = three
    one.start()
    first.start()
    first.send(1, {"what": "over"})
    heard = threading.Event()
    one.listen(heard.set)
    assert heard.wait(10)
    assert one.take() == (0, {"what": "over"})
    one.close()
    first.close([1])
    assert {"left.0", "left.1"} <= set(store.values)
    first.close([1])
