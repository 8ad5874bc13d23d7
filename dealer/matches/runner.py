"""Plays the legs of a match, several at a time, until all are played or the user stops it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from dealer.matches.launcher import ProcessLauncher
from dealer.matches.leg import LegSettings, play_leg
from dealer.matches.outcome import LegOutcome
from dealer.matches.plan import Leg
from dealer.server.endings import Ending
from engine.console.stopping import STOP_SIGNALS


async def run_legs(
    settings: LegSettings,
    legs: Sequence[Leg],
    *,
    jobs: int,
    cores: Sequence[int] = (),
    watch: Callable[[], None] | None = None,
    watch_seconds: float = 1.0,
) -> list[LegOutcome]:
    """Play `legs`, at most `jobs` at once; return how each ended, in the order given.

    The first SIGINT, SIGTERM or SIGHUP stops the dealers in good order; legs not yet begun are
    left out.  So does a shipped bot that does not accept its options.  No process is left when
    this returns or raises.

    Args:
        settings: what the legs have in common.
        legs: what is left to play.
        jobs: legs played side by side.
        cores: processor cores; the jobs share them out.  Empty: no pinning.
        watch: called every `watch_seconds` while legs are being played, and once at the end.
        watch_seconds: see `watch`.
    """
    stop = asyncio.Event()
    outcomes: dict[str, LegOutcome] = {}
    waiting = iter(legs)

    async def work(core: int | None, launcher: ProcessLauncher) -> None:
        for leg in waiting:
            if stop.is_set():
                return
            outcome = await play_leg(settings, leg, launcher, stop, core)
            outcomes[leg.name] = outcome
            if outcome.refused:
                stop.set()

    async with (
        _stopped_by_signals(stop),
        ProcessLauncher() as launcher,
        asyncio.TaskGroup() as group,
    ):
        pending = {
            group.create_task(work(cores[job % len(cores)] if cores else None, launcher))
            for job in range(min(jobs, len(legs)))
        }
        while pending:
            _, pending = await asyncio.wait(pending, timeout=watch_seconds)
            if watch is not None:
                watch()
    return [
        outcomes.get(leg.name, LegOutcome(leg, Ending.INTERRUPTED, "not begun")) for leg in legs
    ]


@asynccontextmanager
async def _stopped_by_signals(stop: asyncio.Event) -> AsyncIterator[None]:
    loop = asyncio.get_running_loop()
    for number in STOP_SIGNALS:
        loop.add_signal_handler(number, stop.set)
    try:
        yield
    finally:
        for number in STOP_SIGNALS:
            loop.remove_signal_handler(number)
