"""The queue of legs of one or several owners, and who plays them, until all are over.

An owner, such as a series, says what is next for it and takes notice of how each leg ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import NamedTuple, Protocol, TypeAlias

from dealer.bots.participants import BotKind, Participant
from dealer.bots.processes import ProcessLauncher
from dealer.errors import MatchError
from dealer.series.leg import play_leg
from dealer.series.leg_settings import LegSettings
from dealer.series.outcome import LegOutcome
from dealer.series.schedule import Leg
from engine.console.stopping import STOP_SIGNALS
from engine.parallel.cores import CAN_PIN, core_count, usable_cores


class LegOwner(Protocol):
    """Has legs that are to be played; what comes next may depend on how others ended."""

    def take(self) -> tuple[LegSettings, Leg] | None:
        """Return the next leg, None where none can be played before another one ends.

        Raises:
            MatchError: its folder cannot be used, or the file of a bot has changed.
        """

    def put(self, outcome: LegOutcome) -> None:
        """Take notice of how a leg ended."""


class QueuedLeg(NamedTuple):
    """A leg whose turn has come."""

    owner: LegOwner
    settings: LegSettings
    leg: Leg


class LegQueue:
    """The legs of several owners, of each in turn."""

    def __init__(self, *owners: LegOwner) -> None:
        self._owners = [*owners]

    def take(self) -> QueuedLeg | None:
        """Return the next leg, None where none can be played before another one ends.

        Raises:
            MatchError: of its owner.
        """
        for owner in tuple(self._owners):
            self._owners.append(self._owners.pop(0))
            if (task := owner.take()) is not None:
                return QueuedLeg(owner, *task)
        return None


PlayLeg: TypeAlias = Callable[[LegSettings, Leg, asyncio.Event], Awaitable[LegOutcome]]
"""Plays a leg to its end, or until the event is set."""
Recruit: TypeAlias = Callable[[PlayLeg], None]
"""Lets somebody play one leg after the other, until there is none left."""
Recruiting: TypeAlias = Callable[[Recruit], AbstractAsyncContextManager[None]]
"""Within, others come to play legs."""


async def run_queue(
    queue: LegQueue,
    *,
    jobs: int,
    cores: Sequence[int] = (),
    recruiting: Recruiting | None = None,
    watch: Callable[[], bool | None] | None = None,
    watch_seconds: float = 1.0,
) -> None:
    """Play the legs of a queue, at most `jobs` at once in processes of this machine.

    The first SIGINT, SIGTERM or SIGHUP stops the dealers in good order; legs whose turn had not
    come are left out.  So does a shipped bot that does not accept its options.  No process is left
    when this returns or raises.

    Args:
        cores: processor cores; the jobs share them out.  Empty: no pinning.
        recruiting: brings those who play legs beside the jobs.
        watch: called every `watch_seconds` while legs are being played, and once at the end; where
            it says True, all legs are stopped.
        watch_seconds: see `watch`.

    Raises:
        MatchError: of the queue, or of `watch`.
    """
    stop = asyncio.Event()
    changed = asyncio.Condition()
    playing = 0
    workers: set[asyncio.Task[None]] = set()

    async def work(play: PlayLeg) -> None:
        nonlocal playing
        while not stop.is_set():
            task = queue.take()
            if task is None:
                if not playing:
                    return
                async with changed:
                    await changed.wait()
                continue
            playing += 1
            outcome = await play(task.settings, task.leg, stop)
            task.owner.put(outcome)
            if outcome.refused:
                stop.set()
            playing -= 1
            async with changed:
                changed.notify_all()

    def on_core(core: int | None, launcher: ProcessLauncher) -> PlayLeg:
        return lambda settings, leg, stop: play_leg(settings, leg, launcher, stop, core)

    try:
        async with (
            stopped_by_signals(stop),
            ProcessLauncher() as launcher,
            contextlib.AsyncExitStack() as others,
            asyncio.TaskGroup() as group,
        ):

            def recruit(play: PlayLeg) -> None:
                workers.add(group.create_task(work(play)))

            for job in range(jobs):
                recruit(on_core(cores[job % len(cores)] if cores else None, launcher))
            if recruiting is not None:
                await others.enter_async_context(recruiting(recruit))
            while workers:
                done, _ = await asyncio.wait(workers, timeout=watch_seconds)
                workers -= done
                if watch is not None and watch():
                    stop.set()
    except BaseExceptionGroup as errors:
        raise next(_of_matches(errors), errors) from None


def _of_matches(error: BaseException) -> Iterator[MatchError]:
    """Yield what is meant for the user among errors that came together."""
    if isinstance(error, MatchError):
        yield error
    elif isinstance(error, BaseExceptionGroup):
        for part in error.exceptions:
            yield from _of_matches(part)


def shared_cores(
    bots: Sequence[Participant], *, at_once: int, wanted: bool | None
) -> tuple[int, ...]:
    """Return the cores that the jobs of a match are kept on, none where the system places them.

    A leg is a chain of short messages, and fastest on a core of its own.  But a match that leaves
    cores free must not crowd another one that was started beside it, and programs of others may
    think with many threads; so, unless the user decides, only shipped bots that take all cores are
    kept in their places.

    Args:
        wanted: what the user said, None for nothing.
    """
    if wanted is None:
        shipped = all(bot.kind is BotKind.SHIPPED for bot in bots)
        wanted = CAN_PIN and shipped and at_once >= core_count()
    return tuple(usable_cores()) if wanted else ()


@asynccontextmanager
async def stopped_by_signals(stop: asyncio.Event) -> AsyncIterator[None]:
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
