"""A person's seat at a dealer, without sockets: the dealer's bytes in, answers to it out.

To the dealer this is an ordinary agent.  What its player sees is kept as the lines of a log, of the
cards that it may see; the hand under way is such a line without values.  So one page draws hands
that are watched, read or played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from engine.play.told_decisions import decision_told
from engine.rules.view_reader import ViewReader
from engine.showdown.hand_values import hand_values
from protocol.agent_end import AgentEnd
from protocol.betting import parse_actions
from protocol.decision_json import decision_fields
from protocol.errors import ProtocolError
from protocol.events import StateReceived
from protocol.handlog import HandRecord, format_chips, format_hand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.rules.view import PlayerView
    from protocol.gamedef import GameDef


class NotNow(Exception):
    """An answer to a question that is not asked, or not any more; the message says why."""


class PersonSeat:
    """What a person has seen and is asked."""

    def __init__(self, game: GameDef, names: Sequence[str]) -> None:
        """Begin before the match.

        Args:
            names: one per player, in the order of play, the person's first.

        Raises:
            ValueError: there are more or fewer names than players.
        """
        if len(names) != game.players:
            raise ValueError(f"{len(names)} names for {game.players} players")
        self.game: Final = game
        """That is played."""
        self.finished: Final[list[str]] = []
        """Lines of the hands that are over."""
        self._names: Final = tuple(names)
        self._end: Final = AgentEnd()
        self._reader: Final = ViewReader(game)
        self._question = b""
        self._view: PlayerView | None = None
        self._cards = ""
        self._logged = -1

    def connected(self) -> bytes:
        """Return what to send first."""
        return self._end.start()

    def receive(self, data: bytes) -> None:
        """Take bytes from the dealer.

        Raises:
            ProtocolError: it is no dealer, or it plays another game.
        """
        for event in self._end.receive(data):
            if not isinstance(event, StateReceived):
                continue
            view = self._reader.view(event.state)
            self._view, self._cards = view, event.state.cards
            self._question = event.text if view.my_turn else b""
            if view.state.over and view.hand_id != self._logged:
                self._logged = view.hand_id
                won = hand_values(view.state, view.shown, view.board)
                self.finished.append(self._line(view, *map(format_chips, won)))

    def answer(self, question: str, action: str) -> bytes:
        """Return what to send for the person's action.

        Args:
            question: the line of the hand that the person saw, as `situation` tells it.
            action: "f", "c", "r" or "r" and the chips to raise to.

        Raises:
            NotNow: the question was another one, or the rules do not allow the action.
        """
        view = self._view
        if view is None or not self._question or question != self._line(view):
            raise NotNow("that is not the question any more")
        try:
            (parsed,) = parse_actions(action)
        except (ProtocolError, ValueError):
            raise NotNow(f"{action[:20]!r} is no action") from None
        if not view.state.is_legal(parsed):
            raise NotNow(f"{action} is not allowed here")
        text, self._question = self._question, b""
        return self._end.reply(text, parsed)

    @property
    def hands_over(self) -> int:
        """How many hands of the match are over, those before a resume included."""
        return self._logged + 1

    def situation(self) -> dict[str, Any] | None:
        """Return what is to be shown, as plain values; None before the first hand.

        "line" is the hand so far, "position" the person's, "turn" what it is asked, as programs are
        (`protocol.decision_json`); null where it is not.
        """
        view = self._view
        if view is None:
            return None
        turn = decision_fields(decision_told(view)) if self._question else None
        return {"line": self._line(view), "position": view.position, "turn": turn}

    def _line(self, view: PlayerView, *values: str) -> str:
        players = len(self._names)
        names = tuple(self._names[(seat - view.position) % players] for seat in range(players))
        record = HandRecord(view.hand_id, view.state.betting, self._cards, values or ("",), names)
        return format_hand(record)
