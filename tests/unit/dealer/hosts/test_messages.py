"""Mailboxes in a store: every message once, in order, whole."""

import pytest

from dealer.hosts.messages import Inbox, Outbox
from tests.helpers.fake_store import FakeStore


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
    monkeypatch.setattr("dealer.hosts.messages.PIECE_BYTES", size)
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


def test_mailboxes_do_not_mix():
    """Nobody reads what was meant for another."""
    store = FakeStore()
    Outbox(store, "0-1").send({"for": 1})
    Outbox(store, "0-2").send({"for": 2})
    assert Inbox(store, "0-2").receive() == {"for": 2}
    assert Inbox(store, "1-0").receive() is None
