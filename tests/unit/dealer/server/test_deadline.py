"""A deadline that moves."""

import asyncio
import math
from time import monotonic

from dealer.server.clock import LoopClock
from dealer.server.deadline import Deadline


def rings(*moves: float, wait: float) -> list[float]:
    """Set a deadline to each of `moves` seconds from now; return when it rang."""

    async def scenario() -> list[float]:
        start = monotonic()
        rung: list[float] = []
        deadline = Deadline(LoopClock(), lambda: rung.append(monotonic() - start))
        for move in moves:
            deadline.set(start + move)
        await asyncio.sleep(wait)
        deadline.cancel()
        return rung

    return asyncio.run(scenario())


def test_it_rings_once_when_the_last_deadline_has_passed():
    """Moving it on puts it off; the timer of the first deadline does not ring."""
    (when,) = rings(0.02, 0.05, 0.08, wait=0.2)
    assert when >= 0.08


def test_it_can_be_moved_forward():
    """A sooner deadline rings sooner."""
    (when,) = rings(5.0, 0.03, wait=0.2)
    assert 0.03 <= when < 0.2


def test_without_a_deadline_it_never_rings():
    """Neither when there is none, nor when it was taken away."""
    assert rings(math.inf, wait=0.03) == []
    assert rings(0.02, math.inf, wait=0.06) == []
