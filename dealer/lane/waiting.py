"""Times, and waiting for a line, in the lane; kernels, as those of `dealer.lane.lane_kernels`."""

from __future__ import annotations

import socket
import time
from typing import Any, Final

import numpy as np

from dealer.lane.arrays import LaneArrays
from dealer.lane.layout import (
    CHARGED_FROM,
    DESCRIPTOR,
    INBOX_BYTES,
    INBOX_LENGTH,
    INBOX_START,
    IS_HELD,
    LAST_SLEEPS,
    LOOKS,
    MOST_LINE_BYTES,
    MOST_SLEEPS,
    NO_MORE,
    PATIENCE_SECONDS,
    SLEEPS_LEFT,
    STOP,
)
from engine.compiled.c_library import INT, LONG, c_function
from engine.compiled.jit import inlined_raw_kernel

_recv: Any = c_function("recv", LONG, INT, LONG, LONG, INT)
_setsockopt: Any = c_function("setsockopt", INT, INT, INT, INT, LONG, INT)
_clock_gettime: Any = c_function("clock_gettime", INT, INT, LONG)

NOTHING: Final = 0
_AT_ONCE: Final = int(socket.MSG_DONTWAIT)
_TCP: Final = int(socket.IPPROTO_TCP)
_NO_DELAY: Final = int(socket.TCP_NODELAY)
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
    """Return what the C library's `recv` does, after `PATIENCE_SECONDS` at most.

    To be woken takes longer than many a bot takes to answer, so where cores are free the first
    waits are spent looking.  Where that was in vain the next ones are slept through, twice as many
    each time.
    """
    state = lane.state
    if state[SLEEPS_LEFT] > 0:
        state[SLEEPS_LEFT] -= 1
    elif state[LOOKS] > 0:
        for look in range(state[LOOKS]):
            got = _recv(descriptor, at, room, np.int32(_AT_ONCE))
            if got >= 0:
                if look > 0:  # else it had come before, as on one core, and tells nothing
                    state[LAST_SLEEPS] = 0
                return int(got)
        state[SLEEPS_LEFT] = state[LAST_SLEEPS] = min(2 * state[LAST_SLEEPS] + 1, MOST_SLEEPS)
    while True:
        got = _recv(descriptor, at, room, np.int32(0))  # waits for `HOLD_SECONDS`
        if got >= 0:
            return int(got)
        release_held(lane)
        if lane.state[STOP] or monotonic(lane) - lane.clock[CHARGED_FROM] > PATIENCE_SECONDS:
            return int(got)


@inlined_raw_kernel
def release_held(lane: LaneArrays) -> None:
    """Have the system send what it holds: to be told again that nothing is to be delayed does."""
    lane.moment[0] = 1
    for seat in range(len(lane.seats)):
        if lane.seats[seat, IS_HELD]:
            lane.seats[seat, IS_HELD] = False
            _setsockopt(
                np.int32(lane.seats[seat, DESCRIPTOR]),
                np.int32(_TCP),
                np.int32(_NO_DELAY),
                lane.moment.ctypes.data,
                np.int32(4),
            )
