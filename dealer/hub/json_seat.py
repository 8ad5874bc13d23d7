"""A seat that is played by requests: the dealer's bytes in, decisions and hands as JSON out.

To the dealer this is an ordinary agent.  A decision has a number, which is the same after a
restart of everything, since it follows from the hand and what was done in it.  An answer names the
number, and so it is an answer to one decision or to none.  Pure: the time is an argument.
"""

from __future__ import annotations

import json
import math
from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from engine.play.told_decisions import decision_told, finished_hand_told
from engine.rules.view_reader import ViewReader
from engine.storage.documents import guarded_document
from protocol.agent_end import AgentEnd
from protocol.decision_json import (
    action_of,
    decision_fields,
    game_as_json,
    message_fields,
    named_action,
    result_fields,
)
from protocol.events import StateReceived

if TYPE_CHECKING:
    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.decision_json import AskedDecision, FinishedHand
    from protocol.gamedef import GameDef

MOST_HANDS: Final = 128
"""Hands of a seat that are over and still told; a log has all of them after the match."""
_DECISIONS_A_HAND: Final = 10_000
_LEGS: Final = 2
_MOST_ANSWERS: Final = 1024
_ANSWER_KEYS: Final = ("id", "client_id", "action", "to")
_MOST_ID_LETTERS: Final = 100


class NotAsked(Exception):
    """An answer to a decision that is not open, or not any more."""


class OtherPayload(Exception):
    """A client's id was used for another answer before."""


class BadAnswer(ValueError):
    """The body of a request is no answer."""


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """What every message of a seat says besides."""

    match: int
    leg: int
    seat: int
    """0-based, the same in all hands of the leg."""
    names: tuple[str, ...]
    """In seat order."""
    game: str
    hands: int
    """Of the leg."""
    response_seconds: float
    """For one answer; `math.inf`: no limit."""
    hand_seconds: float
    """For all answers of a hand, on average over the leg; `math.inf`: no limit."""

    def fields(self) -> dict[str, Any]:
        """Return them for `json.dumps`."""
        return {
            "match": self.match,
            "leg": self.leg,
            "seat": self.seat,
            "names": list(self.names),
            "hands": self.hands,
        }


@dataclass(frozen=True, slots=True)
class SentAnswer:
    """What the body of a request says."""

    decision: int
    """Its `id`."""
    client_id: str
    """The client's, or the decision's where it sends none."""
    payload: Mapping[str, Any]
    """Without the client's id."""
    text: bytes


def read_answer(body: bytes) -> SentAnswer:
    """Return the one answer in the body of a request.

    Raises:
        BadAnswer: it is none; the message says what is wanted.
    """
    try:
        fields = guarded_document("JSON", lambda: json.loads(body, object_pairs_hook=_fields_once))
    except ValueError as error:
        raise BadAnswer(str(error)) from error
    if not isinstance(fields, dict) or "action" not in fields or "id" not in fields:
        raise BadAnswer('want {"id": of the decision, "action": ..., "to": of a raise}')
    if strange := next((key for key in fields if key not in _ANSWER_KEYS), None):
        raise BadAnswer(f"{strange:.40} is no key; there are {', '.join(_ANSWER_KEYS)}")
    decision = fields["id"]
    if not isinstance(decision, int) or isinstance(decision, bool) or decision < 0:
        raise BadAnswer("id: want the number of a decision")
    client_id = fields.pop("client_id", None)
    if client_id is None:
        client_id = str(decision)
    if not isinstance(client_id, str) or not 0 < len(client_id) <= _MOST_ID_LETTERS:
        raise BadAnswer(f"client_id: want a text of up to {_MOST_ID_LETTERS} characters")
    return SentAnswer(decision, client_id, fields, body)


def _fields_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a key stands there twice")
    return fields


