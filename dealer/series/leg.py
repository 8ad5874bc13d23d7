"""One leg: a dealer process and its bots, from starting them to knowing how it ended."""

from __future__ import annotations

import asyncio
import re
import secrets
import shlex
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from dealer.bots.participants import BotKind, Participant, compiles, counting
from dealer.bots.processes import Child, ProcessLauncher, end_marked, in_words
from dealer.bots.programs import (
    BOT_READY_SECONDS,
    LOOK_SECONDS,
    OUTPUT_CHECK_SECONDS,
    Address,
    BotProgram,
    OutputFile,
    SeatedBot,
    bot_program,
    size_on_disk,
    tail_of,
)
from dealer.plan.command_line import command_words, environment_of
from dealer.plan.options import with_field
from dealer.series.in_process_leg import play_in_process
from dealer.series.leg_settings import LegSettings, bot_limits, leg_plan, told_of
from dealer.series.outcome import (
    LegOutcome,
    is_complete,
    read_summary,
    replies_file,
    with_counts,
    words_of,
)
from dealer.series.schedule import Leg, bot_seed
from dealer.server.endings import Ending
from dealer.server.waits import Wait, read_board
from engine.parallel.own_programs import environment

DEALER_START_SECONDS: Final = 60.0
_REPLAYED_BYTES_PER_SECOND: Final = 200_000
"""A dealer plays its transaction file before it says its ports; this is an eighth of its speed on a
busy machine."""
_TOKEN_BYTES: Final = 16
_DEALER_NOTICE_SECONDS: Final = 2.0
_DEALER_STOP_SECONDS: Final = 10.0
_BOT_END_SECONDS: Final = 5.0
_LOSER_END_SECONDS: Final = 1.0
_MOST_FRUITLESS_RESTARTS: Final = 3
_UNTOLD_START_SECONDS: Final = 1.0
_NO_PACKAGE: Final = re.compile(
    r"ModuleNotFoundError: No module named '(agents|engine|protocol|numpy|numba)"
)


async def play_leg(
    settings: LegSettings,
    leg: Leg,
    launcher: ProcessLauncher,
    stop: asyncio.Event,
    core: int | None = None,
) -> LegOutcome:
    """Play a leg to its end, or until `stop` is set; resume from what its files already hold."""
    if settings.in_process:
        return await play_in_process(settings, leg, launcher, stop, core)
    play = _LegPlay(settings=settings, leg=leg, launcher=launcher, core=core)
    return await play.play(stop)


@dataclass(slots=True, kw_only=True)
class LegTraces:
    """What a play of a leg leaves behind."""

    settings: LegSettings
    leg: Leg
    dealer: Child | None = None
    bots: list[SeatedBot] = field(default_factory=list)
    gone: SeatedBot | None = None
    """A bot that ended while the dealer still waited for it."""
    dealer_stderr_from: int = 0
    """Size of the dealer's error file before this play of the leg, bytes."""
    actions_from: int = 0
    """Size of the transaction file before this play of the leg, bytes."""
    user_stopped: bool = False
    waited_for: str = ""
    """Whom the dealer waited for when the user stopped it, "" for nobody."""
    restarts: int = 0

    @property
    def begun(self) -> bool:
        """True once an action was taken in this play: all bots have connected."""
        return size_on_disk(self.file(".tlog")) > self.actions_from

    def file(self, suffix: str) -> Path:
        """Return a file of the leg."""
        return self.settings.folder / f"{self.leg.name}{suffix}"


