"""A bot that we started at a seat of a leg, and the files that it writes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

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
from engine.parallel.own_programs import environment

_USAGE_STATUS: Final = 2
"""Exit status of a shipped bot that does not accept its options."""


@dataclass(frozen=True, slots=True)
class BotProgram:
    """How a bot is started, and where it writes."""

    bot: Participant
    command: list[str]
    environment: dict[str, str] = field(repr=False)
    output: OutputFile
    errors: OutputFile
    log: Path | None = None
    """Of the leg, where the bot may be shown it."""

    async def start(
        self,
        launcher: ProcessLauncher,
        folder: Path,
        core: int | None = None,
        *,
        in_the_middle: bool = False,
    ) -> Child:
        """Start it in the bot's own folder, `folder` where it has none.

        Args:
            core: processor core to keep it on; None for any.
            in_the_middle: whether the leg has begun: bots that learn are then shown its log.

        Raises:
            OSError: a file cannot be opened or no process can be created.
        """
        return await launcher.start(
            self.bot.label,
            self.command,
            cwd=Path(self.bot.directory or folder),
            env=self.environment | (self._played() if in_the_middle else {}),
            stdout=self.output.path,
            stderr=self.errors.path,
            core=core,
        )

    def _played(self) -> dict[str, str]:
        if self.log is None:
            return {}
        return {"ARENA_PLAYED_LOG": str(self.log), "ARENA_LABEL": self.bot.label}


def bot_program(
    bot: Participant,
    address: tuple[str, int],
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
        address: host and port of its seat.
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
        launch_command(bot, *address, game=game, dealer_options=dealer_options),
        {**own, **told, MARK_NAME: mark},
        output,
        errors,
        log if bot.kind is BotKind.SHIPPED else None,
    )


@dataclass(slots=True)
class SeatedBot:
    """A bot that we started."""

    number: int
    """0-based seat."""
    program: BotProgram
    child: Child

    @property
    def bot(self) -> Participant:
        """Who it is."""
        return self.program.bot

    def refused(self, *, begun: bool) -> bool:
        """Return whether a shipped bot has ended because it does not accept its options.

        `begun` says whether an action was taken in this play of the leg.
        """
        ended = self.child.status == _USAGE_STATUS and not self.child.was_stopped
        return self.bot.kind is BotKind.SHIPPED and ended and not begun
