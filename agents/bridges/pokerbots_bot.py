"""Bots of the university pokerbots competitions: pokerbots:FOLDER, see docs/bridges.md.

The bridge is their engine: it asks them in the lines of `protocol.pokerbots` and keeps their chess
clock.  No answer breaks off a hand: a wrong one is a check where that is legal, else a fold.  A bot
that is gone or out of time checks and folds for the rest of its game.

A game has as many rounds as the bots were compiled for.  Longer matches are several games: the bot
is told that one is over, and is started anew for the next one with a full clock.
"""

from __future__ import annotations

import time
import weakref
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from agents.bot import Bot
from agents.bridges.pokerbots_hand import HandClauses, action_of, hand_clauses
from agents.bridges.pokerbots_options import PokerbotsOptions
from agents.bridges.pokerbots_program import build_bot, start_bot
from agents.bridges.program_replies import CORRECTED, Replies
from agents.errors import AgentError, ProgramFailed
from engine.console.output import tell
from engine.play.budget import UNLIMITED, TimeBudget
from protocol.decision_json import quoted
from protocol.errors import WrongAnswer
from protocol.pokerbots import GAME_OVER, parse_reply, query_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agents.bridges.line_program import LineProgram
    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef
    from protocol.pokerbots import BotCommands

READ_SECONDS: Final = 10.0
"""The longest answer, whatever the clock says."""
ABSENT: Final = "corrected: gone or out of time"
NO_CHECK: Final = "ignored: not K where nothing is decided"
RAISE_CALLED: Final = "changed: a raise where the street is full"
_DEALERS_SHARE: Final = 0.9
"""Of the dealer's time for an answer, so that there is some for the way there."""