@dataclass(slots=True, kw_only=True)
class _LegPlay(LegTraces):
    launcher: ProcessLauncher
    core: int | None
    tokens: list[str] = field(default_factory=list)
    """Of each seat; "" where its bot cannot know it."""
    began: float = field(default_factory=time.monotonic)
    """Seconds of the monotonic clock."""

    async def play(self, stop: asyncio.Event) -> LegOutcome:
        patience = 0.0
        keeper = asyncio.create_task(self._keep_files_short())
        try:
            await self._run(stop)
            self.user_stopped = stop.is_set()
            outcome = await ending_of(self, _BOT_END_SECONDS)
            # After a broken-off hand a bot may keep trying to come back.
            patience = _BOT_END_SECONDS if outcome.ending is Ending.FINISHED else _LOSER_END_SECONDS
            return outcome
        except OSError as exc:
            return LegOutcome(self.leg, Ending.ERROR, f"cannot start: {exc}")
        finally:
            if self.dealer is not None:
                await self.dealer.end(0.0)
            for bot in self.bots:
                bot.close_line()
            await asyncio.gather(*(bot.child.end(patience) for bot in self.bots))
            await end_marked(self._mark)
            keeper.cancel()
            self._tidy_files()

    async def _run(self, stop: asyncio.Event) -> None:
        self.file(".end.json").unlink(missing_ok=True)
        for number in range(len(self.leg.seats)):
            replies_file(self.settings.folder, self.leg, number).unlink(missing_ok=True)
        shipped = [bot.kind is BotKind.SHIPPED for bot in self._seated]
        self.tokens = [secrets.token_urlsafe(_TOKEN_BYTES) * ours for ours in shipped]
        self.dealer_stderr_from = size_on_disk(self.file(".err"))
        self.actions_from = size_on_disk(self.file(".tlog"))
        patience = DEALER_START_SECONDS + self.actions_from / _REPLAYED_BYTES_PER_SECOND
        with told_of(self.settings.waits, self.leg.name, self._not_ready):
            await self._start_shipped(stop)
            if stop.is_set():
                wait = self._not_ready()
                self.waited_for = "" if wait is None else wait.text(time.monotonic())
                return
        with (
            closing(WaitView(self.settings.folder, patience)) as view,
            told_of(self.settings.waits, self.leg.name, view.wait),
        ):
            dealer = self.dealer = await self._start_dealer(view.board)
            async with asyncio.TaskGroup() as group:
                watchers = [group.create_task(self._stop_dealer(dealer, stop, view))]
                ports = await self._ports(dealer, patience)
                view.started = ports is not None
                if ports is not None and not stop.is_set():
                    await self._seat_bots(ports)
                    watchers += [
                        group.create_task(self._watch(bot, dealer, stop)) for bot in self.bots
                    ]
                # The dealer's clocks bound this wait.
                await dealer.wait()
                for watcher in watchers:
                    watcher.cancel()
            if stop.is_set():  # not before the dealer has said what it waited for in the end
                self.waited_for = view.text()

    async def _start_dealer(self, board: int) -> Child:
        lock_fd = self.settings.lock_fd
        plan = leg_plan(self.settings, self.leg, self.tokens)
        plan = with_field(plan, "match.records.waits", board)
        return await self.launcher.start(
            "dealer",
            [*self.settings.dealer, *command_words(plan)],
            cwd=self.settings.folder,
            env={**environment(), **environment_of(plan)},
            stderr=self.file(".err"),
            core=self.core,
            keep_fds=(board,) if lock_fd is None else (board, lock_fd),
        )

    async def _ports(self, dealer: Child, patience: float) -> list[int] | None:
        """Return the dealer's ports in seat order, None when it ended without saying any."""
        try:
            async with asyncio.timeout(patience):
                line = await dealer.stdout.readline()
        except TimeoutError:
            await dealer.end(0.0)
            return None
        ports = line.split()
        if len(ports) != len(self.leg.seats) or not all(word.isdigit() for word in ports):
            return None
        return [int(word) for word in ports]

    async def _start_shipped(self, stop: asyncio.Event) -> None:
        """Start our own bots, and wait until they are ready to sit down."""
        for number, bot in enumerate(self._seated):
            if compiles(bot):
                program = self._program(number)
                child, line = await program.start_early(
                    self.launcher, self._bots_folder, self.core, in_the_middle=self._in_the_middle
                )
                self.bots.append(SeatedBot(number, program, child, line))
        tell = self.settings.tell_compiling
        async with asyncio.TaskGroup() as group:
            ready = [
                group.create_task(bot.until_ready(partial(tell, bot.bot.label)))
                for bot in self.bots
            ]
            stopper = group.create_task(_cancel_when(stop, ready))
            if ready:
                await asyncio.wait(ready)
            stopper.cancel()

    def _not_ready(self) -> Wait | None:
        """Return the wait for our own bots, None where it is over."""
        lines = [(bot.bot.label, bot.line) for bot in self.bots if bot.line is not None]
        late = [(label, line) for label, line in lines if line.waiting]
        if not late:
            return None
        what = "to get ready"
        if any(line.compiling for _, line in late):
            what = (
                f"to finish compiling (first start, {len(lines) - len(late) + 1} of {len(lines)})"
            )
        who = " and ".join(label for label, _ in late)
        return Wait(who, what, self.began, self.began + BOT_READY_SECONDS)

    async def _seat_bots(self, ports: list[int]) -> None:
        listen = dict(self.settings.manifest.dealer_options).get("listen", "127.0.0.1")
        host = "127.0.0.1" if listen == "0.0.0.0" else listen
        early = {bot.number: bot for bot in self.bots}
        for number, (bot, port) in enumerate(zip(self._seated, ports, strict=True)):
            if bot.kind is BotKind.LISTEN:
                self.settings.announce(
                    f"{bot.label}: connect to {listen} port {port} "
                    f"(leg {self.leg.name}, seat {number + 1})"
                )
            elif number in early:
                early[number].sit_down((host, port))
            else:
                program = self._program(number)
                child = await self._start(program, (host, port))
                self.bots.append(SeatedBot(number, program, child, address=(host, port)))

    def _program(self, number: int) -> BotProgram:
        """Return the program of the bot in a seat."""
        manifest = self.settings.manifest
        bot = self._seated[number]
        return bot_program(
            counting(bot, replies_file(self.settings.folder, self.leg, number).absolute()),
            game=self.settings.folder / manifest.game_name,
            seed=bot_seed(self.leg, self.leg.seats[number]),
            token=self.tokens[number],
            mark=self._mark,
            limits=bot_limits(manifest, bot),
            output=OutputFile(self.file(f".player{number}.std")),
            errors=OutputFile(self.file(f".player{number}.err")),
            log=self.file(".log") if manifest.deals is None else None,
        )

    async def _start(self, program: BotProgram, address: Address) -> Child:
        return await program.start(
            self.launcher,
            self._bots_folder,
            address,
            self.core,
            in_the_middle=self._in_the_middle,
        )

    async def _stop_dealer(self, dealer: Child, stop: asyncio.Event, view: WaitView) -> None:
        await stop.wait()
        view.stopped()
        await _interrupt(dealer)

    async def _keep_files_short(self) -> None:
        hasty = False
        while True:
            await asyncio.sleep(OUTPUT_CHECK_SECONDS if hasty else LOOK_SECONDS)
            hasty = self._shorten_files()

    async def _watch(self, seat: SeatedBot, dealer: Child, stop: asyncio.Event) -> None:
        """See to it that the dealer does not wait for a bot whose process is gone."""
        log_before = fruitless = 0
        while True:
            status = await seat.child.wait()
            if seat.child.group_lives:
                return  # it went to the background; the dealer's start timeout covers the rest
            if seat.refused(begun=self.begun):
                self.gone = self.gone or seat
                await _interrupt(dealer)
                return
            log_now = size_on_disk(self.file(".log"))
            fruitless = 0 if log_now > log_before else fruitless + 1
            log_before = log_now
            if not (self.settings.recover and status and fruitless <= _MOST_FRUITLESS_RESTARTS):
                break
            if stop.is_set() or dealer.status is not None:
                return
            self.restarts += 1
            self.settings.announce(
                f"{self.leg.name}: {seat.bot.label} {in_words(status)}; starting it again"
            )
            self.launcher.forget(seat.child.pid)
            seat.child = await self._start(seat.program, seat.address)
        if await dealer.ended_within(_DEALER_NOTICE_SECONDS) or stop.is_set():
            return
        self.gone = self.gone or seat
        await _interrupt(dealer)

    @property
    def _seated(self) -> list[Participant]:
        """Who sits in each seat."""
        return [self.settings.manifest.bots[index] for index in self.leg.seats]

    @property
    def _bots_folder(self) -> Path:
        return Path(self.settings.manifest.working_directory)

    @property
    def _in_the_middle(self) -> bool:
        """Whether something was played in this leg."""
        return size_on_disk(self.file(".tlog")) > 0

    @property
    def _mark(self) -> str:
        """What the processes of this leg's bots have in their environment, and no others."""
        return f"{self.launcher.token}.{self.leg.name}"

    def _shorten_files(self) -> bool:
        return sum(file.keep_short() for file in self._files()) > 0

    def _files(self) -> list[OutputFile]:
        return [file for bot in self.bots for file in (bot.program.output, bot.program.errors)]

    def _tidy_files(self) -> None:
        for file in (*self._files(), OutputFile(self.file(".err"))):
            file.keep_short()
            file.remove_if_empty()


