"""Times, and waiting for a line, in the lane; kernels, as those of `dealer.lane.lane_kernels`."""

from __future__ import annotations

import socket
import time
from typing import Any, Final

import numpy as np

from dealer.lane.arrays import LaneArrays
from dealer.lane.layout import (
    DESCRIPTOR,
    INBOX_BYTES,
    INBOX_LENGTH,
    INBOX_START,
    LAST_SLEEPS,
    MOST_LINE_BYTES,
    MOST_SLEEPS,
    NO_MORE,
    SLEEPS_LEFT,
    SOCKET_LOOKS,
    STOP,
)
from engine.compiled.c_library import INT, LONG, c_function
from engine.compiled.jit import inlined_raw_kernel

_recv: Any = c_function("recv", LONG, INT, LONG, LONG, INT)
_clock_gettime: Any = c_function("clock_gettime", INT, INT, LONG)

NOTHING: Final = 0
_AT_ONCE: Final = int(socket.MSG_DONTWAIT)
_MONOTONIC: Final = int(time.CLOCK_MONOTONIC)
_WALL: Final = int(time.CLOCK_REALTIME)
_LINE_END: Final = ord("\n")


@inlined_raw_kernel
def monotonic(lane: LaneArrays) -> float:
    """Return the time by the monotonic clock, seconds."""
    _clock_gettime(np.int32(_MONOTONIC), lane.moment.ctypes.data)
    return float(lane.moment[0] + lane.moment[1] * 1e-9)


@inlined_raw_kernel
def wall_time(lane: LaneArrays) -> int:
    """Return the wall time, microseconds."""
    _clock_gettime(np.int32(_WALL), lane.moment.ctypes.data)
    return int(lane.moment[0] * 1_000_000 + lane.moment[1] // 1000)


@inlined_raw_kernel
def wait_for_line(lane: LaneArrays, seat: int) -> int:
    """Return the length of a seat's next line, `NOTHING` when there is none for now."""
    seats, inbox = lane.seats, lane.inbox
    looked_at = 0
    while True:
        start_at, received = seats[seat, INBOX_START], seats[seat, INBOX_LENGTH]
        for offset in range(looked_at, received):
            if inbox[seat, start_at + offset] == _LINE_END:
                return offset + 1
        looked_at = received
        if received > MOST_LINE_BYTES or seats[seat, NO_MORE] or lane.state[STOP]:
            return NOTHING
        if start_at > 0 and (received == 0 or start_at + received + MOST_LINE_BYTES > INBOX_BYTES):
            for offset in range(received):
                inbox[seat, offset] = inbox[seat, start_at + offset]
            seats[seat, INBOX_START] = start_at = 0
        at = inbox.ctypes.data + seat * INBOX_BYTES + start_at + received
        room = INBOX_BYTES - start_at - received
        got = receive(lane, np.int32(seats[seat, DESCRIPTOR]), at, room)
        if got <= 0:  # the end, an error, or time to look around
            return NOTHING
        seats[seat, INBOX_LENGTH] += got


@inlined_raw_kernel
def receive(lane: LaneArrays, descriptor: Any, at: int, room: int) -> int:
    """Return what the C library's `recv` does, which waits `PATIENCE_SECONDS`.

    To be woken takes longer than many a bot takes to answer, so the first waits are spent looking.
    Where that was in vain the next ones are slept through, twice as many each time.
    """
    state = lane.state
    if state[SLEEPS_LEFT] > 0:
        state[SLEEPS_LEFT] -= 1
    else:
        for look in range(SOCKET_LOOKS):
            got = _recv(descriptor, at, room, np.int32(_AT_ONCE))
            if got >= 0:
                if look > 0:  # else it had come before, as on one core, and tells nothing
                    state[LAST_SLEEPS] = 0
                return int(got)
        state[SLEEPS_LEFT] = state[LAST_SLEEPS] = min(2 * state[LAST_SLEEPS] + 1, MOST_SLEEPS)
    return int(_recv(descriptor, at, room, np.int32(0)))
