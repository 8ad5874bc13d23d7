"""From connections to seats: who is waited for, how long, and what is said meanwhile."""

import asyncio
import math
import socket

import pytest

from dealer.server.endings import Ending, MatchEnd, MatchStopped
from dealer.server.observers import Observers
from dealer.server.reconnecting import MAX_NEWCOMERS, ReconnectListener
from dealer.server.seating import (
    HANDSHAKE_SECONDS,
    SILENT_GUEST_SECONDS,
    Handshake,
    Ports,
    attach,
    greet,
    seat_everybody,
)
from dealer.server.waits import NOTICE_SECONDS, WaitWatch
from protocol.handshake import Version
from tests.helpers.fake_agent import VERSION, FakeAgent
from tests.helpers.fake_clock import FakeClock, turns
from tests.helpers.fake_match import Ear
from tests.helpers.said import says


class FakePorts:
    """Ports whose connections come when a test says so."""

    ports = (4001, 4002)

    def __init__(self):
        self.queues = [asyncio.Queue() for _ in self.ports]
        self.closed = []
        self.clients = []

    async def arrival(self, seat):
        connection = await self.queues[seat].get()
        if isinstance(connection, OSError):
            raise connection
        return await attach(connection, seat)

    def vacant(self, first):
        """Return the seats from `first` on to whose ports nobody has connected."""
        return [seat for seat in range(first, 2) if self.queues[seat].empty()]

    def close_seat(self, seat):
        self.closed.append(seat)

    def connect(self, seat, says=b""):
        """Connect to a seat's port; return the client's socket."""
        ours, theirs = socket.socketpair()
        for end in (ours, theirs):
            end.setblocking(False)
        self.queues[seat].put_nowait(ours)
        theirs.send(says)
        self.clients.append(theirs)
        return theirs

    def close(self):
        for client in self.clients:
            client.close()


class Lobby:
    """What the tests of the wait for everybody need."""

    def __init__(self, seconds=math.inf, **options):
        self.ports, self.clock, self.ear = FakePorts(), FakeClock(), Ear()
        observers = Observers([self.ear])
        waits = WaitWatch(("Alice", "Bob"), self.clock)
        waits.begin(self.ports.ports, observers)
        waiting = seat_everybody(
            self.ports, seconds, observers, waits,
            **{"keep_listening": False, "tokens": ("", ""), **options},
        )  # fmt: skip
        self.task = asyncio.create_task(waiting)

    async def ending(self):
        """Return how the wait ended early."""
        await turns(30)
        with pytest.raises(MatchStopped) as caught:
            await self.task
        self.ports.close()
        return caught.value.end

    async def leave(self):
        """Drop everybody."""
        for seat in self.task.result() if self.task.done() else ():
            seat.abort()
        self.task.cancel()
        self.ports.close()
        await turns()


@pytest.mark.parametrize("keep", [False, True])
async def test_everybody_is_seated_in_order(keep):
    """Seat 2 may come first; behind them the ports are closed unless seats may come back."""
    lobby = Lobby(keep_listening=keep)
    lobby.ports.connect(1, VERSION)
    await turns()
    lobby.ports.connect(0, VERSION)
    seats = await lobby.task
    assert [seat.index for seat in seats] == [0, 1]
    assert lobby.ear.of("seat_connected") == [(0,), (1,)]
    assert lobby.ports.closed == ([] if keep else [0, 1])
    await lobby.leave()


async def test_the_limit_holds_for_everybody_together():
    """The second seat has what the first one left."""
    lobby = Lobby(seconds=10)
    await turns()
    lobby.clock.advance(6)
    lobby.ports.connect(0, VERSION)
    await turns(30)
    lobby.clock.advance(3.9)
    await turns(30)
    assert not lobby.task.done()
    lobby.clock.advance(0.1)
    words = "timed out waiting for seat 2 to connect"
    assert await lobby.ending() == MatchEnd(Ending.TIMEOUT, words, 1)


