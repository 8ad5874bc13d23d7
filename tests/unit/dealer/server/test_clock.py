"""Waits on a clock that is a parameter."""

import asyncio
import math
import time

import pytest

from dealer.server.clock import LoopClock, Timeout, pause
from tests.helpers.fake_clock import FakeClock, turns


async def waiting(clock: FakeClock, deadline: float) -> str:
    try:
        async with Timeout(clock, deadline):
            await asyncio.Event().wait()
    except TimeoutError:
        return "timeout"
    return "done"


async def test_a_wait_ends_at_its_deadline():
    """With TimeoutError, and not before."""
    clock = FakeClock()
    task = asyncio.create_task(waiting(clock, clock.now + 5))
    await turns()
    clock.advance(4.9)
    await turns()
    assert not task.done()
    clock.advance(0.1)
    assert await task == "timeout"


async def test_what_ends_in_time_leaves_no_timer():
    """Nor does a wait without a limit set one."""
    clock = FakeClock()
    async with Timeout(clock, clock.now + 5):
        assert clock.pending == [clock.now + 5]
    async with Timeout(clock, math.inf):
        assert clock.pending == []


async def test_a_cancelled_wait_is_no_timeout():
    """Whoever cancels the task sees it cancelled, even when the time is up in the same moment."""
    for late in (False, True):
        clock = FakeClock()
        task = asyncio.create_task(waiting(clock, clock.now + 5))
        await turns()
        task.cancel()
        if late:
            clock.advance(5)
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_a_pause_lasts_as_long_as_it_should():
    """A cancelled one leaves no timer."""
    clock = FakeClock()
    pausing = asyncio.create_task(pause(clock, 2.0))
    await turns()
    clock.advance(1.9)
    await turns()
    assert not pausing.done()
    clock.advance(0.1)
    await pausing
    pausing = asyncio.create_task(pause(clock, 2.0))
    await turns()
    pausing.cancel()
    await asyncio.gather(pausing, return_exceptions=True)
    assert clock.pending == []


async def test_the_loops_clock_is_the_systems():
    """Its timers ring by the monotonic clock it tells."""
    clock, rung = LoopClock(), asyncio.Event()
    before, told, after = time.time(), clock.wall(), time.time()
    assert before <= told <= after
    clock.call_at(clock.monotonic(), rung.set)
    await rung.wait()
