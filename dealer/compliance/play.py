"""Plays hands with a bot: everybody else's seat, the cards and the dealer are ours."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from dealer.compliance.errors import NoAnswer
from dealer.compliance.faults import (
    AnswerFault,
    FaultKind,
    Question,
    judge_line,
    judge_unasked,
)
from engine.rules.state import HandState
from engine.rules.view import CardTexts
from protocol.matchstate import format_match_state_head

if TYPE_CHECKING:
    from dealer.compliance.delivery import Delivery
    from dealer.compliance.opponents import Opponents
    from dealer.compliance.wire import BotLink
    from engine.rules.dealing import Deal
    from protocol.actions import Action
    from protocol.gamedef import GameDef

GRACE_SECONDS: Final = 2.0
"""How much later than it may an answer is waited for: one that is too slow is still an answer."""
QUIET_SECONDS: Final = 0.25
"""How long lines that nobody asked for are waited for."""
_REMEMBERED: Final = 256
"""States that a line may answer too late."""
_MOST_STRAY: Final = 100
"""Lines that answer nothing, to one question, after which there is no answer."""
_COMMENTS: Final = (b"#", b";")


@dataclass(frozen=True, slots=True)
class TimedAnswer:
    """One answer of the bot."""

    state: HandState
    """In which it was asked."""
    action: Action
    """As the dealer takes it."""
    seconds: float
    """From sending the state to having the whole line."""


@dataclass(slots=True)
class CheckedHand:
    """A hand that was played with the bot."""

    hand_id: int
    position: int
    answers: list[TimedAnswer] = field(default_factory=list)
    faults: list[AnswerFault] = field(default_factory=list)
    end: HandState | None = None
    """None where it was broken off."""

    @property
    def seconds(self) -> float:
        """The time that the bot took for all of its answers."""
        return sum(answer.seconds for answer in self.answers)


class HandPlayer:
    """Plays hands over one connection after the other, and keeps what was sent in mind."""

    def __init__(self, game: GameDef, answer_seconds: float) -> None:
        """Play `game`; an answer may take `answer_seconds`."""
        self._game = game
        self._seconds = answer_seconds + GRACE_SECONDS
        self._told: deque[bytes] = deque(maxlen=_REMEMBERED)
        self._answered: deque[bytes] = deque(maxlen=_REMEMBERED)

    async def play(
        self,
        link: BotLink,
        hand: CheckedHand,
        deal: Deal,
        opponents: Opponents,
        delivery: Delivery,
        *,
        begin: HandState | None = None,
    ) -> CheckedHand:
        """Play a hand to its end; return it.

        Args:
            hand: filled in as it goes, so that what there is of it can be seen after a failure.
            opponents: who sits in all other positions.
            delivery: how states reach the bot.
            begin: where to begin, as after a lost connection; None: with the blinds.

        Raises:
            NoAnswer: the bot was asked and does not answer.
            BotGone: its connection is closed.
        """
        state = HandState.start(self._game) if begin is None else begin
        while (question := await self._ask(hand, state, deal, opponents, delivery)) is not None:
            state = question.state.apply(await self._answer(link, hand, question))
        return hand

    async def ask_only(
        self, hand: CheckedHand, deal: Deal, opponents: Opponents, delivery: Delivery
    ) -> HandState | None:
        """Show a hand up to the first state in which the bot is to act, that one included.

        Returns:
            That state, None where the hand is over without one.
        """
        start = HandState.start(self._game)
        question = await self._ask(hand, start, deal, opponents, delivery)
        return None if question is None else question.state

    async def _ask(
        self,
        hand: CheckedHand,
        state: HandState,
        deal: Deal,
        opponents: Opponents,
        delivery: Delivery,
    ) -> Question | None:
        """Show states from this one on until the bot is asked; None: the hand is over."""
        head = format_match_state_head(hand.position, hand.hand_id)
        cards = CardTexts(self._game, deal)
        while True:
            text = f"{head}{state.betting}:{cards.text(state, hand.position)}".encode("ascii")
            if state.actor == hand.position:
                await delivery.ask(text)
                return Question(text, state, hand.hand_id, hand.position, deal)
            await delivery.tell(text)
            self._told.append(text)
            if state.over:
                hand.end = state
                return None
            state = state.apply(opponents(state))

    async def quiet(self, link: BotLink, hand: CheckedHand, seconds: float = QUIET_SECONDS) -> None:
        """Wait for lines that nobody asked for, and add them to the faults of a hand."""
        for line in await link.lines_within(seconds):
            if not line.startswith(_COMMENTS):
                hand.faults.append(judge_unasked(line, self._told, self._answered))

    async def _answer(self, link: BotLink, hand: CheckedHand, question: Question) -> Action:
        asked = time.perf_counter()
        stray = 0
        while True:
            left = asked + self._seconds - time.perf_counter()
            line = await link.line(max(left, 0.001))
            now = time.perf_counter()
            if line.startswith(_COMMENTS):
                continue
            judgement = judge_line(line, question, self._told, self._answered)
            hand.faults += judgement.faults
            if judgement.verdict is not None:
                self._answered.append(question.text)
                action = judgement.verdict.action
                hand.answers.append(TimedAnswer(question.state, action, now - asked))
                return action
            stray += 1
            if stray == _MOST_STRAY:
                raise NoAnswer(f"none of the {stray} lines it sent answers the state")


def faults_in(hands: Iterable[CheckedHand], kinds: frozenset[FaultKind]) -> list[AnswerFault]:
    """Return the faults of certain kinds in hands."""
    return [fault for hand in hands for fault in hand.faults if fault.kind in kinds]


def kinds_in(hands: Sequence[CheckedHand]) -> frozenset[FaultKind]:
    """Return the kinds of faults in hands."""
    return frozenset(fault.kind for hand in hands for fault in hand.faults)
