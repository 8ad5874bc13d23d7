"""What a bot writes to its standard output or error, in a file that does not grow without end.

The bot writes to the file itself: nothing stands between that could be full, slow or gone.  Every
now and then the runner looks at the size and takes the middle out of a file that is too long.  So
a file may be longer for a moment, by what the bot can write between two looks.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from dealer.bots.participants import (
    PAGE_VARIABLE,
    BotKind,
    Participant,
    bot_environment,
    launch_command,
)
from dealer.bots.processes import MARK_VARIABLE, Child, ProcessLauncher
from dealer.plan.match_plan import MatchLimits
from engine.console.output import printable
from engine.parallel.own_programs import ADDRESS_FOLLOWS, COMPILING, PROGRAMS, READY, environment

MOST_OUTPUT_BYTES: Final = 10 << 20
LOOK_SECONDS: Final = 0.2
OUTPUT_CHECK_SECONDS: Final = 0.02
_HEAD_BYTES: Final = 4 << 20
_TAIL_BYTES: Final = 2 << 20
"""So much of the beginning and of the end is left when the middle is taken out."""
_SHOWN_BYTES: Final = 4096
_TAIL_LINES: Final = 12
_CUT_SEARCH_BYTES: Final = 1 << 16


class OutputFile:
    """A file that a bot appends to."""

    def __init__(self, path: Path) -> None:
        """Note how long the file is before the bot starts."""
        self.path = path
        self.start = size_on_disk(path)
        """Size before this play of the leg, bytes."""
        self._head_end = 0
        self._note_end = 0
        self._left_out = 0

    def keep_short(self) -> bool:
        """Take the middle out if the file is too long; return whether it was.

        A file that cannot be opened is left alone.
        """
        try:
            if size_on_disk(self.path) - self.start <= MOST_OUTPUT_BYTES:
                return False
            with self.path.open("r+b", buffering=0) as file:
                self._shorten(file.fileno())
        except OSError:
            return False
        return True

    def tail(self) -> tuple[str, ...]:
        """Return the last lines of this play."""
        return tail_of(self.path, self.start)

    def remove_if_empty(self) -> None:
        """Leave no file that says nothing."""
        if self.path.exists() and size_on_disk(self.path) == 0:
            self.path.unlink()

    def _shorten(self, file: int) -> None:
        """Write note and tail over the middle, then cut; what is appended meanwhile moves along.

        Only what arrives between the last look at the size and the cut, microseconds, is lost.
        """
        if not self._note_end:
            cut = self.start + _HEAD_BYTES
            window = os.pread(file, _CUT_SEARCH_BYTES, cut - _CUT_SEARCH_BYTES)
            newline = window.rfind(b"\n") + 1
            self._head_end = self._note_end = cut - len(window) + newline if newline else cut
        size = os.fstat(file).st_size
        tail_start = size - _TAIL_BYTES
        window = os.pread(file, _CUT_SEARCH_BYTES, tail_start)
        tail_start += window.find(b"\n") + 1
        self._left_out += tail_start - self._note_end
        note = f"\n[arena match left out {self._left_out:,} bytes here]\n".encode()
        to = _write(file, note, self._head_end)
        self._note_end = to
        while to < self._note_end + 2 * _TAIL_BYTES:  # it may come as fast as it is copied
            data = os.pread(file, _CUT_SEARCH_BYTES, tail_start)
            if not data:
                break
            to = _write(file, data, to)
            tail_start += len(data)
        os.ftruncate(file, to)


def _write(file: int, data: bytes, to: int) -> int:
    """Write at a place in a file; return the place after it."""
    while data:
        written = os.pwrite(file, data, to)
        data, to = data[written:], to + written
    return to


def size_on_disk(path: Path) -> int:
    """Return the size of a file in bytes, 0 where there is none."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def tail_of(path: Path, start: int) -> tuple[str, ...]:
    """Return the last lines that were written to a file after its first `start` bytes.

    They are to be shown: what would steer a terminal is escaped.
    """
    text = last_bytes(path, start).decode("utf-8", "backslashreplace")
    return tuple(printable(line) for line in text.splitlines()[-_TAIL_LINES:])


def last_bytes(path: Path, start: int) -> bytes:
    """Return the end of a file, at most 4 KiB that come after its first `start` bytes."""
    try:
        with path.open("rb") as file:
            file.seek(max(start, size_on_disk(path) - _SHOWN_BYTES))
            return file.read(_SHOWN_BYTES)
    except FileNotFoundError:
        return b""


BOT_READY_SECONDS: Final = 1800.0
"""To compile and load takes minutes on a busy machine."""
_HEARD_BYTES: Final = 256
_USAGE_ERROR_STATUS: Final = 2


Address: TypeAlias = tuple[str, int]
"""Host and port."""


