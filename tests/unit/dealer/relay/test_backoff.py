"""Waits between tries."""

from hypothesis import given
from hypothesis import strategies as st

from dealer.relay.backoff import Backoff


def test_waits_double_up_to_the_longest():
    """By chance, from nothing on."""
    backoff = Backoff(1.0, 10.0, chance=lambda: 1.0)
    assert [backoff.next() for _ in range(6)] == [1, 2, 4, 8, 10, 10]
    backoff.reset()
    assert backoff.next() == 1
    assert Backoff(1.0, 10.0, chance=lambda: 0.0).next() == 0


@given(st.floats(0, 1e5), st.integers(1, 40))
def test_the_server_is_left_alone_as_long_as_it_wants(asked, tries):
    """And not by all clients for exactly so long."""
    backoff = Backoff()
    waits = [backoff.next(asked) for _ in range(tries)]
    assert all(asked <= wait <= asked + 60 for wait in waits)


def test_clients_do_not_come_back_together():
    """The waits of many are spread."""
    waits = {Backoff(1.0).next() for _ in range(100)}
    assert len(waits) > 90
    assert max(waits) - min(waits) > 0.5
