"""Guests whose connections are lost before they have said anything."""

import asyncio
import socket

from dealer.bots.processes import ProcessLauncher
from dealer.hub.match_host import HostedLeg
from dealer.lane.loading import LaneLoader
from dealer.plan.match_plan import LaneMode, MatchLimits, MatchPlan, Records, SeatPlan
from dealer.plan.plan_documents import plan_document
from dealer.server.endings import Ending
from dealer.server.seating import MAX_NEWCOMERS
from protocol.gamedefs import builtin_path

VERSION = b"VERSION:2.0.0\r\n"


def hosted_leg(folder, start_timeout=60_000):
    """A leg of three hands of two guests."""
    plan = MatchPlan(
        "m",
        "kuhn",
        3,
        1,
        (SeatPlan("ann"), SeatPlan("bob")),
        Records(str(folder / "m.log"), transcript=False),
        MatchLimits(start_timeout=start_timeout, reconnect=60.0),
        lane=LaneMode.OFF,
    )
    game = str(builtin_path("kuhn"))
    document = {"leg": "1.0", "plan": plan_document(plan), "game": game, "house": []}
    return HostedLeg(document, ProcessLauncher(), LaneLoader(), folder)


async def call(connection):
    """Call whatever comes, until the match is over."""
    reader, writer = await asyncio.open_connection(sock=connection)
    writer.write(VERSION)
    while line := await reader.readline():
        _, position, _, betting, _ = line.split(b":")
        if betting == b"c" * int(position):
            writer.write(line.strip() + b":c\r\n")
    writer.close()


async def test_a_connection_that_is_lost_before_its_first_line_ends_nothing(tmp_path):
    """At once, or with half a line; the guest has its seat when it comes again."""
    leg = hosted_leg(tmp_path)
    playing = asyncio.create_task(leg.play(lambda: None))
    for said in (b"", VERSION[:5]):
        guest, ours = socket.socketpair()
        arriving = asyncio.create_task(leg.seat({"seat": 0, "received": ""}, ours))
        guest.sendall(said)
        guest.close()
        await arriving
    async with asyncio.TaskGroup() as group:
        for seat in (0, 1):
            guest, ours = socket.socketpair()
            group.create_task(leg.seat({"seat": seat, "received": ""}, ours))
            group.create_task(call(guest))
        end = await playing
    assert end.ending is Ending.FINISHED, end
    assert leg.hands == 3


async def test_who_says_nothing_is_waited_for_until_the_start_is_over(tmp_path):
    """Then the leg ends, and its connection with it."""
    leg = hosted_leg(tmp_path, start_timeout=200)
    guest, ours = socket.socketpair()
    with guest:
        arriving = asyncio.create_task(leg.seat({"seat": 0, "received": "VERS"}, ours))
        end = await leg.play(lambda: None)
        assert end.ending is not Ending.FINISHED
        await arriving
        assert guest.recv(1) == b""


async def test_a_seat_takes_no_more_connections_than_newcomers(tmp_path):
    """Of those who say nothing the oldest go, of those who wait the newest; the match is played."""
    leg = hosted_leg(tmp_path)
    playing = asyncio.create_task(leg.play(lambda: None))

    def come(seat, received=b""):
        guest, ours = socket.socketpair()
        guest.setblocking(False)
        document = {"seat": seat, "received": received.decode()}
        return guest, asyncio.create_task(leg.seat(document, ours))

    async with asyncio.TaskGroup() as group:
        first, arriving = come(1)
        group.create_task(call(first))
        await arriving
        waiting = [come(1, VERSION) for _ in range(2 * MAX_NEWCOMERS)]
        await asyncio.wait([task for _, task in waiting])
        assert sum(map(is_open, [guest for guest, _ in waiting])) == MAX_NEWCOMERS - 1
        silent = [come(0) for _ in range(2 * MAX_NEWCOMERS)]
        await asyncio.wait([task for _, task in silent[:MAX_NEWCOMERS]])
        assert [is_open(guest) for guest, _ in silent] == (
            [False] * MAX_NEWCOMERS + [True] * MAX_NEWCOMERS
        )
        last, _ = come(0)
        group.create_task(call(last))
        end = await playing
    assert end.ending is Ending.FINISHED, end
    assert not any(is_open(guest) for guest, _ in waiting + silent)
    for guest, _ in waiting + silent:
        guest.close()


def is_open(guest):
    """Whether the other end of a connection has not closed it."""
    try:
        return guest.recv(1) != b""
    except BlockingIOError:
        return True