class SeatLine:
    """The line between us and a shipped bot that is not told yet where to sit down."""

    def __init__(self) -> None:
        """Make a pair of sockets.  Raises OSError."""
        self._socket, self.bots_end = socket.socketpair()
        self._socket.setblocking(False)
        self.compiling = False
        """Whether the bot has said that it compiles."""
        self.waiting = True
        """Until it is ready, or has ended."""

    async def until_ready(self, compiling: Callable[[], None]) -> bool:
        """Return whether the bot is ready, once it is, has ended, or had `BOT_READY_SECONDS`.

        Args:
            compiling: called when it says that it compiles.
        """
        loop = asyncio.get_running_loop()
        heard = b""
        with contextlib.suppress(TimeoutError, OSError):
            async with asyncio.timeout(BOT_READY_SECONDS):
                while READY not in heard and (
                    data := await loop.sock_recv(self._socket, _HEARD_BYTES)
                ):
                    heard += data
                    if COMPILING in heard and not self.compiling:
                        self.compiling = True
                        compiling()
        self.waiting = False
        return READY in heard

    def sit_down(self, address: Address) -> None:
        """Tell the bot where to sit down; nothing happens when it has ended."""
        with contextlib.suppress(OSError):
            self._socket.send("{} {}\n".format(*address).encode())

    def close(self) -> None:
        """Give the line up: a bot that was not told where to sit down ends."""
        self._socket.close()


@dataclass(frozen=True, slots=True)
class BotProgram:
    """How a bot is started, and where it writes."""

    bot: Participant
    command: Callable[[str, int], list[str]]
    """Returns it for host and port."""
    environment: dict[str, str] = field(repr=False)
    output: OutputFile
    errors: OutputFile
    log: Path | None = None
    """Of the leg, where the bot may be shown it."""

    async def start(
        self,
        launcher: ProcessLauncher,
        folder: Path,
        address: Address,
        core: int | None = None,
        *,
        in_the_middle: bool = False,
        keep_fds: tuple[int, ...] = (),
    ) -> Child:
        """Start it in the bot's own folder, `folder` where it has none.

        Args:
            address: where to sit down.
            core: processor core to keep it on; None for any.
            in_the_middle: whether the leg has begun: bots that learn are then shown its log.
            keep_fds: file descriptors that it holds as well.

        Raises:
            OSError: a file cannot be opened or no process can be created.
        """
        return await launcher.start(
            self.bot.label,
            self.command(*address),
            cwd=Path(self.bot.directory or folder),
            env=self.environment | (self._played() if in_the_middle else {}),
            stdout=self.output.path,
            stderr=self.errors.path,
            core=core,
            keep_fds=keep_fds,
        )

    async def start_early(
        self,
        launcher: ProcessLauncher,
        folder: Path,
        core: int | None = None,
        *,
        in_the_middle: bool = False,
    ) -> tuple[Child, SeatLine]:
        """Start a shipped bot, to be told over the line where to sit down; otherwise as `start`."""
        line = SeatLine()
        with line.bots_end as end, contextlib.ExitStack() as undo:
            undo.callback(line.close)
            address = ADDRESS_FOLLOWS, end.fileno()
            child = await self.start(
                launcher,
                folder,
                address,
                core,
                in_the_middle=in_the_middle,
                keep_fds=(end.fileno(),),
            )
            undo.pop_all()
        return child, line

    def _played(self) -> dict[str, str]:
        if self.log is None:
            return {}
        return {"ARENA_PLAYED_LOG": str(self.log), "ARENA_LABEL": self.bot.label}


def bot_program(
    bot: Participant,
    *,
    game: Path,
    seed: int,
    token: str,
    mark: str,
    limits: MatchLimits,
    output: OutputFile,
    errors: OutputFile,
    log: Path | None = None,
) -> BotProgram:
    """Return how to start a bot that is to sit down at a dealer.

    Args:
        token: of its seat, "" for none.
        mark: by which all that it starts can be found, see `descendants`.
        log: of the leg, which a shipped bot is told that sits down in the middle; it has all cards,
            so nobody else is.
    """
    inherited = environment() if bot.kind is BotKind.SHIPPED else dict(os.environ)
    if PROGRAMS["person's seat"] not in bot.words:
        inherited.pop(PAGE_VARIABLE, None)
    variables = bot_environment(bot, seed, token, limits) | {"ARENA_GAME": str(game)}
    return BotProgram(
        bot,
        partial(launch_command, bot, game=game, limits=limits),
        {**inherited, **variables, MARK_VARIABLE: mark},
        output,
        errors,
        log if bot.kind is BotKind.SHIPPED else None,
    )


def compiling_text(bots: str) -> str:
    """Return what the user is told while bots are compiled."""
    return f"{bots}: compiling (first start); later starts on this machine take a second"


@dataclass(slots=True)
class SeatedBot:
    """A bot that we started."""

    number: int
    """0-based seat."""
    program: BotProgram
    child: Child
    line: SeatLine | None = None
    """Over which a shipped bot is told where to sit down."""
    address: Address = ("", 0)
    """Where it sits down, once that is known."""

    @property
    def bot(self) -> Participant:
        """Who it is."""
        return self.program.bot

    async def until_ready(self, compiling: Callable[[], None]) -> None:
        """Wait for a shipped bot, see `SeatLine.until_ready`."""
        if self.line is not None:
            await self.line.until_ready(compiling)

    def sit_down(self, address: Address) -> None:
        """Tell a bot that waits for it where to sit down."""
        self.address = address
        if self.line is not None:
            self.line.sit_down(address)
        self.close_line()

    def close_line(self) -> None:
        """Give the line up, if there still is one."""
        if self.line is not None:
            self.line.close()
            self.line = None

    def refused(self, *, begun: bool) -> bool:
        """Return whether a shipped bot has ended because it does not accept its options.

        `begun` says whether an action was taken in this play of the leg.
        """
        ended = self.child.status == _USAGE_ERROR_STATUS and not self.child.was_stopped
        return self.bot.kind is BotKind.SHIPPED and ended and not begun