class PokerbotsBot(Bot):
    """Asks the bot of a folder, which is started for each game and ended with it."""

    def __init__(self, folder: str, **options: Any) -> None:
        """Seat a bot.

        Args:
            folder: has its `commands.json`.
            options: those of `agents.bridges.pokerbots_options`.

        Raises:
            ValueError: an option cannot be.
        """
        chosen = PokerbotsOptions(**options)
        self._name: Final = f"pokerbots:{folder}"
        self._folder: Final = Path(folder)
        self._clock: Final = chosen.clock
        self._rounds: Final = int(chosen.rounds)
        self._strict: Final = bool(chosen.strict)
        self._path = Path(chosen.replies) if chosen.replies else None
        self._notice: Final = _notice_of(self._name)
        self._seat = _Seat(Replies(self._name, self._path, (CORRECTED,)))
        self._end: weakref.finalize[..., PokerbotsBot] | None = None
        self._commands: BotCommands | None = None
        self._view: PlayerView | None = None
        """Of the hand that the bot was sent something of last."""
        self._sent = 0
        """Clauses of that hand that the bot was sent."""

    def start_match(self, game: GameDef, seed: int) -> None:
        """Build the bot, start it and wait until it has connected; `game` is theirs.

        Raises:
            UnknownAgent: there is no such bot.
            ProgramFailed: it cannot be built or started.
        """
        if self._end is not None:
            self._end()
        # Of who is strict the error is the last word.
        replies = Replies(self._name, self._path, (CORRECTED,))
        self._seat = _Seat(replies, sums_up=not self._strict)
        self._end = weakref.finalize(self, _Seat.close, self._seat)
        self._commands = build_bot(self._folder, self._notice)
        self._view = None
        self._start_game()

    def act(self, view: PlayerView, budget: TimeBudget = UNLIMITED) -> Action:
        """Return the bot's action; a check or fold where it gives none.

        Raises:
            ProgramFailed: it is strict, and the answer is wrong, or the bot gone.
        """
        hand = self._turn_to(view)
        answer = self._asked(hand, len(hand.clauses), budget.seconds * _DEALERS_SHARE)
        if answer is None:
            self._seat.replies.add(ABSENT, f"hand {view.hand_id}: checks and folds from here on")
            return view.fold()
        try:
            reply = parse_reply(answer)
            action = action_of(reply, view)
        except WrongAnswer as error:
            self._wrong(CORRECTED, f"hand {view.hand_id}: {error}")
            return view.fold()
        if reply.kind == "R" and action.kind != "r":
            self._seat.replies.add(RAISE_CALLED, f"hand {view.hand_id}: R{reply.amount} is a call")
        return action

    def end_hand(self, view: PlayerView) -> None:
        """Tell the bot how a hand ended; have it check where all chips are in, and acknowledge.

        Raises:
            ProgramFailed: it is strict, and does not, or is gone.
        """
        hand = self._turn_to(view)
        for count in (*hand.checks, len(hand.clauses)):
            answer = self._asked(hand, count)
            if answer is not None and answer.strip()[:1] != b"K":
                self._wrong(NO_CHECK, f"hand {view.hand_id}: {quoted(answer)}: want K")
        self._view = None
        self._seat.hands += 1
        if self._seat.hands == self._rounds:
            self._seat.end_game()

    def notes(self) -> Mapping[str, int]:
        """Return how many wrong answers there were up to now."""
        wrong = self._seat.replies.wrong
        return {"wrong_answers": wrong} if wrong else {}

    def _start_game(self) -> None:
        assert self._commands is not None, "no match has been started"
        self._seat.seconds, self._seat.hands = self._clock, 0
        self._seat.program = start_bot(self._folder, self._commands, self._notice)

    def _turn_to(self, view: PlayerView) -> HandClauses:
        """Return what the bot may be sent of a hand; start a game where none is under way."""
        if self._view is None or not view.continues(self._view):
            self._sent = 0
        self._view = view
        if self._seat.hands >= self._rounds:
            try:
                self._start_game()
            except AgentError as error:
                self._lose(str(error))
        return hand_clauses(view)

    def _asked(self, hand: HandClauses, count: int, patience: float = READ_SECONDS) -> bytes | None:
        """Return the answer to the first `count` clauses of a hand, None from who gives none."""
        seat = self._seat
        clauses = hand.clauses[self._sent : count]
        self._sent = count
        if seat.program is None:
            return None
        began = time.monotonic()
        try:
            seat.program.send(query_line(seat.seconds, clauses))
            answer = seat.program.line_within(min(seat.seconds, patience, READ_SECONDS))
        except ProgramFailed as error:
            self._lose(str(error))
            return None
        seconds = time.monotonic() - began
        seat.seconds -= seconds
        if answer is None or seat.seconds <= 0:
            self._lose(
                f"out of time: {seconds:.3g} s for an answer, {max(seat.seconds, 0):.3g} s left"
                f" of {self._clock:g}{seat.program.unfinished()}"
            )
            return None
        return answer

    def _lose(self, why: str) -> None:
        """Ask the bot no more in this game."""
        if self._strict:
            raise ProgramFailed(why)
        self._notice(why)
        self._seat.end_program()

    def _wrong(self, reason: str, what: str) -> None:
        if self._strict:
            raise ProgramFailed(what)
        self._seat.replies.add(reason, what)


def _notice_of(name: str) -> Callable[[str], None]:
    """Return what tells the user a line; it knows nothing of the bot, which it outlives."""
    return lambda text: tell(f"{name}: {text}")


class _Seat:
    """What is to be ended with the bot."""

    def __init__(self, replies: Replies, *, sums_up: bool = True) -> None:
        self.replies = replies
        self.program: LineProgram | None = None
        self.seconds = 0.0
        """On the clock."""
        self.hands = 0
        """Of this game."""
        self._sums_up = sums_up

    def end_game(self) -> None:
        """Tell the bot, and end it."""
        if self.program is not None:
            with suppress(ProgramFailed):
                self.program.send(GAME_OVER)
            self.end_program()

    def end_program(self) -> None:
        """End the bot."""
        program, self.program = self.program, None
        if program is not None:
            program.close()

    def close(self) -> None:
        """End the game, and tell the user what was wrong in the match."""
        self.end_game()
        if self._sums_up:
            self.replies.sum_up()
