"""How often the lane looks for an answer before it sleeps: only where that is of use."""

import fcntl
import socket
import struct
import sys
import threading

import numpy as np
import pytest

from dealer.lane.arrays import LaneArrays
from dealer.lane.handover import LaneTerms
from dealer.lane.lane import Lane
from dealer.lane.layout import (
    DESCRIPTOR,
    INBOX_BYTES,
    IS_HELD,
    LAST_SLEEPS,
    LOOKS,
    MOST_SLEEPS,
    SLEEPS_LEFT,
    SOCKET_LOOKS,
)
from dealer.lane.waiting import receive
from engine.compiled.jit import RUNS_AS_PYTHON, raw_kernel
from protocol.gamedefs import load_builtin

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or RUNS_AS_PYTHON, reason="calls the C library from compiled code"
)


SIOCOUTQNSD = 0x894B
"""Asks the system how much it was given and has not sent yet."""
TABLES = ("seats", "limits", "used", "inbox", "outbox")
"""Arrays with a row for each of two seats."""


@raw_kernel
def receive_once(lane: LaneArrays, descriptor: int) -> int:
    """Wait for bytes as a turn does."""
    return receive(lane, np.int32(descriptor), lane.inbox.ctypes.data, INBOX_BYTES)


@pytest.fixture
def arrays() -> LaneArrays:
    terms = LaneTerms(load_builtin("hunl"), 1, ("A", "B"), False, 9, [(9.0, 9.0, 9.0)] * 2, -1, -1)
    arrays = {name: np.asarray(memoryview(one)) for name, one in Lane(int, terms).arrays.items()}
    tables = {name: arrays[name].reshape(2, -1) for name in TABLES}
    arrays["state"][LOOKS] = SOCKET_LOOKS
    return LaneArrays(**{**arrays, **tables, "outputs": arrays["outputs"].reshape(-1, 9)})


@pytest.fixture
def ends():
    """Two ends of a connection; the first waits two milliseconds at most."""
    mine, theirs = socket.socketpair()
    mine.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 0, 2000))
    with mine, theirs:
        yield mine, theirs


def plan(arrays: LaneArrays) -> tuple[int, int]:
    """Return how many waits are slept through from now on, and how many there were last."""
    return int(arrays.state[SLEEPS_LEFT]), int(arrays.state[LAST_SLEEPS])


def test_after_each_look_in_vain_twice_as_many_waits_are_slept_through(arrays, ends):
    """1, 3, 7 and so on, up to a thousand: with a slow bot hardly any wait begins with a look."""
    looks, waits = [], 0
    for waits in range(1, 60):
        planned = arrays.state[SLEEPS_LEFT]
        assert receive_once(arrays, ends[0].fileno()) < 0
        if not planned:
            looks.append(waits)
    assert looks == [1, 3, 7, 15, 31]
    assert waits == 59
    arrays.state[SLEEPS_LEFT], arrays.state[LAST_SLEEPS] = 0, MOST_SLEEPS
    receive_once(arrays, ends[0].fileno())
    assert plan(arrays) == (MOST_SLEEPS, MOST_SLEEPS)


def test_a_lane_that_is_not_to_look_sleeps_at_once(arrays, ends):
    """As where matches are more than cores, and others have work for them."""
    arrays.state[LOOKS] = 0
    assert receive_once(arrays, ends[0].fileno()) < 0
    assert plan(arrays) == (0, 0)


def test_what_is_held_leaves_when_nothing_comes(arrays, ends):
    """After the first wait in vain; what does not say so is left alone."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        clients = [socket.create_connection(server.getsockname()) for _ in range(2)]
        seats = [server.accept()[0] for _ in clients]
    for index, (seat, is_held) in enumerate(zip(seats, (True, False), strict=True)):
        arrays.seats[index, DESCRIPTOR], arrays.seats[index, IS_HELD] = seat.fileno(), is_held
        seat.send(b"state", socket.MSG_MORE if is_held else 0)
    receive_once(arrays, ends[0].fileno())
    assert not arrays.seats[:, IS_HELD].any()
    for seat, client in zip(seats, clients, strict=True):
        unsent = fcntl.ioctl(seat, SIOCOUTQNSD, bytes(4))
        assert unsent == bytes(4)
        assert client.recv(9) == b"state"
        seat.close()
        client.close()


def test_bytes_that_were_there_before_tell_nothing(arrays, ends):
    """As on a single core, where the answer comes while the lane does not run."""
    mine, theirs = ends
    arrays.state[LAST_SLEEPS] = 7
    theirs.sendall(b"abc")
    assert receive_once(arrays, mine.fileno()) == 3
    assert plan(arrays) == (0, 7)
    assert arrays.inbox[0, :3].tobytes() == b"abc"


def test_a_slept_wait_gets_its_bytes(arrays, ends):
    """And is counted as one of those that were to be slept through."""
    mine, theirs = ends
    arrays.state[SLEEPS_LEFT] = arrays.state[LAST_SLEEPS] = 3
    theirs.sendall(b"abcd")
    assert receive_once(arrays, mine.fileno()) == 4
    assert plan(arrays) == (2, 3)


def test_an_answer_that_comes_under_its_eyes_has_the_lane_look_on(arrays, ends):
    """Tried until one comes so: the other core may not run just then."""
    mine, theirs = ends
    for _ in range(2000):
        arrays.state[SLEEPS_LEFT], arrays.state[LAST_SLEEPS] = 0, 7
        begin = threading.Event()
        sender = threading.Thread(target=lambda begin=begin: (begin.wait(), theirs.sendall(b"x")))
        sender.start()
        begin.set()
        while receive_once(arrays, mine.fileno()) < 0:
            pass
        sender.join()
        if plan(arrays) == (0, 0):
            return
    pytest.fail("no answer came while the lane looked")
