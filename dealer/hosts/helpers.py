"""What the first host does about the others: it hands them legs, and takes their logs.

What is said, by "what":

    other -> first   hello    program, name            asks to take part
    first -> other   welcome  what the match says      what is played
                     refused  why                      it may not, or no longer
    other -> first   ready    jobs                     plays so many legs side by side
    first -> other   play     manifest, leg, files; recover, events and
                              in_process of `LegSettings`
    other -> first   played   leg, outcome, files
    first -> other   stop                              end all legs in order, and send them
                     over                              there is nothing more to do
    other -> first   leaves   why                      after its legs were sent

A host that dies sent nothing of its legs, so they are played again from where the first host has
them, mostly from the start.  One that is stopped in order sends them as they are, and they are
resumed elsewhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from dealer.errors import MatchError
from dealer.hosts.line import DEAD_AFTER_SECONDS, HostLine, Message
from dealer.hosts.parcel import outcome_from, packed_files, unpack_files
from dealer.series.leg_queue import HostLost, Recruit
from dealer.series.leg_settings import LegSettings
from dealer.series.manifest import to_json
from dealer.series.outcome import LegOutcome
from dealer.series.schedule import Leg
from dealer.server.endings import Ending

_LOOK_SECONDS: Final = 1.0
_LEGS_STOP_SECONDS: Final = 20.0
"""Torchrun leaves all hosts half a minute."""


@dataclass(slots=True)
class HelpingHost:
    """Another host, as the first one sees it."""

    rank: int
    name: str
    jobs: int = 0
    """Legs that it plays side by side, 0 before it is ready."""
    gone: bool = False
    told_to_stop: bool = False
    legs: dict[str, asyncio.Future[Message]] = field(default_factory=dict)
    """Legs in play by name; what it says of them when they are over."""


class HelpingHosts:
    """All other hosts, as the first one sees them."""

    def __init__(
        self, line: HostLine, program: str, welcome: Message, say: Callable[[str], None]
    ) -> None:
        """Nobody is there yet.

        Args:
            program: what they must be to play the same: version and sources.
        """
        self._line = line
        self._program = program
        self._welcome = welcome
        self._say = say
        self._hosts: dict[int, HelpingHost] = {}
        self._recruit: Recruit | None = None

    @property
    def present(self) -> list[int]:
        """Who takes part and has not gone."""
        return [rank for rank, host in self._hosts.items() if not host.gone]

    @asynccontextmanager
    async def recruiting(self, recruit: Recruit) -> AsyncIterator[None]:
        """Within, others come, play legs and go; at the end they are sent home."""
        self._recruit = recruit
        with self._line.heard_by(self._hear):
            watch = asyncio.create_task(self._watch())
            try:
                yield
            finally:
                self._recruit = None
                watch.cancel()
                self.dismiss()

    def dismiss(self) -> None:
        """Send all others home, also those that have not come yet."""
        for rank in self._line.others:
            self._line.send(rank, {"what": "over"})

    def _hear(self, rank: int, message: Message) -> None:
        host = self._hosts.get(rank)
        if host is None:
            if message["what"] == "hello":
                self._greet(rank, message)
            return
        match message["what"]:
            case _ if host.gone:
                pass
            case "ready":
                self._let_play(host, message["jobs"])
            case "played" if message["leg"] in host.legs:
                host.legs[message["leg"]].set_result(message)
            case "leaves":
                self._part_with(host, message["why"])

    def _greet(self, rank: int, message: Message) -> None:
        name = f"{message['name']} ({rank})"
        host = self._hosts[rank] = HelpingHost(rank, name)
        if message["program"] == self._program:
            self._line.send(rank, self._welcome | {"what": "welcome"})
            return
        why = f"it runs {message['program']}, the first one {self._program}"
        host.gone = True
        self._line.send(rank, {"what": "refused", "why": why})
        self._say(f"host {name} is refused: {why}")

    def _let_play(self, host: HelpingHost, jobs: int) -> None:
        host.jobs = jobs
        if self._recruit is None:
            return
        self._say(f"host {host.name} joins, {jobs} leg{'s' * (jobs > 1)} at once")

        async def play(settings: LegSettings, leg: Leg, stop: asyncio.Event) -> LegOutcome:
            return await self._play(host, settings, leg, stop)

        for _ in range(jobs):
            self._recruit(play)

    def _part_with(self, host: HelpingHost, why: str) -> None:
        host.gone = True
        legs = [leg for leg in host.legs.values() if not leg.done()]
        for leg in legs:
            leg.set_exception(HostLost())
        others = f"; legs that others play again: {len(legs)}" if legs else ""
        self._say(f"host {host.name} {why}{others}")

    async def _watch(self) -> None:
        """Part with hosts that give no sign of life."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            for host in self._hosts.values():
                if not host.gone and self._line.silent_for(host.rank) > DEAD_AFTER_SECONDS:
                    why = f"was silent for {DEAD_AFTER_SECONDS:.0f} s"
                    self._line.send(host.rank, {"what": "refused", "why": f"it {why}"})
                    self._part_with(host, why)
                elif not host.gone and self._line.fault:
                    self._part_with(host, f"cannot be reached ({self._line.fault})")

    async def _play(
        self, host: HelpingHost, settings: LegSettings, leg: Leg, stop: asyncio.Event
    ) -> LegOutcome:
        """Let another host play a leg; its files are here when this returns.

        Raises:
            HostLost: it is gone before the leg is over.
            MatchError: the files cannot be read or written here.
        """
        try:
            deals = settings.manifest.deals is not None
            files = await asyncio.to_thread(packed_files, settings.folder, leg, deals=deals)
            if host.gone:
                raise HostLost
            said = await self._ask(host, settings, leg, files, stop)
            if said is None:
                return LegOutcome(leg, Ending.INTERRUPTED, f"host {host.name} did not send it")
            await asyncio.to_thread(unpack_files, settings.folder, leg, said["files"])
        except OSError as exc:
            raise MatchError(f"leg {leg.name}: {exc.strerror or exc}") from exc
        outcome = outcome_from(leg, said["outcome"])
        if outcome.ending is Ending.INTERRUPTED and not stop.is_set():
            raise HostLost
        return outcome

    async def _ask(
        self,
        host: HelpingHost,
        settings: LegSettings,
        leg: Leg,
        files: dict[str, bytes],
        stop: asyncio.Event,
    ) -> Message | None:
        """Return what a host says of a leg, None where it was to stop and said nothing."""
        host.legs[leg.name] = future = asyncio.get_running_loop().create_future()
        message = {
            "what": "play",
            "manifest": to_json(settings.manifest),
            "leg": leg.name,
            "files": files,
            "recover": settings.recover,
            "events": settings.events,
            "in_process": settings.in_process,
        }
        self._line.send(host.rank, message)
        stopped = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait({future, stopped}, return_when=asyncio.FIRST_COMPLETED)
            if not future.done():
                if not host.told_to_stop:
                    host.told_to_stop = True
                    self._line.send(host.rank, {"what": "stop"})
                await asyncio.wait({future}, timeout=_LEGS_STOP_SECONDS)
            return future.result() if future.done() else None
        finally:
            stopped.cancel()
            del host.legs[leg.name]
