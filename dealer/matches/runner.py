"""Plays the legs of a match, several at a time, until all are played or the user stops it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from dealer.matches.bots import BotKind, Participant
from dealer.matches.launcher import ProcessLauncher
from dealer.matches.leg import LegSettings, play_leg
from dealer.matches.outcome import LegOutcome, hands_in
from dealer.matches.plan import Leg
from dealer.server.endings import Ending
from engine.console.stopping import STOP_SIGNALS
from engine.parallel.cores import CAN_PIN, core_count, usable_cores


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

    The first SIGINT, SIGTERM or SIGHUP stops the dealers in good order; legs whose turn had not
    come are left out.  So does a shipped bot that does not accept its options.  No process is left
    when this returns or raises.

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
    return [outcomes.get(leg.name) or _left_out(settings, leg) for leg in legs]


def shared_cores(
    bots: Sequence[Participant], *, at_once: int, wanted: bool | None
) -> tuple[int, ...]:
    """Return the cores that the jobs of a match are kept on, none where the system places them.

    A leg is a chain of short messages, and fastest on a core of its own.  But a match that leaves
    cores free must not crowd another one that was started beside it, and programs of others may
    think with many threads; so, unless the user decides, only shipped bots that take all cores are
    kept in their places.

    Args:
        bots: who plays.
        at_once: legs side by side.
        wanted: what the user said, None for nothing.
    """
    if wanted is None:
        shipped = all(bot.kind is BotKind.SHIPPED for bot in bots)
        wanted = CAN_PIN and shipped and at_once >= core_count()
    return tuple(usable_cores()) if wanted else ()


def _left_out(settings: LegSettings, leg: Leg) -> LegOutcome:
    """Return the outcome of a leg whose turn did not come."""
    hands = hands_in(settings.folder / f"{leg.name}.log")
    return LegOutcome(
        leg,
        Ending.INTERRUPTED,
        f"not resumed after {hands:,} hands" if hands else "not begun",
    )


@asynccontextmanager
async def _stopped_by_signals(stop: asyncio.Event) -> AsyncIterator[None]:
    """Within, signals set `stop`; those that are ignored, as SIGHUP under nohup, stay so."""
    loop = asyncio.get_running_loop()
    heard = [number for number in STOP_SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    for number in heard:
        loop.add_signal_handler(number, stop.set)
    try:
        yield
    finally:
        for number in heard:
            loop.remove_signal_handler(number)
