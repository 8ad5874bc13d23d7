"""Plays legs, several at a time, until all are played or the user stops it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final, TypeAlias

from dealer.bots.launcher import ProcessLauncher
from dealer.bots.participants import BotKind, Participant
from dealer.bots.program_files import FileWatch
from dealer.errors import MatchError
from dealer.legs.leg import play_leg
from dealer.legs.leg_settings import LegSettings
from dealer.legs.outcome import LegOutcome, finished_leg, hands_in
from dealer.legs.plan import Leg
from dealer.server.endings import Ending
from engine.console.stopping import STOP_SIGNALS
from engine.parallel.cores import CAN_PIN, core_count, usable_cores


class LegQueue(ABC):
    """Legs that are to be played; what comes next may depend on how others ended."""

    def __init__(self) -> None:
        self.outcomes: dict[str, LegOutcome] = {}
        """How legs ended, by name."""
        self._next: Iterator[Leg] = iter(())
        self._given_back: list[Leg] = []
        self._files = FileWatch()

    @property
    def refused(self) -> LegOutcome | None:
        """The leg of a shipped bot that does not accept its options, if there is one."""
        return next((one for one in self.outcomes.values() if one.refused), None)

    @abstractmethod
    def _more(self) -> Iterator[Leg]:
        """Return legs that can be played, asked for when all were taken."""

    @abstractmethod
    def _begin(self, leg: Leg) -> LegSettings:
        """Return how to play a leg, which is about to begin."""

    def put(self, outcome: LegOutcome) -> None:
        """Take notice of how a leg ended."""
        self.outcomes[outcome.leg.name] = outcome

    def take(self) -> tuple[LegSettings, Leg] | None:
        """Return the next leg, None where none can be played before another one ends.

        Raises:
            MatchError: its folder cannot be used, or the file of a bot has changed.
        """
        leg = self._given_back.pop(0) if self._given_back else next(self._next, None)
        if leg is None:
            self._next = self._more()
            leg = next(self._next, None)
        if leg is None:
            return None
        settings = self._begin(leg)
        self._files.check(settings.manifest.bots, settings.manifest.working_directory)
        return settings, leg

    def give_back(self, leg: Leg) -> None:
        """Take a leg back that could not be played to an end; somebody else is to play it next."""
        self._given_back.append(leg)


class HostLost(Exception):
    """Another host that was to play a leg is gone; the leg is to be given back."""


PlayLeg: TypeAlias = Callable[[LegSettings, Leg, asyncio.Event], Awaitable[LegOutcome]]
"""Plays a leg to its end, or until the event is set.  Raises HostLost."""
Recruit: TypeAlias = Callable[[PlayLeg], None]
"""Lets somebody play one leg after the other, until there is none left or it raises HostLost."""
Recruiting: TypeAlias = Callable[[Recruit], AbstractAsyncContextManager[None]]
"""Within, other hosts come to play legs, and go."""


async def run_queue(
    queue: LegQueue,
    *,
    jobs: int,
    cores: Sequence[int] = (),
    recruiting: Recruiting | None = None,
    watch: Callable[[], bool | None] | None = None,
    watch_seconds: float = 1.0,
) -> None:
    """Play the legs of a queue, at most `jobs` at once.

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
            lost = False
            try:
                outcome = await play(*task, stop)
                queue.put(outcome)
                if outcome.refused:
                    stop.set()
            except HostLost:
                queue.give_back(task[1])
                lost = True
            playing -= 1
            async with changed:
                changed.notify_all()
            if lost:
                return

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
        for one in error.exceptions:
            yield from _of_matches(one)


class LegsInTurn(LegQueue):
    """The legs of a match, one after the other."""

    def __init__(
        self,
        settings: LegSettings,
        legs: Sequence[Leg],
        longer: Callable[[], Sequence[Leg]] = lambda: (),
    ) -> None:
        """Begin with the legs that are left.

        Args:
            legs: all legs, also those that are over.
            longer: asked for more legs when all were taken, as long as none has failed; none: the
                match is over.
        """
        super().__init__()
        self._settings = settings
        self._longer = longer
        done = [finished_leg(settings.manifest, settings.folder, leg) for leg in legs]
        self.outcomes = {one.leg.name: one for one in done if one is not None}
        left = [leg for leg in legs if leg.name not in self.outcomes]
        self.left: Final = len(left)
        """How many legs were left at the start."""
        self._next = iter(left)

    def ended(self, leg: Leg) -> LegOutcome:
        """Return how a leg ended, also where its turn did not come."""
        if (outcome := self.outcomes.get(leg.name)) is not None:
            return outcome
        hands = hands_in(self._settings.folder / f"{leg.name}.log")
        detail = f"not resumed after {hands:,} hands" if hands else "not begun"
        return LegOutcome(leg, Ending.INTERRUPTED, detail)

    def _more(self) -> Iterator[Leg]:
        failed = any(one.ending is not Ending.FINISHED for one in self.outcomes.values())
        return iter(() if failed else self._longer())

    def _begin(self, leg: Leg) -> LegSettings:
        return self._settings


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
