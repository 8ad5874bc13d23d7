"""Programs that play on their standard streams: stdio:./my_bot, see docs/bridges.md.

A wrong answer is told to the program and to the user, and the question is asked once more.  After a
second wrong answer it is a check, or a fold where there is something to call, and the match goes
on.  Which answer belongs to which question is the affair of `agents.bridges.dialogue`.  A program
that ends, closes a stream or takes longer than the dealer allows ends the match.
"""

from __future__ import annotations

import shlex
import time
import weakref
from math import inf, isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.bot import Bot
from agents.bridges.dialogue import ANOTHER, REMARK, UNASKED, Dialogue
from agents.bridges.line_program import LineProgram, environment_of_program, program_on_streams
from agents.bridges.program_replies import CORRECTED, Replies
from agents.errors import ProgramFailed
from engine.console.output import tell
from engine.play.budget import UNLIMITED, TimeBudget
from engine.play.told_decisions import decision_told, finished_hand_told
from protocol.decision_json import (
    READY_ANSWER,
    NamedAction,
    action_of,
    decision_line,
    error_line,
    game_as_json,
    hello_line,
    quoted,
    result_line,
)
from protocol.errors import WrongAnswer
from protocol.gamedefs import builtin_aliases, load_builtin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef

_TIMES_ASKED: Final = 2
_QUIET_SHARE: Final = 4
"""Nobody waits for one who is quiet longer than one part in so many of the time that is left."""
WRONG: Final = "wrong: asked again"
_TOLD_OF: Final = (WRONG, CORRECTED, UNASKED)
"""The program is told of these mistakes, too."""
_WHY: Final = {REMARK: "names no action", ANOTHER: "names another decision"}
_MOST_ANSWER_BYTES: Final = 1 << 20


class StdioBot(Bot):
    """Asks a program, which is started for the match and ended with it."""

    def __init__(self, command: str, strict: float = 0.0, replies: str = "") -> None:
        """Seat a program.

        Args:
            command: the program and its arguments, as a shell would take them.
            strict: other than 0: the first wrong answer ends the match.
            replies: file to count what was not taken as it stood in, "" for none.

        Raises:
            ValueError: a quote of the command is not closed, or it is empty.
        """
        self._name: Final = f"stdio:{command}"
        self._words: Final = shlex.split(command)
        if not self._words:
            raise ValueError("want a program, as in stdio:./my_bot")
        self._strict: Final = bool(strict)
        self._path = Path(replies) if replies else None
        self._replies = Replies(self._name, self._path, _TOLD_OF)
        self._dialogue = Dialogue()
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
        self._replies = Replies(self._name, self._path, _TOLD_OF)
        self._dialogue = Dialogue()
        name = self._name
        self._running = program_on_streams(
            self._words,
            environment=environment_of_program(),
            notice=lambda text: tell(f"{name}: {text}"),  # of the name alone: it outlives the bot
        )
        # Of who is strict the error is the last word.
        replies = None if self._strict else self._replies
        self._end = weakref.finalize(self, _ended, self._running, replies)
        aliases = (alias for alias in builtin_aliases() if load_builtin(alias) == game)
        self._game = game_as_json(game, next(aliases, None))
        self._running.send(hello_line(self._game, seed))
        said = self._running.line()
        if said.strip() != READY_ANSWER:
            raise ProgramFailed(
                f"its first line is {quoted(said)}; want {READY_ANSWER.decode()}, in answer to "
                f"the line "
                "of type hello"
            )

    def act(self, view: PlayerView, budget: TimeBudget = UNLIMITED) -> Action:
        """Return the program's action; a check or fold after two wrong answers.

        Raises:
            ProgramFailed: it is gone, or does not answer in time.
        """
        deadline = time.monotonic() + budget.seconds
        self._settle(deadline)
        asked_at = time.monotonic()
        asked = decision_told(view)
        for reason in (WRONG, CORRECTED):
            seconds = max(deadline - time.monotonic(), 0.0)
            milliseconds = int(seconds * 1000) if isfinite(seconds) else None
            line = decision_line(self._game, asked, milliseconds, self._dialogue.decision)
            self._dialogue.ask()
            self._program.send(line)
            answer = self._answer(asked_at, deadline, budget.seconds)
            try:
                return action_of(answer, asked)
            except WrongAnswer as error:
                self._wrong(reason, f"hand {view.hand_id}: {error}")
        return view.fold()

    def end_hand(self, view: PlayerView) -> None:
        """Tell the program how a hand ended.

        Raises:
            ProgramFailed: it is gone.
        """
        self._program.send(result_line(finished_hand_told(view)))

    def notes(self) -> Mapping[str, int]:
        """Return how many wrong answers there were up to now."""
        return {"wrong_answers": self._replies.wrong} if self._replies.wrong else {}

    @property
    def _program(self) -> LineProgram:
        assert self._running is not None, "no match has been started"
        return self._running

    def _settle(self, deadline: float) -> None:
        """Turn to a new decision: what still comes of earlier ones is no answer to it."""
        self._dialogue.begin()
        self._hear(self._program.unasked())
        while self._dialogue.owed:
            lines = self._program.lines(deadline - time.monotonic(), self._quiet(deadline))
            self._hear(lines)
            if not lines:
                self._dialogue.quiet()
                break

    def _answer(self, asked_at: float, deadline: float, limit: float) -> NamedAction:
        """Return the program's answer, or what it wrote in place of one before it was quiet.

        Its time counts from the first question of the decision: who is asked again while it
        thinks answers the first one.

        Raises:
            ProgramFailed: it is gone, or does not answer in time.
        """
        quiet, heard = inf, 0
        while lines := self._program.lines(deadline - time.monotonic(), quiet):
            if answer := self._hear(lines):
                self._dialogue.answered(time.monotonic() - asked_at)
                return answer
            heard += len(lines)
            if heard > _MOST_ANSWER_BYTES:
                raise ProgramFailed("it writes on and on without an answer")
            quiet = self._quiet(deadline)
        if time.monotonic() >= deadline:
            unfinished = self._program.unfinished()
            raise ProgramFailed(f"no answer within {limit:.3g} s{unfinished}")
        return self._dialogue.unanswered()

    def _quiet(self, deadline: float) -> float:
        return min(self._dialogue.patience, (deadline - time.monotonic()) / _QUIET_SHARE)

    def _hear(self, lines: bytes) -> NamedAction | None:
        """Return the answer in lines, see `Dialogue.hear`; count what is none."""
        dialogue = self._dialogue
        answer = dialogue.hear(lines)
        passed_over, dialogue.passed_over = dialogue.passed_over, []
        for reason, text in passed_over:
            if reason == UNASKED:
                self._wrong(reason, f"{quoted(text)}: nobody asked for it")
            else:
                self._replies.add(reason, f"{quoted(text)} {_WHY[reason]}: passed over")
        return answer

    def _wrong(self, reason: str, what: str) -> None:
        if self._strict:
            raise ProgramFailed(what)
        self._replies.add(reason, what)
        self._program.send(error_line(what))


def _ended(program: LineProgram, replies: Replies | None) -> None:
    program.close()
    if replies is not None:
        replies.sum_up()
