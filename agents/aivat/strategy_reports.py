"""Bots of others that report their strategy: how they act with the cards that they hold.

The bot writes a text file, a line for each decision: the state as the dealer sent it, then the
probability of every legal action; other lines are left out:

    MATCHSTATE:0:12:cr300:AhKd|:f=0.1 c=0.65 r900=0.25

Of such a player AIVAT corrects the actions, with its one hand.  A bot may leave decisions out, but
which ones must not depend on the action that it draws, or the correction is biased.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.errors import AgentError
from engine.betting.policy import Strategy
from engine.errors import UnreadableText
from engine.hands.cards import COMBOS
from engine.storage.plain_text import plain_lines
from protocol.betting import parse_actions
from protocol.errors import ProtocolError
from protocol.matchstate import format_card_text, parse_match_state

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from agents.training.logs import PlayedHand
    from engine.rules.state import HandState
    from protocol.actions import Action

_BEGIN: Final = b"MATCHSTATE:"
_SUM_TOLERANCE: Final = 1e-3

Decision = tuple[int, int, str, str]
"""Position, hand, betting, cards as sent."""


class ToldFile:
    """The decisions of one file."""

    def __init__(self, path: Path) -> None:
        """Read the file.

        Raises:
            AgentError: it cannot be read, a line is not valid, or a decision has two different
                lines.
        """
        self._decisions: dict[Decision, dict[Action, float]] = {}
        try:
            self._take(path)
            with path.open("rb") as file:
                self.digest: Final = hashlib.file_digest(file, "sha256").hexdigest()
        except UnreadableText as error:
            raise AgentError(str(error)) from error
        except OSError as error:
            raise AgentError(f"{path}: {error.strerror}") from error

    def _take(self, path: Path) -> None:
        for number, text in plain_lines(path):
            line = text.encode("utf-8", "surrogateescape")
            if not line.startswith(_BEGIN):
                continue
            try:
                decision, chances = _read(line)
            except (ProtocolError, ValueError) as error:
                raise AgentError(f"{path}:{number}: {error}") from error
            if self._decisions.setdefault(decision, chances) != chances:
                raise AgentError(f"{path}:{number}: told before, with other chances")
        if not self._decisions:
            raise AgentError(f"{path}: no line is MATCHSTATE:...:ACTION=CHANCE ...")

    def of_hand(self, hand: PlayedHand, position: int) -> ToldHand:
        """Return the reported strategy of one hand of a player."""
        return ToldHand(self._decisions, hand, position)


class ToldHand:
    """What a player does in one hand; a `Policy` that means something for its own cards only."""

    def __init__(
        self, decisions: Mapping[Decision, Mapping[Action, float]], hand: PlayedHand, position: int
    ) -> None:
        self._decisions = decisions
        self._hand = hand
        self._position = position

    def strategy(self, state: HandState, board: Sequence[int]) -> Strategy:
        """Return the probabilities of one decision; unreported, 1 for the action taken."""
        shown = self._hand.cards.holes
        holes = [hole if at == self._position else () for at, hole in enumerate(shown)]
        cards = format_card_text(holes, board, state.game, state.street)
        key = (self._position, self._hand.record.hand_id, state.betting, cards)
        chances = self._decisions.get(key)
        if chances is None:
            taken = self._hand.state.history[len(state.history)][1]
            chances = {taken: 1.0}
        row = np.array([*chances.values()], np.float32)
        return Strategy(tuple(chances), np.broadcast_to(row, (COMBOS, len(row))))


def _read(line: bytes) -> tuple[Decision, dict[Action, float]]:
    sent, _, answer = line.rpartition(b":")
    state = parse_match_state(sent)
    chances: dict[Action, float] = {}
    for word in answer.decode("ascii", "replace").split():
        text, _, chance = word.partition("=")
        try:
            (action,) = parse_actions(text)
            share = float(chance)
        except ValueError as error:
            raise ValueError(f"{word!r}: want ACTION=CHANCE") from error
        if action in chances:
            raise ValueError(f"{text}: twice")
        chances[action] = share
    total = sum(chances.values())
    if not (
        all(0 <= chance <= 1 for chance in chances.values()) and abs(total - 1) <= _SUM_TOLERANCE
    ):
        raise ValueError(
            f"{answer.decode('ascii', 'replace')!r}: want ACTION=CHANCE with a sum of 1"
        )
    return (state.viewer, state.hand_id, state.betting, state.cards), chances
