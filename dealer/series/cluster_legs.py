"""Legs that the workers of a cluster play: sent, taken back, and some of them played again here.

A leg's files come into its folder in one go, so a leg that was lost or stopped is played again
from where the folder has it.  What is played again is compared with the log that a worker sent;
only bots of the roster can be, for they draw nothing but what seeds name.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from dealer.bots.participants import compiles
from dealer.bots.processes import ProcessLauncher
from dealer.errors import LegNotSent, MatchError
from dealer.series.leg_parcel import (
    LegParcel,
    PlayedLeg,
    outcome_from,
    packed,
    play_parcel,
    played,
    unpack_files,
)
from dealer.series.leg_queue import Recruit
from dealer.series.leg_settings import LegSettings
from dealer.series.outcome import LegOutcome
from dealer.series.schedule import Leg
from dealer.server.endings import Ending
from engine.errors import WorkersFailed
from engine.parallel.cluster import Cluster, Done
from engine.parallel.cores import core_count


class ClusterLegs:
    """Lets a cluster play the legs of a queue."""

    def __init__(self, cluster: Cluster) -> None:
        """Hand out nothing yet."""
        self._cluster = cluster
        self._launcher = ProcessLauncher()
        self._first: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        """By worker: held while what it sent first is played again."""
        self._liars: set[str] = set()
        """Workers of whom no leg is taken any more."""
        self._here = asyncio.Semaphore(core_count())

    @asynccontextmanager
    async def recruiting(self, recruit: Recruit) -> AsyncIterator[None]:
        """Within, the workers play legs, also those that come meanwhile."""
        loop = asyncio.get_running_loop()

        def enlist(jobs: int) -> None:
            for _ in range(jobs):
                recruit(self.play)

        async with self._launcher:
            self._cluster.joined = lambda jobs: loop.call_soon_threadsafe(enlist, jobs)
            enlist(self._cluster.jobs)  # one who comes now is counted twice, which does no harm
            try:
                yield
            finally:
                self._cluster.joined = None

    async def play(self, settings: LegSettings, leg: Leg, stop: asyncio.Event) -> LegOutcome:
        """Let a worker play a leg; its files are here when this returns.

        Raises:
            MatchError: the workers fail, one of them lies, or a file cannot be read or written.
        """
        try:
            parcel = await asyncio.to_thread(packed, settings, leg)
            done = await self._sent(parcel, stop)
            if done is None or not await self._is_true(settings, leg, parcel, done, stop):
                return LegOutcome(leg, Ending.INTERRUPTED, "stopped before a worker sent it")
            outcome = _outcome(leg, done)
            if outcome is None:
                raise self._lie(leg, done.worker)
            await asyncio.to_thread(unpack_files, settings.folder, leg, done.value.files)
        except OSError as error:
            raise MatchError(f"leg {leg.name}: {error.strerror or error}") from error
        except WorkersFailed as error:
            raise LegNotSent(f"leg {leg.name}: {error}") from error
        return outcome

    async def _sent(self, parcel: LegParcel, stop: asyncio.Event) -> Done | None:
        """Return what a worker sends of a leg, None where `stop` is set before."""
        coming = asyncio.wrap_future(self._cluster.submit(play_parcel, parcel))
        stopped = asyncio.create_task(stop.wait())
        try:
            waiting: set[asyncio.Future[Any]] = {coming, stopped}
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            return coming.result() if coming.done() else None
        finally:
            stopped.cancel()
            coming.cancel()

    async def _is_true(
        self, settings: LegSettings, leg: Leg, parcel: LegParcel, done: Done, stop: asyncio.Event
    ) -> bool:
        """Return whether what a worker sends may be taken.

        Not where `stop` keeps it from a check, nor after a lie of this worker.

        Raises:
            WorkersFailed: it is not what is played here.
        """
        async with self._first[done.worker]:
            if done.worker in self._liars:
                return False
            chosen = self._cluster.chosen(f"leg {leg.name}", done.worker)
            if not chosen or not all(map(compiles, settings.manifest.bots)):
                return True
            async with self._here:
                here = await played(parcel, self._launcher, stop)
            if stop.is_set():
                return False
            self._compare(leg, done, here)
        return True

    def _compare(self, leg: Leg, done: Done, here: PlayedLeg) -> None:
        """Compare what a worker sends with what was played here; `WorkersFailed` if it differs."""
        there = _outcome(leg, done)
        if there is None:
            raise self._lie(leg, done.worker)
        log = f"{leg.name}.log"
        logs = [result.files.get(log, b"") for result in (done.value, here)]
        ends = [(end.ending, end.bot) for end in (there, outcome_from(leg, here.outcome))]
        if logs[0] != logs[1]:
            raise self._lie(leg, done.worker, _first_difference(*logs))
        if ends[0] != ends[1]:
            raise self._lie(leg, done.worker, ", by how it ended")
        self._cluster.tally.replayed.append(f"leg {leg.name}")

    def _lie(self, leg: Leg, worker: str, where: str = "") -> WorkersFailed:
        """Return the error of a lie, and take no other leg of this worker."""
        self._liars.add(worker)
        return self._cluster.lie(f"leg {leg.name}", worker, where)


def _outcome(leg: Leg, done: Done) -> LegOutcome | None:
    """Return how a worker says that a leg ended; None where what it sends is no played leg."""
    sent = done.value
    try:
        whole = isinstance(sent, PlayedLeg) and all(
            isinstance(data, bytes) for data in sent.files.values()
        )
        return outcome_from(leg, sent.outcome) if whole else None
    except (AttributeError, TypeError, ValueError, LookupError):
        return None


def _first_difference(sent: bytes, here: bytes) -> str:
    """Return where two logs part, in words."""
    pairs = zip(sent.splitlines(), here.splitlines(), strict=False)
    number = next((number for number, (a, b) in enumerate(pairs, 1) if a != b), None)
    return ", by its length" if number is None else f" from line {number} of its log on"