async def _cancel_when(stop: asyncio.Event, tasks: Sequence[asyncio.Task[None]]) -> None:
    await stop.wait()
    for task in tasks:
        task.cancel()


async def _interrupt(dealer: Child) -> None:
    """Let the dealer finish its files, then see that it ends."""
    dealer.send_signal(signal.SIGINT)
    await dealer.end(_DEALER_STOP_SECONDS)


class WaitView:
    """The board of a leg's dealer, a file without a name that is gone when both have closed it."""

    def __init__(self, folder: Path, start_seconds: float) -> None:
        """Make the board.

        Raises:
            OSError: it cannot be made.
        """
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115
        self._since = time.monotonic()
        self._start_seconds = start_seconds
        self.started = False
        """True once the dealer has said its ports."""
        self._stopped_at: float | None = None

    @property
    def board(self) -> int:
        """The open file, for the dealer."""
        return self._file.fileno()

    def close(self) -> None:
        """Give the board up."""
        self._file.close()

    def wait(self) -> Wait | None:
        """Return whom the leg waits for, None for nobody or not yet long."""
        if self.started:
            return read_board(self.board)
        if time.monotonic() - self._since < _UNTOLD_START_SECONDS:
            return None
        until = self._since + self._start_seconds
        return Wait("the dealer", "to start", self._since, until)

    def stopped(self) -> None:
        """Let the leg's time end now: what is read later was waited for until then."""
        self._stopped_at = time.monotonic()

    def text(self) -> str:
        """Return it in words, "" for nobody."""
        wait = self.wait()
        now = time.monotonic() if self._stopped_at is None else self._stopped_at
        return "" if wait is None else wait.text(now)


