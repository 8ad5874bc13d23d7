"""One start of a bot for a check: its process, if it is ours to start, and its connection."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from dealer.bots.participants import BotKind, Participant, compiles
from dealer.bots.processes import Child, ProcessLauncher, end_marked, in_words
from dealer.bots.programs import LOOK_SECONDS, OutputFile, SeatedBot, bot_program, compiling_text
from dealer.compliance.checked_games import CheckedGame
from dealer.compliance.result import CheckFinding, failed
from dealer.compliance.wire import (
    BotGone,
    BotLink,
    BotRefused,
    BotTrouble,
    NoAnswer,
    WireTranscript,
)
from dealer.errors import MatchError
from dealer.plan.match_plan import MatchLimits
from dealer.server.endings import MatchStopped
from dealer.server.seating import Ports

GREETING_SECONDS: Final = 10.0
_EXIT_STATUS_SECONDS: Final = 1.0
_UNCHECKED_END_SECONDS: Final = 0.3
_ENDED_HINT: Final = "what it said when it ended is the reason, the whole of it is under stderr"


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """What all checks of a bot have in common."""

    bot: Participant
    hands: int
    """Hands against random opponents."""
    seed: int
    response_seconds: float
    """The longest that an answer may take."""
    hand_seconds: float
    """The longest for all answers of a hand."""
    per_hand_seconds: float
    """The longest for the answers of a hand on average."""
    start_seconds: float
    """How long a bot may take to connect."""
    late_seconds: float
    """How long a dealer that is late keeps a bot waiting."""
    exit_seconds: float
    """How long a bot may take to end after a match, and to come back after a lost connection."""
    listen: str
    """Address to listen on."""
    folder: Path = Path()
    """For the bot's game files and what it writes; an absolute path once checks run."""
    keep: bool = False
    """Keep transcripts, and what the bot wrote, in the folder."""

    @property
    def limits(self) -> MatchLimits:
        """The limits of its time."""
        return MatchLimits(
            t_response=round(1000 * self.response_seconds),
            t_hand=round(1000 * self.hand_seconds),
            t_per_hand=round(1000 * self.per_hand_seconds),
        )