async def test_a_seat_that_connects_and_says_nothing_runs_into_the_limit_too():
    """Its version is missing."""
    lobby = Lobby(seconds=10)
    lobby.ports.connect(0)
    lobby.ports.connect(1, VERSION)
    await turns(30)
    lobby.clock.advance(10)
    words = "could not read version string from seat 1"
    assert await lobby.ending() == MatchEnd(Ending.TIMEOUT, words, 0)


async def test_a_connection_that_cannot_be_accepted_ends_the_match():
    """With the seat's number."""
    lobby = Lobby()
    lobby.ports.queues[0].put_nowait(OSError())
    assert await lobby.ending() == MatchEnd(Ending.ERROR, "seat 1 could not connect", 0)


async def test_it_is_said_whom_the_dealer_waits_for():
    """Every half minute, for connection and version, with the limit where there is one."""
    lobby, limited = Lobby(), Lobby(seconds=1000)
    await turns()
    for each in (lobby, limited):
        each.clock.advance(NOTICE_SECONDS)
        each.ports.connect(1)
        each.clock.advance(NOTICE_SECONDS)
        each.ports.connect(0)
        await turns(30)
        each.clock.advance(NOTICE_SECONDS)
    alice, bob = "Alice (seat 1, port 4001)", "Bob (seat 2, port 4002)"
    for each, ends in ((lobby, ["no time limit"] * 3), (limited, LIMITS)):
        both, one, version = (what for (what,) in each.ear.of("still_waiting"))
        says(both, alice, bob, "connect", "30 s", ends[0])
        says(one, alice, "connect", "60 s", ends[1])
        says(version, alice, "VERSION", "30 s", ends[2])
        assert bob not in one + version
        await each.leave()


LIMITS = [f"--start_timeout ends it in {seconds} s" for seconds in (970, 940, 910)]


@pytest.mark.parametrize(
    ("said", "end"),
    [
        (b"hello\r\n", MatchEnd(Ending.MALFORMED, "invalid version string hello", 0)),
        (b"", MatchEnd(Ending.DISCONNECT, "could not read version string from seat 1", 0)),
    ],
)
async def test_a_seat_that_says_no_version_is_refused(said, end):
    """Another line, or none before the stream ends."""
    agent = FakeAgent(0, Handshake())
    if said:
        agent.say(said)
    else:
        agent.seat.eof_received()
    with pytest.raises(MatchStopped) as caught:
        await greet(agent.seat, math.inf, FakeClock(), Observers())
    assert caught.value.end == end


async def test_another_version_is_told_and_accepted():
    """The line may come in pieces."""
    agent, ear = FakeAgent(0, Handshake()), Ear()
    greeting = asyncio.create_task(greet(agent.seat, math.inf, FakeClock(), Observers([ear])))
    for piece in (b"VERS", b"ION:3.1", b".4\r\n"):
        await turns()
        assert not greeting.done()
        agent.say(piece)
    await greeting
    assert ear.of("version_unsupported") == [(0, Version(3, 1, 4))]