class JsonSeat:
    """What a client has seen at one seat and is asked there."""

    def __init__(self, game: GameDef, facts: SeatFacts) -> None:
        """Begin before the leg, or in its middle."""
        self.facts: Final = facts
        self.finished: Final[deque[tuple[int, FinishedHand]]] = deque(maxlen=MOST_HANDS)
        """The newest hands that are over, each with the number of the event."""
        self.won = 0.0
        """Chips, in the hands seen here."""
        self._game: Final = json.loads(game_as_json(game, facts.game))
        self._reader: Final = ViewReader(game)
        self._end = AgentEnd()
        self._view: PlayerView | None = None
        self._question = b""
        self._asked_at = 0.0
        self._used = 0.0
        self._last_hand = -1
        self._answered: tuple[int, Action] | None = None

    def connected(self) -> bytes:
        """Return what to send first; may be called again, for the next connection."""
        self._end, self._question = AgentEnd(), b""
        return self._end.start()

    def disconnected(self) -> None:
        """Note that the connection is lost: nothing is asked until the next one asks again."""
        self._question = b""

    @property
    def hands_over(self) -> int:
        """How many hands of the leg are over."""
        return self._last_hand + 1

    def receive(self, data: bytes, now: float, event: int) -> bytes:
        """Take bytes from the dealer; return what to send.

        A decision that was answered and is asked again, as after the loss of a process, is
        answered again in the same way.

        Args:
            now: seconds since 1970.
            event: number that hands which are over by now are told with.

        Raises:
            ProtocolError: it is no dealer, or it plays another game.
        """
        for received in self._end.receive(data):
            if not isinstance(received, StateReceived):
                continue
            view = self._view = self._reader.view(received.state)
            self._question = received.text if view.my_turn else b""
            if view.my_turn:
                self._asked_at = now
            elif view.state.over and view.hand_id > self._last_hand:
                self._end_hand(view, event)
        if self._question and self._answered is not None:
            number, action = self._answered
            assert self._view is not None
            if number == self._number and self._view.state.is_legal(action):
                return self._reply(action)
        return b""

    def _end_hand(self, view: PlayerView, event: int) -> None:
        self._last_hand = view.hand_id
        hand = finished_hand_told(view)
        self.won += hand.won[view.position]
        self.finished.append((event, hand))

    def hands_after(self, event: int) -> list[dict[str, Any]]:
        """Return the messages of the hands that have ended since an event."""
        return [
            message_fields("result", {**result_fields(hand), **self.facts.fields()})
            for number, hand in self.finished
            if number > event
        ]

    @property
    def _number(self) -> int:
        view = self._view
        assert view is not None
        in_match = view.hand_id * _DECISIONS_A_HAND + view.decision + 1
        return in_match * _LEGS + self.facts.leg

    def table(self) -> dict[str, Any]:
        """Return where the leg stands, and what was so from its start."""
        facts = self.facts
        limits = {"response_ms": facts.response_seconds, "hand_ms": facts.hand_seconds}
        return {
            **facts.fields(),
            "hands_over": self.hands_over,
            "won": self.won,
            "game": self._game,
            **{
                name: int(1000 * seconds) if math.isfinite(seconds) else None
                for name, seconds in limits.items()
            },
        }

    def asks(self, number: int) -> bool:
        """Return whether a decision is open."""
        return bool(self._question) and number == self._number

    @property
    def question(self) -> tuple[int, AskedDecision] | None:
        """The number of the decision that is open, and what is asked; None where there is none."""
        if not self._question or self._view is None:
            return None
        return self._number, decision_told(self._view)

    def decision(self, now: float) -> dict[str, Any] | None:
        """Return the decision that is open, None where there is none.

        Args:
            now: seconds since 1970.
        """
        if (question := self.question) is None:
            return None
        number, asked = question
        fields: dict[str, Any] = {
            "game": self._game,
            "id": number,
            **decision_fields(asked),
            **self.facts.fields(),
        }
        facts = self.facts
        budget = facts.hand_seconds * facts.hands - self._used
        deadline = self._asked_at + min(facts.response_seconds, budget)
        if math.isfinite(deadline):
            fields["time_left_ms"] = max(int(1000 * (deadline - now)), 0)
            fields["deadline"] = round(deadline, 3)
        return message_fields("decision", fields)

    def answer(self, answer: SentAnswer, now: float) -> tuple[bytes, Action]:
        """Return what to send for an answer, and the action that it is.

        Raises:
            NotAsked: the decision is not open.
            WrongAnswer: it names no action, or one that is not legal; the decision stays open.
        """
        if not self.asks(answer.decision):
            raise NotAsked(f"decision {answer.decision} is not open, or not any more")
        assert self._view is not None
        named = named_action(answer.text, answer.payload)
        action = action_of(named, decision_told(self._view))
        self._used += max(now - self._asked_at, 0.0)
        self._answered = self._number, action
        return self._reply(action), action

    def folding(self, number: int) -> str:
        """Return the word that ends an open decision at the least cost: fold, or check.

        Raises:
            NotAsked: it is not open.
        """
        if not self.asks(number):
            raise NotAsked(f"decision {number} is not open, or not any more")
        assert self._view is not None
        return "fold" if self._view.can_fold else "check"

    def _reply(self, action: Action) -> bytes:
        text, self._question = self._question, b""
        return self._end.reply(text, action)


class TakenAnswers:
    """Answers that were taken, by the client's ids; the newest ones are remembered."""

    def __init__(self) -> None:
        self._taken: OrderedDict[str, tuple[Mapping[str, Any], dict[str, Any]]] = OrderedDict()

    def stored(self, answer: SentAnswer) -> dict[str, Any] | None:
        """Return what the same answer got before; None: nothing.

        Raises:
            OtherPayload: its id was that of another answer.
        """
        if answer.client_id not in self._taken:
            return None
        payload, response = self._taken[answer.client_id]
        if payload != answer.payload:
            raise OtherPayload(f"client_id {answer.client_id} was that of another answer")
        return response

    def store(self, answer: SentAnswer, response: dict[str, Any]) -> None:
        """Remember what an answer got."""
        self._taken[answer.client_id] = answer.payload, response
        if len(self._taken) > _MOST_ANSWERS:
            self._taken.popitem(last=False)
