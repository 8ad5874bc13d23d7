"""What the other hosts do: they play the legs that the first one hands them, and keep nothing."""

from __future__ import annotations

import asyncio
import hashlib
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from socket import gethostname
from typing import Any, Final, NoReturn

from dealer.bots.participants import Participant
from dealer.bots.processes import ProcessLauncher
from dealer.errors import MatchError, MatchUsageError
from dealer.hosts.line import DEAD_AFTER_SECONDS, HostLine, Message
from dealer.hosts.parcel import outcome_document, packed_files, unpack_files
from dealer.series.leg import play_leg
from dealer.series.leg_queue import stopped_by_signals
from dealer.series.leg_settings import LegSettings
from dealer.series.manifest import Manifest, from_json
from dealer.series.outcome import LegOutcome
from dealer.series.schedule import Leg
from dealer.server.endings import Ending
from engine.console.version import program_version

_FIRST_HOST: Final = 0
_LOOK_SECONDS: Final = 1.0
_WELCOME_SECONDS: Final = 600.0
_PACKAGES: Final = ("protocol", "engine", "dealer", "agents")


@dataclass(frozen=True, slots=True)
class HostSetup:
    """How a host plays what the first one asks it to."""

    bots: Mapping[str, Participant]
    """By label; they differ from those of the first host in the folders they are started in."""
    working_directory: str
    jobs: int
    """Legs side by side."""
    cores: tuple[int, ...]
    """Processor cores that the legs are kept on; empty: no pinning."""


def program_here() -> str:
    """Return which program this is: its version, and the beginning of a digest of its sources."""
    root = Path(__file__).resolve().parents[2]
    digest = hashlib.sha256()
    for package in _PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            digest.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    return f"acpc-arena {program_version()} ({digest.hexdigest()[:12]})"


