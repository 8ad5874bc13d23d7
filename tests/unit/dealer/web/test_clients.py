"""What each client takes: connections, a rate, and who hides behind a proxy."""

import ipaddress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.web import clients as clients_module
from dealer.web.clients import ClientLimits, Clients, client_key

LIMITS = ClientLimits(connections=2, rate=4.0, burst=3)
PROXY = (ipaddress.ip_network("10.0.0.0/8"), ipaddress.ip_network("::1"))


@pytest.mark.parametrize(
    ("address", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("", "", True),
    ],
)
def test_who_is_one_client(address, other, same):
    """An IPv4 address, or 64 bits of IPv6; one of IPv4 in IPv6 is of IPv4."""
    assert (client_key(address) == client_key(other)) is same


def test_a_look_at_the_rate_counts_nothing():
    """However often one looks; after too many requests it says for how long to wait."""
    clients = Clients(LIMITS)
    assert [clients.wait("a", 0.0) for _ in range(9)] == [0.0] * 9
    for _ in range(3):
        clients.ask("a", 0.0)
    assert [clients.wait("a", 0.0), clients.wait("a", 0.25)] == [0.25, 0.0]


def test_what_is_given_back_may_be_asked_for_again():
    """Once for each, and never more than at first."""
    clients = Clients(LIMITS)
    clients.give_back("a", 0.0)
    assert [clients.ask("a", 0.0) > 0 for _ in range(4)] == [False] * 3 + [True]
    clients.give_back("a", 0.0)
    assert [clients.ask("a", 0.0) > 0 for _ in range(2)] == [False, True]


def test_connections_at_a_time_are_counted():
    """One that ends makes room, and others have room of their own."""
    clients = Clients(LIMITS)
    assert [clients.connect("a", 0.0) > 0 for _ in range(3)] == [False, False, True]
    assert clients.connect("b", 0.0) == 0
    clients.disconnect("a")
    assert clients.connect("a", 9.0) == 0


def test_a_rate_is_kept():
    """A burst, then so many a second; the wait that is told is as long as it takes."""
    clients = Clients(LIMITS)
    assert [clients.ask("a", 5.0) for _ in range(3)] == [0, 0, 0]
    assert clients.ask("a", 5.0) == 0.25
    assert clients.ask("a", 5.1) == pytest.approx(0.15)
    assert clients.ask("b", 5.1) == 0
    assert clients.ask("a", 5.26) == 0
    assert [clients.ask("a", 99.0) > 0 for _ in range(4)] == [False, False, False, True]


def test_a_connection_for_each_request_gets_on():
    """Who waits as long as he is told has each request heard, with none refused behind it."""
    clients, now = Clients(LIMITS), 0.0
    for _ in range(20):
        while wait := clients.connect("a", now):
            now += wait
        assert clients.ask("a", now) == 0
        clients.disconnect("a")
    assert now == pytest.approx((2 * 20 - LIMITS.burst) / LIMITS.rate)


@given(st.lists(st.floats(0, 0.3), max_size=60))
def test_no_pace_gets_more_than_the_rate(gaps):
    """However requests are spread."""
    clients, now, taken = Clients(LIMITS), 0.0, 0
    for gap in gaps:
        now += gap
        taken += clients.ask("a", now) == 0
    assert taken <= LIMITS.burst + LIMITS.rate * now + 1e-6


@pytest.mark.parametrize(
    ("address", "forwarded", "client"),
    [
        ("192.0.2.7", "198.51.100.1", "192.0.2.7"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("::1", "1.2.3.4, 198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "198.51.100.1, 10.2.2.2", "198.51.100.1"),
        ("10.0.0.1", "198.51.100.1, nonsense", "10.0.0.1"),
        ("10.0.0.1", "2001:db8::1", "2001:db8::1"),
    ],
)
def test_a_trusted_proxy_tells_who_asks(address, forwarded, client):
    """Only what such a proxy has added counts: a client can send the field, too."""
    clients = Clients(ClientLimits(2, 4.0, 3, PROXY))
    assert clients.asking(address, forwarded) == client


def test_a_proxy_itself_has_no_limits():
    """All who ask through it would share them."""
    clients = Clients(ClientLimits(2, 4.0, 3, PROXY))
    assert not any(clients.connect("10.0.0.1", 0.0) + clients.ask("::1", 0.0) for _ in range(50))
    clients.disconnect("10.0.0.1")


def test_memory_is_bounded(monkeypatch):
    """Those who were here last, and those with connections, are remembered."""
    monkeypatch.setattr(clients_module, "_MOST_CLIENTS", 10)
    clients = Clients(LIMITS)
    assert clients.connect("stays", 0.0) == 0
    for number in range(1000):
        assert clients.connect(f"client {number}", 0.0) == 0
        clients.disconnect(f"client {number}")
    assert len(clients._buckets) == 10
    assert list(clients._connections) == ["stays"]
    assert clients.connect("stays", 0.0) == 0
    assert clients.connect("stays", 0.0) > 0


def test_who_reserves_is_put_off_by_those_before_it():
    """Each has its turn, however many come at once; proxies have no such limits."""
    clients = Clients(LIMITS)
    assert [clients.reserve("a", 0.0) for _ in range(6)] == [0, 0, 0, 0.25, 0.5, 0.75]
    assert clients.reserve("b", 0.0) == 0
    assert [clients.reserve("c", 0.0, needed=2) for _ in range(3)] == [0, 0, 0.25]
    assert clients.reserve("a", 1.5) == 0
    assert Clients(replace(LIMITS, proxies=PROXY)).reserve("10.1.1.1", 0.0) == 0