def test_a_port_that_is_taken_is_named():
    """The seat and the address, for the summary; the original's words on stderr."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        number = taken.getsockname()[1]
        with pytest.raises(MatchStopped) as caught:
            Ports("127.0.0.1", [0, number], 2).open()
    assert caught.value.lines == ("ERROR: could not create listen socket for player 2",)
    assert f"127.0.0.1:{number}" in caught.value.end.detail


class Door:
    """The door of seat 1 in mid-match, whose agent has left; the host of newcomers."""

    def __init__(self, *, admits=True, tokens=("", "")):
        self.ports, self.clock = FakePorts(), FakeClock()
        self.seated, self.refused = [], []
        self.admits = admits
        self.agent = FakeAgent(0)
        self.agent.vanish()
        listener = ReconnectListener(self.ports, self.clock, Observers(), tokens)
        self.task = asyncio.create_task(listener.welcome(0, self))

    def owner(self, index):
        return self.agent.seat

    def admit(self, seat):
        if self.admits:
            self.seated.append(seat)
        return self.admits

    def refuse(self, index, why):
        self.refused.append(why)

    async def close(self):
        for seat in self.seated:
            seat.abort()
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)
        self.ports.close()
        await turns()


async def test_a_stranger_has_little_time():
    """Who says no version is sent away with a reason."""
    door = Door()
    door.ports.connect(0)
    await turns(30)
    door.clock.advance(HANDSHAKE_SECONDS)
    await turns(30)
    assert [why.end.ending for why in door.refused] == [Ending.TIMEOUT]
    assert door.seated == []
    await door.close()


async def test_any_number_of_silent_strangers_keep_nobody_out():
    """Those that came first go, and their connections are closed."""
    door = Door()
    strangers = [door.ports.connect(0) for _ in range(3 * MAX_NEWCOMERS)]
    door.ports.connect(0, VERSION)
    await turns(200)
    assert len(door.seated) == 1
    for stranger in strangers[: 2 * MAX_NEWCOMERS]:
        assert stranger.recv(10) == b""
    await door.close()


async def test_a_seat_whose_agent_is_connected_is_taken_by_nobody():
    """A newcomer waits as long as it may take to greet, then it is sent away."""
    door = Door()
    door.agent = FakeAgent(0)
    door.ports.connect(0, VERSION)
    await turns(30)
    door.clock.advance(HANDSHAKE_SECONDS)
    await turns(30)
    assert door.seated == []
    (why,) = door.refused
    says(why.end.detail, "seat 1", "connected")
    await door.close()


@pytest.mark.parametrize("how", ["vanish", "end of stream"])
async def test_a_newcomer_sits_down_once_the_agent_before_it_has_left(how):
    """It was there first: as when a lost connection is noticed late."""
    door = Door()
    door.agent = FakeAgent(0)
    door.ports.connect(0, VERSION)
    await turns(30)
    assert door.seated == []
    if how == "vanish":
        door.agent.vanish()
    else:
        door.agent.seat.eof_received()
    await turns(30)
    assert (len(door.seated), door.refused) == (1, [])
    await door.close()


async def test_a_seats_token_decides_who_may_take_it():
    """Who says it need not wait; who does not is sent away at once, connected agent or not."""
    door = Door(tokens=("secret", ""))
    for said in (b"", b"secre", b"secrets"):
        door.ports.connect(0, VERSION[:-2] + b" " + said + b"\r\n")
    await turns(60)
    assert door.seated == []
    assert len(door.refused) == 3
    for why in door.refused:
        says(why.end.detail, "token", "seat 1")
    door.agent = FakeAgent(0)
    door.ports.connect(0, b"VERSION:2.0.0 secret\r\n")
    await turns(30)
    assert len(door.seated) == 1
    await door.close()


async def test_a_seat_with_a_token_waits_for_who_says_it():
    """Others, silent or with another word, make room; the other seat needs none."""
    lobby = Lobby(tokens=("secret", ""))
    for said in (b"", VERSION, b"VERSION:2.0.0 other\r\n", b"VERSION:2.0.0 secret\r\n"):
        lobby.ports.connect(0, said)
    lobby.ports.connect(1, VERSION)
    await turns(30)
    lobby.clock.advance(SILENT_GUEST_SECONDS)
    seats = await lobby.task
    assert [seat.index for seat in seats] == [0, 1]
    seats, why = zip(*lobby.ear.of("newcomer_refused"), strict=True)
    assert seats == (0, 0, 0)
    says(why[0], "version", "seat 1")
    says(why[1], "token", "seat 1")
    says(why[2], "token", "seat 1")
    await lobby.leave()


async def test_a_newcomer_that_may_not_sit_down_is_dropped():
    """As when the match is over by then."""
    door = Door(admits=False)
    client = door.ports.connect(0, VERSION)
    await turns(30)
    assert client.recv(10) == b""
    assert door.refused == []
    await door.close()


async def test_a_failed_accept_is_tried_again_after_a_pause():
    """No descriptor to be had now may be one later."""
    door = Door()
    door.ports.queues[0].put_nowait(OSError())
    door.ports.connect(0, VERSION)
    await turns(30)
    assert door.seated == []
    door.clock.advance(0.1)
    await turns(30)
    assert len(door.seated) == 1
    await door.close()