class FollowingHost:
    """A host that plays legs for the first one."""

    def __init__(
        self,
        line: HostLine,
        accept: Callable[[Message], HostSetup],
        say: Callable[[str], None],
    ) -> None:
        """Nothing is played yet.

        Args:
            accept: says how to play what the first host's welcome tells of, or raises MatchError.
        """
        self._line = line
        self._accept = accept
        self._say = say
        self._heard: asyncio.Queue[Message] = asyncio.Queue()
        self._stop = asyncio.Event()
        self._told_to_stop = False
        self._cores: list[int] = []

    async def run(self) -> Ending:
        """Play until all is over, or until a signal stops this host.

        Raises:
            MatchError: this host may not take part, or the first one is gone.
        """
        with self._line.heard_by(lambda _, message: self._heard.put_nowait(message)):
            async with stopped_by_signals(self._stop):
                return await self._take_part()

    async def _take_part(self) -> Ending:
        hello = {"what": "hello", "program": program_here(), "name": gethostname()}
        self._line.send(_FIRST_HOST, hello)
        message = await self._next(_WELCOME_SECONDS)
        if message is None or message["what"] == "over":
            return Ending.INTERRUPTED if message is None else Ending.FINISHED
        if message["what"] == "refused":
            _refuse(message["why"])
        try:
            setup = self._accept(message)
        except MatchError as exc:
            self._line.send(_FIRST_HOST, {"what": "leaves", "why": f"does not take part: {exc}"})
            raise
        if setup.cores:
            self._cores = [setup.cores[job % len(setup.cores)] for job in range(setup.jobs)]
        self._line.send(_FIRST_HOST, {"what": "ready", "jobs": setup.jobs})
        failure = None
        ending = Ending.ERROR
        with tempfile.TemporaryDirectory(prefix="arena-host-") as scratch:
            async with ProcessLauncher() as launcher, asyncio.TaskGroup() as group:
                try:
                    ending = await self._obey(setup, Path(scratch), launcher, group)
                except MatchError as exc:  # the legs end in order all the same
                    failure = exc
                self._stop.set()
        if failure is not None:
            raise failure
        if ending is Ending.INTERRUPTED:
            self._line.send(_FIRST_HOST, {"what": "leaves", "why": "was stopped and leaves"})
        return ending

    async def _obey(
        self, setup: HostSetup, scratch: Path, launcher: ProcessLauncher, group: asyncio.TaskGroup
    ) -> Ending:
        """Do what the first host says until there is nothing more to do."""
        while (message := await self._next(DEAD_AFTER_SECONDS)) is not None:
            match message["what"]:
                case "play":
                    group.create_task(self._play(message, setup, scratch, launcher))
                case "stop":
                    self._told_to_stop = True
                    self._stop.set()
                case "refused":
                    _refuse(message["why"])
                case "over":
                    return Ending.FINISHED
        return Ending.INTERRUPTED

    async def _next(self, patience: float) -> Message | None:
        """Return what the first host says next, None when a signal asks this one to stop.

        Raises:
            MatchError: the first host is gone: the store, or silent for `patience` seconds.
        """
        hearing = asyncio.ensure_future(self._heard.get())
        stopped = asyncio.ensure_future(self._stop.wait())
        waiting: set[asyncio.Future[Any]] = {hearing} if self._told_to_stop else {hearing, stopped}
        try:
            while True:
                await asyncio.wait(
                    waiting, timeout=_LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
                if hearing.done():
                    return hearing.result()
                if self._stop.is_set() and not self._told_to_stop:
                    return None
                silent = self._line.silent_for(_FIRST_HOST)
                if self._line.fault or silent > patience:
                    why = self._line.fault or f"silent for {silent:.0f} s"
                    raise MatchError(
                        f"the first host is gone ({why}); --resume resumes what it has"
                    )
        finally:
            hearing.cancel()
            stopped.cancel()

    async def _play(
        self, message: Message, setup: HostSetup, scratch: Path, launcher: ProcessLauncher
    ) -> None:
        """Play a leg in a folder of its own, and send what became of it."""
        manifest = _manifest(message["manifest"])
        leg = next(leg for leg in manifest.legs() if leg.name == message["leg"])
        core = self._cores.pop(0) if self._cores else None
        with tempfile.TemporaryDirectory(dir=scratch) as name:
            folder = Path(name)
            settings = LegSettings(
                replace(
                    manifest,
                    bots=tuple(setup.bots[bot.label] for bot in manifest.bots),
                    working_directory=setup.working_directory,
                ),
                folder,
                self._say,
                recover=message["recover"],
                events=message["events"],
                in_process=message["in_process"],
            )
            try:
                (folder / manifest.game_name).write_text(manifest.game_text, encoding="utf-8")
                await asyncio.to_thread(unpack_files, folder, leg, message["files"])
                outcome = await play_leg(settings, leg, launcher, self._stop, core)
                files = await asyncio.to_thread(packed_files, folder, leg)
            except OSError as exc:
                files, outcome = {}, _cannot_play(leg, exc)
        if core is not None:
            self._cores.append(core)
        said = {"leg": leg.name, "outcome": outcome_document(outcome), "files": files}
        self._line.send(_FIRST_HOST, said | {"what": "played"})


def check_folders(bots: Sequence[Participant], working_directory: str) -> None:
    """Refuse to play where a bot's folder is not there.  Raises MatchUsageError."""
    for folder in (working_directory, *(bot.directory for bot in bots)):
        if folder and not Path(folder).is_dir():
            raise MatchUsageError(f"there is no folder {folder} on {gethostname()}")


def _refuse(why: str) -> NoReturn:
    raise MatchUsageError(f"the first host does not want this one: {why}")


def _cannot_play(leg: Leg, exc: OSError) -> LegOutcome:
    return LegOutcome(leg, Ending.ERROR, f"on {gethostname()}: {exc.strerror or exc}")


@lru_cache(maxsize=64)
def _manifest(text: str) -> Manifest:
    return from_json(text)
