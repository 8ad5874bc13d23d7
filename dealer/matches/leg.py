"""One leg: a dealer process and its bots, from starting them to knowing how it ended."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from dealer.matches.bots import BotKind, Participant, launch_command, limits_environment
from dealer.matches.launcher import Child, ProcessLauncher, environment
from dealer.matches.manifest import Manifest
from dealer.matches.outcome import (
    LegOutcome,
    in_words,
    is_complete,
    read_summary,
    reply_warnings,
    size_of,
    tail_of,
)
from dealer.matches.plan import Leg, bot_seed
from dealer.server.endings import Ending

PORTS_SECONDS: Final = 60.0
"""How long a dealer may take to start and say its ports."""
_REPLAYED_BYTES: Final = 200_000
"""Of a transaction file, played again per second before the ports are said: an eighth of what a
dealer does on a busy machine."""
START_MS: Final = 120_000
"""How long our own processes may take to connect; the first start after an update compiles."""
GUEST_START_MS: Final = 600_000
"""How long somebody outside may take to connect, as in the competitions."""
_NOTICE_SECONDS: Final = 2.0
"""How long after a bot's end the dealer may take to have noticed."""
_STOP_SECONDS: Final = 10.0
"""How long a dealer may take to end after it was told to."""
_BOT_SECONDS: Final = 5.0
"""How long a bot may take to end after its connection was closed."""
_LOSER_SECONDS: Final = 1.0
"""The same after a match that was not finished."""
_LOOK_SECONDS: Final = 0.2
"""How often to look whether a leg has begun, while a bot that others start is awaited."""
_USAGE_STATUS: Final = 2
"""Exit status of a shipped bot that does not accept its options."""
_FRUITLESS_RESTARTS: Final = 3
"""Restarts of a bot without a hand finished in between, after which it is given up."""


@dataclass(frozen=True, slots=True)
class LegSettings:
    """What all legs of a match have in common."""

    manifest: Manifest
    folder: Path
    announce: Callable[[str], None]
    """Tells the user something that cannot wait, one line."""
    recover: bool = False
    """Start a bot again that ended with an error."""
    events: bool = False
    """Let the dealer write its structured log."""
    lock_fd: int | None = None
    """The folder's lock; dealers hold it too, so it is free only when none writes there."""
    dealer: tuple[str, ...] = (sys.executable, "-P", "-m", "dealer.server.command")
    """The dealer's program and first arguments."""
    waits: dict[str, str] = field(default_factory=dict)
    """By name of a leg in play: the bots whose connection it waits for; kept up to date."""


async def play_leg(
    settings: LegSettings,
    leg: Leg,
    launcher: ProcessLauncher,
    stop: asyncio.Event,
    core: int | None = None,
) -> LegOutcome:
    """Play a leg to its end, or until `stop` is set; resume from what its files already hold."""
    return await _LegPlay(settings, leg, launcher, core).play(stop)


def dealer_arguments(settings: LegSettings, leg: Leg) -> list[str]:
    """Return the command line of the leg's dealer, which runs in the match folder."""
    manifest = settings.manifest
    bots = [manifest.bots[index] for index in leg.seats]
    guests = any(bot.kind is BotKind.LISTEN for bot in bots)
    start_ms = str(GUEST_START_MS if guests else START_MS)
    options = {"start_timeout": start_ms, **dict(manifest.dealer_options)}
    arguments = [
        *(*settings.dealer, leg.name, manifest.game_name, str(manifest.hands), str(leg.seed)),
        *(bot.label for bot in bots),
        *("-q", "-T", "-a", "--ending-codes", "--summary", f"{leg.name}.end.json"),
    ]
    if any(bot.port for bot in bots):
        arguments += ["-p", ",".join(str(bot.port) for bot in bots)]
    if settings.events:
        arguments += ["--events", f"{leg.name}.events.jsonl"]
    for name, value in options.items():
        arguments += [f"--{name}", value]
    return arguments


@dataclass(slots=True)
class _Seat:
    """A bot that we started."""

    number: int
    """0-based seat."""
    bot: Participant
    command: list[str]
    child: Child
    stderr_from: int
    """Size of the error file before this leg, bytes."""


