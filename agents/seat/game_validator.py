"""Is it the game that the agent was started for?  No message names the dealer's game.

What tells: a state that the game cannot have (players, cards, betting), at once; and answers that
the dealer does not take as they are, though the game allows them: the original makes a call of a
raise that it cannot read, and moves a size into what is legal there.  One such answer may be a
whim of the dealer's, and is worth a line to the user; the third is the end.

What does not tell: a hand in which two games look alike.  Hold'em in which nobody raises has the
same states with and without limits, and stacks show only where somebody is all in.
"""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple

from agents.errors import GameMismatch, GameNotPlayed
from engine.errors import EngineError
from engine.rules.replies import read_action
from engine.rules.view import replay_betting
from engine.rules.view_reader import ViewReader
from protocol.cards import format_cards
from protocol.errors import MalformedLine, ProtocolError
from protocol.gamedefs import builtin_aliases, load_builtin
from protocol.matchstate import format_match_state

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.events import StateReceived
    from protocol.gamedef import GameDef
    from protocol.matchstate import MatchState

MOST_CHANGED_ANSWERS: Final = 3
"""The last of them is one too many."""
_STATES_REMEMBERED: Final = 64
_MOST_ERROR_CHARACTERS: Final = 120
_FIRST_ACTION: Final = re.compile("r[0-9]*|[cf]")


class _Answer(NamedTuple):
    """An answer that the dealer has not shown yet."""

    asked: MatchState
    action: Action


class _Change(NamedTuple):
    """An answer, and what the dealer took it for."""

    asked: MatchState
    action: Action
    taken: str


class GameValidator:
    """Reads the dealer's states as those of one game, and finds out when they are not."""

    def __init__(self, game: GameDef, notice: Callable[[str], None] | None = None) -> None:
        """Begin with nothing seen.

        Args:
            notice: gets a line of text for the user at an answer that the dealer changed.
        """
        self._game: Final = game
        self._notice: Final = notice
        self._reader: Final = ViewReader(game)
        self._seen: Final[deque[MatchState]] = deque(maxlen=_STATES_REMEMBERED)
        self._changes: list[_Change] = []
        self._open: _Answer | None = None
        self._told_of_folds = False

    def connected(self) -> None:
        """Note a new connection: nobody knows what became of the last answer."""
        self._open = None

    def answered(self, asked: MatchState, action: Action) -> None:
        """Note the answer to a state; `action` is legal in the agent's game."""
        self._open = _Answer(asked, action)

    def read(self, event: StateReceived) -> PlayerView:
        """Return the view that a state gives.

        Args:
            event: the state, as it came.

        Raises:
            GameMismatch: it is none of this game, or the third that shows another action than the
                agent's last answer; the message says what was seen, what the agent's game is, and
                which built-in game would fit.
        """
        message = event.state
        self._seen.append(message)
        try:
            view = self._reader.view(message)
        except ProtocolError as error:
            raise self._mismatch(f"it sent {_quoted(event.text)} ({_reason(error)})") from error
        if self._open is not None:
            self._compare(self._open, message)
        return view

    def _compare(self, answer: _Answer, message: MatchState) -> None:
        """Hold the first state after an answer against it.  Raises GameMismatch."""
        asked, action = answer
        if message.hand_id != asked.hand_id or message.viewer != asked.viewer:
            self._open = None
            return
        if message.betting == asked.betting:
            return
        self._open = None
        shown = _FIRST_ACTION.match(message.betting.removeprefix(asked.betting))
        taken = shown.group() if shown and message.betting.startswith(asked.betting) else None
        if taken is not None and taken != action.text:
            self._changed(_Change(asked, action, taken))

    def _changed(self, change: _Change) -> None:
        quoted = _quoted(format_match_state(change.asked))
        what = f"it took {change.taken} for the answer {change.action.text} to {quoted}"
        if change.taken == "f":  # what no game makes of an answer: the dealer was tired of waiting
            if not self._told_of_folds:
                self._tell(f"the dealer did not wait, or took another's answer for ours: {what}")
            self._told_of_folds = True
            return
        self._changes.append(change)
        if len(self._changes) >= MOST_CHANGED_ANSWERS:
            raise self._mismatch(f"{what}, the third answer that it changed")
        self._tell(f"the dealer may play another game than {describe(self._game)}: {what}")

    def _tell(self, text: str) -> None:
        if self._notice is not None:
            self._notice(text)

    def _mismatch(self, evidence: str) -> GameMismatch:
        fitting = [alias for alias in builtin_aliases() if self._fits(load_builtin(alias))]
        if fitting:
            remedy = f"--game {' or '.join(fitting)} would fit"
        else:
            remedy = "no built-in game would fit; --game must name the dealer's game"
        return GameMismatch(
            f"the dealer plays another game than {describe(self._game)}: {evidence}; {remedy}"
        )

    def _fits(self, game: GameDef) -> bool:
        """Return whether all that was seen is of another game."""
        if game == self._game:
            return False
        try:
            reader = ViewReader(game)
            for message in self._seen:
                reader.view(message)
            return all(_explains(game, change) for change in self._changes)
        except (EngineError, ProtocolError):
            return False


def check_model_game(path: Path, played: GameDef, wanted: GameDef | None) -> None:
    """Refuse the model of another game than the one wanted; None: any will do.

    Raises:
        GameNotPlayed: its line tells small games apart.
    """
    if wanted is not None and played != wanted:
        one, other = (
            f"{describe(game)}, {game.ranks} ranks in {game.suits} suits"
            for game in (played, wanted)
        )
        raise GameNotPlayed(f"{path} plays {one}, not {other}")


def describe(game: GameDef) -> str:
    """Return the main facts of a game in one line."""
    kind = "no-limit" if game.no_limit else "limit"
    blinds = "/".join(map(str, game.blinds))
    board = "+".join(map(str, game.board_cards))
    facts = (
        f"{kind} for {game.players} players, {game.hole_cards} hole cards, board {board}, "
        f"blinds {blinds}"
    )
    if game.dealt_cards:
        facts += f", cards {'|'.join(map(format_cards, game.dealt_cards))}"
    if not game.no_limit:
        return facts
    stacks = game.stacks[:1] if len(set(game.stacks)) == 1 else game.stacks
    return f"{facts}, stacks {'/'.join(map(str, stacks))}"


def _explains(game: GameDef, change: _Change) -> bool:
    """Return whether a dealer of this game takes the answer for what it was taken for.

    Raises:
        EngineError: it would not have come to the question.
    """
    state = replay_betting(game, change.asked.betting)
    if state.actor != change.asked.viewer:  # it was another's turn, and another's action
        return True
    return read_action(state, change.action.text.encode() + b"\r\n").action.text == change.taken


def _quoted(text: bytes) -> str:
    return text[:_MOST_ERROR_CHARACTERS].decode("ascii", "replace")


def _reason(error: ProtocolError) -> str:
    """Return the first cause of `error` in words."""
    if error.__cause__ is None and isinstance(error, MalformedLine):
        return error.reason
    return str(error.__cause__ or error)