async def ending_of(traces: LegTraces, patience: float) -> LegOutcome:
    """Return how a leg ended, once its dealer has.

    A bot that closed its connection may take `patience` seconds to end, for its exit status.
    """
    manifest = traces.settings.manifest
    summary = read_summary(traces.file(".end.json"))
    outcome = LegOutcome(traces.leg, Ending.FINISHED, restarts=traces.restarts)
    if not is_complete(traces.file(".log"), manifest.hands):
        outcome = await _broken_off(traces, summary, patience)
    return with_counts(outcome, manifest, summary, traces.settings.folder)


async def _broken_off(
    traces: LegTraces, summary: dict[str, Any] | None, patience: float
) -> LegOutcome:
    ending, detail, culprit = await _blame(traces, summary, patience)
    tail: tuple[str, ...] = ()
    if culprit is not None:
        tail = culprit.program.errors.tail()
        tail += _other_interpreter(culprit, tail)
    elif ending is Ending.ERROR:
        tail = tail_of(traces.file(".err"), traces.dealer_stderr_from)
    return LegOutcome(
        traces.leg,
        ending,
        detail,
        _label_blamed(traces, culprit, summary),
        tail,
        restarts=traces.restarts,
        refused=culprit is not None and culprit.refused(begun=traces.begun),
    )


def _other_interpreter(culprit: SeatedBot, tail: tuple[str, ...]) -> tuple[str, ...]:
    """Return a line of advice where a Python without our packages ran somebody's bot."""
    command = culprit.bot.words
    if not any(_NO_PACKAGE.match(line) for line in tail):
        return ()
    for at, word in enumerate(command):
        if Path(word).name.startswith("python"):
            ours = shlex.join([*command[:at], sys.executable, *command[at + 1 :]])
            return (f"({word} has not this project installed; {ours!r} would run the bot with it)",)
    return ()


async def _blame(
    traces: LegTraces, summary: dict[str, Any] | None, patience: float
) -> tuple[Ending, str, SeatedBot | None]:
    """Return the ending, its description and, where one of our bots is the cause, which."""
    if traces.gone is not None:
        status = traces.gone.child.status
        description = f"{traces.gone.bot.label} {in_words(status)} while the dealer waited for it"
        return (Ending.CRASH if status else Ending.DISCONNECT), description, traces.gone
    if summary is None:
        if traces.user_stopped:
            return Ending.INTERRUPTED, _with_wait("interrupted", traces), None
        status = None if traces.dealer is None else traces.dealer.status
        return Ending.ERROR, f"the dealer {in_words(status)} without a result", None
    ending = Ending(summary["ending"])
    detail = words_of(summary)
    bot = next((bot for bot in traces.bots if bot.number + 1 == summary["seat"]), None)
    if ending is Ending.INTERRUPTED:
        return ending, _with_wait(detail, traces), bot
    if ending is Ending.DISCONNECT and bot is not None:
        await bot.child.ended_within(patience)
        status = bot.child.status
        if status and not bot.child.was_stopped:
            return Ending.CRASH, f"{bot.bot.label} {in_words(status)}: {detail}", bot
    return ending, detail, bot


def _with_wait(detail: str, traces: LegTraces) -> str:
    """Return the words for an interruption, with whom it was waiting for."""
    return f"{detail} while waiting for {traces.waited_for}" if traces.waited_for else detail


def _label_blamed(
    traces: LegTraces, culprit: SeatedBot | None, summary: dict[str, Any] | None
) -> str | None:
    if culprit is not None:
        return culprit.bot.label
    seat: int | None = None if summary is None else summary["seat"]
    if seat is None or seat > len(traces.leg.seats):
        return None
    return traces.settings.manifest.labels[traces.leg.seats[seat - 1]]
