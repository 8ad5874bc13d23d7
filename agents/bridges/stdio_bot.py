"""Programs that play on their standard streams: stdio:./my_bot, see docs/bridges.md.

A wrong answer is told to the program and to the user, and the question is asked once more.  After a
second wrong answer it is a check, or a fold where there is something to call, and the match goes
on.  A program that ends, closes a stream or takes longer than the dealer allows ends the match.
"""

from __future__ import annotations

import os
import shlex
import time
import weakref
from math import isfinite
from typing import TYPE_CHECKING, Final

from agents.bot import Bot
from agents.bridges.line_program import LineProgram
from agents.errors import ProgramFailed
from engine.console.output import tell
from engine.play.budget import UNLIMITED, TimeBudget
from engine.play.told_decisions import decision_told, finished_hand_told
from protocol.decision_json import (
    READY,
    decision_line,
    error_line,
    game_as_json,
    hello_line,
    quoted,
    read_answer,
    result_line,
)
from protocol.errors import WrongAnswer
from protocol.gamedefs import builtin_aliases, load_builtin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef

_ASKED: Final = 2
"""How often a question is asked."""
_TOLD: Final = 10
"""Mistakes that the user is told one by one."""
_OURS: Final = ("ARENA_SEAT_TOKEN", "ARENA_PLAYED_LOG", "ARENA_LABEL")
"""Variables of the environment that are for our own programs."""


class _Mistakes:
    """What a program has done wrong, told to the user and counted."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.answers = 0
        """Answers that could not be taken, and times that something was written unasked."""
        self.replaced = 0
        """Decisions that were played as check or fold."""

    def add(self, what: str) -> None:
        """Count one."""
        self.answers += 1
        if self.answers <= _TOLD:
            tell(f"{self.name}: {what}")
        if self.answers == _TOLD:
            tell(f"{self.name}: more wrong answers are counted, not told")

    def sum_up(self) -> None:
        """Tell the user how many there were."""
        if self.answers:
            tell(
                f"{self.name}: wrong answers: {self.answers:,}; decisions played as check or fold "
                f"instead: {self.replaced:,}"
            )


class StdioBot(Bot):
    """Asks a program, which is started for the match and ended with it."""

    def __init__(self, command: str, strict: float = 0.0) -> None:
        """Seat a program.

        Args:
            command: the program and its arguments, as a shell would take them.
            strict: other than 0: the first wrong answer ends the match.

        Raises:
            ValueError: a quote of the command is not closed, or it is empty.
        """
        self._name: Final = f"stdio:{command}"
        self._words: Final = shlex.split(command)
        if not self._words:
            raise ValueError("want a program, as in stdio:./my_bot")
        self._strict: Final = bool(strict)
        self._mistakes = _Mistakes(self._name)
        self._game = ""
        self._running: LineProgram | None = None
        self._end: weakref.finalize[..., StdioBot] | None = None

    def start_match(self, game: GameDef, seed: int) -> None:
        """Start the program and wait until it says that it is ready.

        Raises:
            UnknownAgent: it cannot be started.
            ProgramFailed: it ends, or says something else.
        """
        if self._end is not None:
            self._end()
        self._mistakes = _Mistakes(self._name)
        name = self._name
        self._running = LineProgram(
            self._words,
            environment={key: text for key, text in os.environ.items() if key not in _OURS},
            notice=lambda text: tell(f"{name}: {text}"),  # of the name alone: it outlives the bot
        )
        self._end = weakref.finalize(self, _ended, self._running, self._mistakes)
        aliases = (alias for alias in builtin_aliases() if load_builtin(alias) == game)
        self._game = game_as_json(game, next(aliases, None))
        self._running.send(hello_line(self._game, seed))
        said = self._running.line()
        if said.strip() != READY:
            raise ProgramFailed(
                f"its first line is {quoted(said)}; want {READY.decode()}, in answer to the line "
                "of type hello"
            )

    def act(self, view: PlayerView, budget: TimeBudget = UNLIMITED) -> Action:
        """Return the program's action; a check or fold after two wrong answers.

        Raises:
            ProgramFailed: it is gone, or does not answer in time.
        """
        program = self._program
        if lines := program.unasked():
            more = f" and {len(lines) - 1:,} lines more" if len(lines) > 1 else ""
            self._wrong(f"{quoted(lines[0])}{more}: nobody asked for it")
        asked = decision_told(view)
        asked_at = time.monotonic()
        for _ in range(_ASKED):
            left = max(budget.seconds - (time.monotonic() - asked_at), 0.0)
            milliseconds = int(left * 1000) if isfinite(left) else None
            program.send(decision_line(self._game, asked, milliseconds))
            try:
                return read_answer(program.line(left), asked)
            except WrongAnswer as error:
                self._wrong(f"hand {view.hand_id}: {error}")
        self._mistakes.replaced += 1
        return view.fold()

    def end_hand(self, view: PlayerView) -> None:
        """Tell the program how a hand ended.

        Raises:
            ProgramFailed: it is gone.
        """
        self._program.send(result_line(finished_hand_told(view)))

    def notes(self) -> Mapping[str, int]:
        """Return how many wrong answers there were up to now."""
        return {"wrong_answers": self._mistakes.answers} if self._mistakes.answers else {}

    @property
    def _program(self) -> LineProgram:
        assert self._running is not None, "no match has been started"
        return self._running

    def _wrong(self, what: str) -> None:
        if self._strict:
            raise ProgramFailed(what)
        self._mistakes.add(what)
        self._program.send(error_line(what))


def _ended(program: LineProgram, mistakes: _Mistakes) -> None:
    program.close()
    mistakes.sum_up()
