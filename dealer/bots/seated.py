"""A bot that we started at a seat of a leg, and the files that it writes.

A shipped bot is started before its dealer: it may have to compile for minutes, and no clock of the
dealer's runs meanwhile.  Over a `SeatLine` it says that it is ready, and hears where to sit down.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from dealer.bots.descendants import MARK_NAME
from dealer.bots.launcher import Child, ProcessLauncher
from dealer.bots.output_file import OutputFile
from dealer.bots.participants import (
    PAGE_VARIABLE,
    PERSON_PROGRAM,
    BotKind,
    Participant,
    bot_environment,
    launch_command,
)
from engine.parallel.own_programs import ADDRESS_FOLLOWS, COMPILING, READY, environment

READY_SECONDS: Final = 1800.0
"""How long a shipped bot may take to compile and load; a busy machine needs minutes."""
_HEARD_BYTES: Final = 256
_USAGE_STATUS: Final = 2
"""Exit status of a shipped bot that does not accept its options."""


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

    async def until_ready(self, compiling: Callable[[], None]) -> None:
        """Return when the bot is ready, has ended, or has had `READY_SECONDS`.

        Args:
            compiling: called when it says that it compiles.
        """
        loop = asyncio.get_running_loop()
        heard = b""
        with contextlib.suppress(TimeoutError, OSError):
            async with asyncio.timeout(READY_SECONDS):
                while READY not in heard and (
                    data := await loop.sock_recv(self._socket, _HEARD_BYTES)
                ):
                    heard += data
                    if COMPILING in heard and not self.compiling:
                        self.compiling = True
                        compiling()
        self.waiting = False

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
    dealer_options: Mapping[str, str],
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
    own = environment() if bot.kind is BotKind.SHIPPED else dict(os.environ)
    if PERSON_PROGRAM not in bot.words:
        own.pop(PAGE_VARIABLE, None)
    told = bot_environment(bot, seed, token, dealer_options) | {"ARENA_GAME": str(game)}
    return BotProgram(
        bot,
        partial(launch_command, bot, game=game, dealer_options=dealer_options),
        {**own, **told, MARK_NAME: mark},
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
        ended = self.child.status == _USAGE_STATUS and not self.child.was_stopped
        return self.bot.kind is BotKind.SHIPPED and ended and not begun
