"""The line between hosts: messages, once and whole, signs of life, faults, farewells."""

import threading

import pytest

from dealer.hosts.line import HostLine, Inbox, Outbox
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


def test_messages_arrive_once_in_order_and_leave_nothing_behind():
    """Plain values and bytes; who has read them all finds nothing more."""
    store = FakeStore()
    outbox, inbox = Outbox(store, "0-1"), Inbox(store, "0-1")
    assert inbox.receive() is None
    sent = [{"what": "play", "files": {"a.log": bytes(range(256))}}, {"what": "over", "no": None}]
    for message in sent:
        outbox.send(message)
    assert [inbox.receive(), inbox.receive(), inbox.receive()] == [*sent, None]
    assert not store.values


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_long_messages_go_in_pieces(monkeypatch, size):
    """The store takes no value of any length."""
    monkeypatch.setattr("dealer.hosts.line.PIECE_BYTES", size)
    store = FakeStore()
    message = {"text": "".join(chr(65 + number * number % 53) for number in range(500))}
    Outbox(store, "x").send(message)
    assert max(map(len, store.values.values())) <= max(size, 3)
    assert Inbox(store, "x").receive() == message
    assert not store.values


def test_a_message_whose_sender_died_in_the_middle_is_not_seen():
    """Its pieces are there, but not what is written last."""
    store = FakeStore()
    Outbox(store, "x").send({"what": "played"})
    del store.values["x/0"]
    assert store.values
    assert Inbox(store, "x").receive() is None