@dataclass(slots=True)
class _LegPlay:
    settings: LegSettings
    leg: Leg
    launcher: ProcessLauncher
    core: int | None
    dealer: Child | None = None
    seats: list[_Seat] = field(default_factory=list)
    gone: _Seat | None = None
    """A bot that ended while the dealer still waited for it."""
    guests: list[str] = field(default_factory=list)
    """Label and address of each seat that somebody else's bot takes."""
    dealer_stderr_from: int = 0
    actions_from: int = 0
    """Size of the transaction file before this play of the leg, bytes."""
    restarts: int = 0

    async def play(self, stop: asyncio.Event) -> LegOutcome:
        patience = 0.0
        try:
            await self._run(stop)
            outcome = await self._judge(stop.is_set())
            # After a broken-off hand a bot may keep trying to come back.
            patience = _BOT_SECONDS if outcome.ending is Ending.FINISHED else _LOSER_SECONDS
            return outcome
        except OSError as exc:
            return LegOutcome(self.leg, Ending.ERROR, f"cannot start: {exc}")
        finally:
            if self.dealer is not None:
                await self.dealer.end(0.0)
            await asyncio.gather(*(seat.child.end(patience) for seat in self.seats))
            self._remove_empty_files()

    async def _run(self, stop: asyncio.Event) -> None:
        summary = self._path(".end.json")
        summary.unlink(missing_ok=True)
        self.dealer_stderr_from = size_of(self._path(".err"))
        self.actions_from = size_of(self._path(".tlog"))
        dealer = self.dealer = await self.launcher.start(
            "dealer",
            dealer_arguments(self.settings, self.leg),
            cwd=self.settings.folder,
            env=environment(),
            stderr=self._path(".err"),
            core=self.core,
            keep_fds=() if self.settings.lock_fd is None else (self.settings.lock_fd,),
        )
        async with asyncio.TaskGroup() as group:
            watchers = [group.create_task(self._stop_dealer(dealer, stop))]
            ports = await self._ports(dealer)
            if ports is not None and not stop.is_set():
                await self._seat_bots(ports)
                watchers += [
                    group.create_task(self._watch(seat, dealer, stop)) for seat in self.seats
                ]
                if self.guests:
                    watchers.append(group.create_task(self._await_guests()))
            # The dealer's clocks bound this wait.
            await dealer.wait()
            for watcher in watchers:
                watcher.cancel()

    async def _ports(self, dealer: Child) -> list[int] | None:
        """Return the dealer's ports in seat order, None when it ended without saying any."""
        try:
            async with asyncio.timeout(PORTS_SECONDS + self.actions_from / _REPLAYED_BYTES):
                line = await dealer.stdout.readline()
        except TimeoutError:
            await dealer.end(0.0)
            return None
        words = line.split()
        if len(words) != len(self.leg.seats) or not all(word.isdigit() for word in words):
            return None
        return [int(word) for word in words]

    async def _seat_bots(self, ports: list[int]) -> None:
        manifest = self.settings.manifest
        options = dict(manifest.dealer_options)
        listen = options.get("listen", "127.0.0.1")
        host = "127.0.0.1" if listen == "0.0.0.0" else listen
        for number, (index, port) in enumerate(zip(self.leg.seats, ports, strict=True)):
            bot = manifest.bots[index]
            if bot.kind is BotKind.LISTEN:
                self.settings.announce(
                    f"{bot.label}: connect to {listen} port {port} "
                    f"(leg {self.leg.name}, seat {number + 1})"
                )
                address = f"[{listen}]" if ":" in listen else listen
                self.guests.append(f"{bot.label} on {address}:{port}")
                continue
            command = launch_command(
                bot,
                host,
                port,
                game=self.settings.folder / manifest.game_name,
                seed=bot_seed(self.leg, index),
                dealer_options=options,
            )
            before = size_of(self._output(number, ".err"))
            child = await self._start(number, bot, command)
            self.seats.append(_Seat(number, bot, command, child, before))

    async def _start(self, number: int, bot: Participant, command: list[str]) -> Child:
        manifest = self.settings.manifest
        told = {**os.environ, **limits_environment(dict(manifest.dealer_options))}
        return await self.launcher.start(
            bot.label,
            command,
            cwd=Path(manifest.working_directory),
            env=environment() if bot.kind is BotKind.SHIPPED else told,
            stdout=self._output(number, ".std"),
            stderr=self._output(number, ".err"),
            core=self.core,
        )

    async def _stop_dealer(self, dealer: Child, stop: asyncio.Event) -> None:
        await stop.wait()
        await _interrupt(dealer)

    async def _await_guests(self) -> None:
        """Let it be known that guests are awaited, until the first action shows that all came."""
        waits = self.settings.waits
        waits[self.leg.name] = ", ".join(self.guests)
        try:
            while True:
                await asyncio.sleep(_LOOK_SECONDS)
                if self._begun:
                    return
        finally:
            del waits[self.leg.name]

    @property
    def _begun(self) -> bool:
        """True once an action was taken: all bots have connected."""
        return size_of(self._path(".tlog")) > self.actions_from

    def _refused(self, seat: _Seat) -> bool:
        """Return whether a shipped bot has ended because it does not accept its options."""
        child = seat.child
        ended = child.status == _USAGE_STATUS and not child.was_stopped
        return seat.bot.kind is BotKind.SHIPPED and ended and not self._begun

    async def _watch(self, seat: _Seat, dealer: Child, stop: asyncio.Event) -> None:
        """See to it that the dealer does not wait for a bot whose process is gone."""
        log_before = fruitless = 0
        while True:
            status = await seat.child.wait()
            if seat.child.group_lives:
                return  # it went to the background; the dealer's start timeout covers the rest
            if self._refused(seat):
                self.gone = self.gone or seat
                await _interrupt(dealer)
                return
            log_now = size_of(self._path(".log"))
            fruitless = 0 if log_now > log_before else fruitless + 1
            log_before = log_now
            if not (self.settings.recover and status and fruitless <= _FRUITLESS_RESTARTS):
                break
            if stop.is_set() or dealer.status is not None:
                return
            self.restarts += 1
            self.settings.announce(
                f"{self.leg.name}: {seat.bot.label} {in_words(status)}; starting it again"
            )
            self.launcher.forget(seat.child.pid)
            seat.child = await self._start(seat.number, seat.bot, seat.command)
        if await dealer.ended_within(_NOTICE_SECONDS) or stop.is_set():
            return
        self.gone = self.gone or seat
        await _interrupt(dealer)

    async def _judge(self, user_stopped: bool) -> LegOutcome:
        """Tell from the log, the dealer's summary and the exit statuses how the leg ended."""
        summary = read_summary(self._path(".end.json"))
        warnings = reply_warnings(self.settings.manifest, self.leg, summary)
        if is_complete(self._path(".log"), self.settings.manifest.hands):
            return LegOutcome(self.leg, Ending.FINISHED, warnings=warnings, restarts=self.restarts)
        ending, detail, culprit = await self._blame(summary, user_stopped)
        tail: tuple[str, ...] = ()
        if culprit is not None:
            tail = tail_of(self._output(culprit.number, ".err"), culprit.stderr_from)
        elif ending is Ending.ERROR:
            tail = tail_of(self._path(".err"), self.dealer_stderr_from)
        return LegOutcome(
            self.leg,
            ending,
            detail,
            self._label_blamed(culprit, summary),
            tail,
            warnings,
            self.restarts,
            refused=culprit is not None and self._refused(culprit),
        )

    async def _blame(
        self, summary: dict[str, Any] | None, user_stopped: bool
    ) -> tuple[Ending, str, _Seat | None]:
        """Return the ending, its description and, where one of our bots is the cause, its seat."""
        if self.gone is not None:
            status = self.gone.child.status
            words = f"{self.gone.bot.label} {in_words(status)} while the dealer waited for it"
            return (Ending.CRASH if status else Ending.DISCONNECT), words, self.gone
        if summary is None:
            if user_stopped:
                return Ending.INTERRUPTED, "interrupted", None
            status = None if self.dealer is None else self.dealer.status
            return Ending.ERROR, f"the dealer {in_words(status)} without a result", None
        ending = Ending(summary["ending"])
        detail = str(summary["detail"])
        seat = next((s for s in self.seats if s.number + 1 == summary["seat"]), None)
        if ending is Ending.DISCONNECT and seat is not None:
            await seat.child.ended_within(_BOT_SECONDS)
            status = seat.child.status
            if status and not seat.child.was_stopped:
                return Ending.CRASH, f"{seat.bot.label} {in_words(status)}: {detail}", seat
        return ending, detail, seat

    def _label_blamed(self, culprit: _Seat | None, summary: dict[str, Any] | None) -> str | None:
        if culprit is not None:
            return culprit.bot.label
        seat = None if summary is None else summary["seat"]
        return None if seat is None else self._label_of_seat(seat - 1)

    def _label_of_seat(self, number: int) -> str:
        return self.settings.manifest.labels[self.leg.seats[number]]

    def _path(self, suffix: str) -> Path:
        return self.settings.folder / f"{self.leg.name}{suffix}"

    def _output(self, seat: int, suffix: str) -> Path:
        return self._path(f".player{seat}{suffix}")

    def _remove_empty_files(self) -> None:
        outputs = [
            self._output(s.number, suffix) for s in self.seats for suffix in (".std", ".err")
        ]
        for path in (*outputs, self._path(".err")):
            if path.exists() and size_of(path) == 0:
                path.unlink()


async def _interrupt(dealer: Child) -> None:
    """Let the dealer finish its files, then see that it ends."""
    dealer.send_signal(signal.SIGINT)
    await dealer.end(_STOP_SECONDS)
