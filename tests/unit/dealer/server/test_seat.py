"""One seat's connection, without a connection."""

import asyncio
import socket

from dealer.server.seat import MAX_UNREAD_BYTES, Seat
from protocol.dealer_end import DealerState
from protocol.events import EndOfStream
from tests.helpers.fake_agent import FakeAgent, Told
from tests.helpers.fake_clock import FakeClock, turns

STATE = b"MATCHSTATE:0:0::7d3d|\r\n"


async def test_what_the_socket_does_not_take_waits_in_order():
    """The rest of the message, and all that is sent after it."""
    agent = FakeAgent(0)
    agent.connection.room = 5
    assert agent.seat.send(STATE)
    assert agent.seat.send(b"more\r\n")
    assert (agent.connection.sent, agent.transport.unsent) == (STATE[:5], STATE[5:] + b"more\r\n")


async def test_a_broken_connection_takes_nothing():
    """Whether the socket, the transport or asyncio says so."""
    broken, closing, lost = (FakeAgent(0) for _ in range(3))
    broken.connection.broken = True
    closing.stop_reading()
    closing.transport.closed = True
    lost.seat.connection_lost(None)
    assert [agent.seat.send(STATE) for agent in (broken, closing, lost)] == [False] * 3


async def test_a_seat_that_talks_too_much_is_not_read():
    """Until what it said has been used up; nothing of it is lost."""
    agent = FakeAgent(0)
    lines = MAX_UNREAD_BYTES // 10
    agent.say(b"# comment\n" * lines)
    assert agent.transport.reading
    agent.say(b"# comment\n" * 10)
    assert agent.seat.paused
    assert not agent.transport.reading
    agent.seat.resume()
    assert agent.seat.paused
    agent.seat.end.ask(b"x")
    for _ in range(lines // 2):
        agent.seat.end.next_event()
    agent.seat.resume()
    assert not agent.seat.paused
    assert agent.transport.reading


async def test_the_watcher_is_told_of_bytes_their_end_and_the_loss():
    """Half a connection can still be sent to; a lost one is over."""
    watcher = Told()
    agent = FakeAgent(0, watcher)
    agent.say(b"VERSION:2.0.0\r\n")
    assert agent.seat.eof_received()
    assert watcher.news == ["readable", "readable"]
    assert agent.seat.send(STATE)
    agent.seat.connection_lost(None)
    assert watcher.news[2:] == ["lost"]
    assert agent.seat.lost
    agent.seat.end.next_event()
    agent.seat.end.ask(b"x")
    assert agent.seat.end.next_event() == EndOfStream()
    assert agent.seat.end.state is DealerState.CLOSED


async def test_closing_waits_until_all_is_sent():
    """It ends with the connection."""
    agent = FakeAgent(0)
    closing = asyncio.create_task(agent.seat.aclose(FakeClock(), 2.0))
    await turns()
    assert agent.transport.closed
    assert not closing.done()
    agent.seat.connection_lost(None)
    await closing
    assert not agent.transport.aborted
    await agent.seat.aclose(FakeClock(), 2.0)


async def test_closing_waits_no_longer_than_it_may():
    """Then the connection is dropped."""
    agent, clock = FakeAgent(0), FakeClock()
    closing = asyncio.create_task(agent.seat.aclose(clock, 2.0))
    await turns()
    clock.advance(1.9)
    await turns()
    assert not closing.done()
    clock.advance(0.1)
    await closing
    assert agent.transport.aborted


async def test_a_socket_of_a_pair_comes_back_from_the_lane():
    """As those of relays over TLS and of who plays by HTTP; it knows no options of TCP."""
    ours, theirs = socket.socketpair()
    with theirs:
        loop = asyncio.get_running_loop()
        transport, seat = await loop.connect_accepted_socket(lambda: Seat(0, Told()), ours)
        seat.leave_loop(1.0)
        seat.join_loop(b"")
        assert transport.is_reading()
        transport.abort()