class BotSession:
    """Async context manager: the bot is started on entering, and ended on leaving."""

    def __init__(
        self,
        settings: CheckSettings,
        launcher: ProcessLauncher,
        announce: Callable[[str], None],
        *,
        name: str,
        game: CheckedGame,
        bot_seed: int,
        port: int = 0,
        reconnect_seconds: float = 0.0,
    ) -> None:
        """Seat the bot of `settings`.

        Args:
            announce: tells the user something that cannot wait.
            name: of the check, for files.
            game: that the bot is told it plays.
            bot_seed: of the bot's random choices.
            port: to listen on, 0 for any.
            reconnect_seconds: for how long a shipped bot is told that it may come back.
        """
        self._settings = settings
        self._launcher = launcher
        self._announce = announce
        self.name = name
        self.game = game
        self._seed = bot_seed
        self._reconnect = reconnect_seconds
        self._ports: Ports | None = None
        self.port = port
        self.transcript = WireTranscript()
        self.link: BotLink | None = None
        self.seated: SeatedBot | None = None
        """None where somebody else starts it."""
        self.started = time.monotonic()
        self._keeper: asyncio.Task[None] | None = None
        stem = settings.folder / f"{game.name.removesuffix('.game')}.{name}"
        self._stem = stem
        self.errors: tuple[str, ...] = ()
        """The last lines that the bot wrote to standard error, once it has ended."""
        self._last_words = ""
        """The last of these, where the bot ended in the middle of a check."""
        self._files = tuple(
            OutputFile(stem.with_name(f"{stem.name}{end}")) for end in (".std", ".err")
        )

    @property
    def mark(self) -> str:
        """What the processes of this start have in their environment, and no others."""
        return f"{self._launcher.token}.{self.name}"

    @property
    def child(self) -> Child | None:
        """The bot's process, None where somebody else starts it."""
        return None if self.seated is None else self.seated.child

    async def __aenter__(self) -> BotSession:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _trace: object
    ) -> None:
        if isinstance(error, BotTrouble):
            await self.explain(error)
        self.stop_listening()
        if self.link is not None:
            await self.link.close()
        if self.seated is not None:
            self.seated.close_line()
            await self.seated.child.end(_UNCHECKED_END_SECONDS)
            await end_marked(self.mark)
        if self._keeper is not None:
            self._keeper.cancel()
        self.errors = self._files[1].tail()
        self._tidy()

    def listen(self) -> None:
        """Listen, at the same port as before.

        Raises:
            MatchError: the port is taken, or the address is not this machine's.
        """
        try:
            self._ports = Ports(self._settings.listen, [self.port], 1)
            self._ports.open()
        except MatchStopped as error:
            raise MatchError(error.end.detail) from error
        (self.port,) = self._ports.ports

    def stop_listening(self) -> None:
        """Let nobody connect any more."""
        if self._ports is not None:
            self._ports.close()
            self._ports = None

    async def start(self) -> None:
        """Start the bot, or ask whoever does it to start it.

        Raises:
            MatchError: it cannot be started.
        """
        settings, bot = self._settings, self._settings.bot
        if bot.kind is BotKind.LISTEN:
            self._announce(
                f"{bot.label}: connect to {settings.listen} port {self.port} (check {self.name})"
            )
            return
        game = settings.folder / self.game.name
        game.write_text(self.game.text, encoding="utf-8")
        listen = settings.listen
        program = bot_program(
            bot,
            game=game,
            seed=self._seed,
            token="",
            mark=self.mark,
            limits=replace(settings.limits, reconnect=self._reconnect or 0),
            output=self._files[0],
            errors=self._files[1],
        )
        address = "127.0.0.1" if listen == "0.0.0.0" else listen, self.port
        line = None
        try:
            if compiles(bot):
                child, line = await program.start_early(self._launcher, Path.cwd())
            else:
                child = await program.start(self._launcher, Path.cwd(), address)
        except OSError as error:
            raise MatchError(f"cannot start {bot.label}: {error}") from error
        self.seated = SeatedBot(0, program, child, line)
        await self.seated.until_ready(lambda: self._announce(compiling_text(bot.label)))
        self.seated.sit_down(address)
        self.started = time.monotonic()
        self._keeper = asyncio.create_task(self._keep_files_short())

    async def accept(self, seconds: float | None = None) -> float:
        """Wait until the bot has connected; return how many seconds after its start that was.

        Args:
            seconds: for how long; None: as long as a start may take.

        Raises:
            BotGone: its process ended first.
            BotRefused: a shipped bot ended, because it does not accept its game or options.
            NoAnswer: it does not connect in time.
        """
        seconds = self._settings.start_seconds if seconds is None else seconds
        assert self._ports is not None
        knock = asyncio.create_task(self._ports.accept(0))
        waiting = {knock} if self.child is None else {knock, asyncio.create_task(self._ended())}
        try:
            await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if knock.done():
                self.link = await BotLink.over(knock.result(), self.transcript)
                self.stop_listening()
                return time.monotonic() - self.started
        finally:
            for task in waiting:
                task.cancel()
        if self.seated is not None and self.seated.child.status is not None:
            if self.seated.refused(begun=False):
                lines = self._files[1].tail()
                raise BotRefused(lines[-1] if lines else "it does not say why")
            raise BotGone("it has not connected")
        raise NoAnswer(f"it does not connect within {seconds:.3g} s")

    async def greeting(self) -> bytes:
        """Return the first line of a bot that has connected.

        Raises:
            NoAnswer: there is none.
            BotGone: it closed the connection.
        """
        assert self.link is not None
        return await self.link.line(GREETING_SECONDS)

    async def ended_within(self, seconds: float) -> bool:
        """Return whether the bot's process ends within `seconds`."""
        return self.child is not None and await self.child.ended_within(seconds)

    async def explain(self, trouble: BotTrouble) -> None:
        """Add to the words of a lost connection what became of the bot's process."""
        if isinstance(trouble, BotGone) and await self.ended_within(_EXIT_STATUS_SECONDS):
            trouble.args = (f"{trouble} and {self.status_words()}",)
            lines = self._files[1].tail()
            ours = f"arena agent {self._settings.bot.words[0]}: "
            self._last_words = lines[-1].removeprefix(ours) if lines else ""

    def failure(self, said: str) -> CheckFinding:
        """Return the finding that the bot fails, with the last lines that went over the wire.

        What a bot says when it ends is more to the point than any hint of ours.
        """
        sent, received = self.transcript.recent()
        if not self._last_words:
            return failed(said, sent=sent, received=received)
        return failed(f"{said}: {self._last_words}", sent=sent, received=received, hint=_ENDED_HINT)

    def status_words(self) -> str:
        """Return what became of the bot's process, as the end of a sentence."""
        if self.child is None:
            return "is not ours to watch"
        return "still runs" if self.child.status is None else in_words(self.child.status)

    async def _ended(self) -> None:
        """Return when the bot's process has ended; not at all where a helper may connect yet."""
        assert self.child is not None
        await self.child.wait()
        if self.child.group_lives:  # it went to the background
            await asyncio.Event().wait()

    async def _keep_files_short(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            for file in self._files:
                file.keep_short()

    def _tidy(self) -> None:
        """Write the transcript where it is wanted; leave no file that says nothing."""
        for file in self._files:
            with contextlib.suppress(OSError):
                file.keep_short()
                file.remove_if_empty()
        if self._settings.keep:
            path = self._stem.with_name(f"{self._stem.name}.wire")
            path.write_text(self.transcript.text(), encoding="ascii")
