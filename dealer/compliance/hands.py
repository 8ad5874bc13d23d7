"""Plays hands with a bot: everybody else's seat, the cards and the dealer are ours.

The other seats follow a line of play: a function of the betting alone, legal in every state.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from dealer.compliance.faults import AnswerFault, FaultKind, Question, judge_line, judge_unasked
from dealer.compliance.wire import NoAnswer
from engine.rules.state import HandState
from engine.rules.view import CardTexts
from protocol.actions import CALL, FOLD, RAISE, Action, raise_to
from protocol.matchstate import format_match_state_head

if TYPE_CHECKING:
    import numpy as np

    from dealer.compliance.wire import BotLink, Delivery
    from engine.rules.dealing import Deal
    from protocol.gamedef import GameDef

Opponents: TypeAlias = "Callable[[HandState], Action]"

_FOLD_SHARE: Final = 0.1
"""With more folds, hardly a hand would reach the river."""
_RAISES: Final = 0.45
_LEAST_RAISE_SHARE: Final = 0.3
_ALL_IN_SHARE: Final = 0.1
_LATE_ANSWER_SECONDS: Final = 2.0
"""An answer that is too slow is still one."""
_STRAY_LINE_SECONDS: Final = 0.25
_MOST_STATES_REMEMBERED: Final = 256
_MOST_STRAY_LINES: Final = 100
_COMMENTS: Final = (b"#", b";")


def calls(_state: HandState) -> Action:
    """Check or call."""
    return CALL


def raises_least(state: HandState) -> Action:
    """Raise by the least that is legal, as long as a raise is."""
    legal = state.raise_range()
    return CALL if legal is None else _raise(state, legal[0])


def bets_all_on(street: int) -> Opponents:
    """Return the line that calls up to a street and bets all its chips from there on."""

    def line(state: HandState) -> Action:
        legal = state.raise_range()
        return CALL if legal is None or state.street < street else _raise(state, legal[1])

    return line


def leaves_one_size(state: HandState) -> Action:
    """Raise so far that the only raise left to others is all-in; call where that is not possible.

    Where all have the same stack, a raise to all chips but one does it.
    """
    legal = state.raise_range()
    if legal is None or legal[0] >= legal[1]:
        return CALL
    return _raise(state, legal[1] - 1)


def raises_past_half(state: HandState) -> Action:
    """Raise to a little more than half the stack: a full raise would then be more than all."""
    legal = state.raise_range()
    if legal is None:
        return CALL
    smallest, largest = legal
    return _raise(state, max(smallest, min(largest, largest // 2 + state.game.big_blind)))


def random_line(generator: np.random.Generator) -> Opponents:
    """Return the line that calls and raises about equally often, by all sizes, and seldom folds."""
    draw = generator.random

    def line(state: HandState) -> Action:
        pick = draw()
        if pick < _FOLD_SHARE and state.can_fold:
            return FOLD
        legal = state.raise_range()
        if legal is None or pick > _FOLD_SHARE + _RAISES:
            return CALL
        smallest, largest = legal
        manner = draw()
        if manner < _LEAST_RAISE_SHARE:
            return _raise(state, smallest)
        if manner < _LEAST_RAISE_SHARE + _ALL_IN_SHARE:
            return _raise(state, largest)
        return _raise(state, round(smallest * (largest / smallest) ** draw()))

    return line


def _raise(state: HandState, chips: int) -> Action:
    return raise_to(chips) if state.game.no_limit else RAISE


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
        self._seconds = answer_seconds + _LATE_ANSWER_SECONDS
        self._shown: deque[bytes] = deque(maxlen=_MOST_STATES_REMEMBERED)
        self._answered: deque[bytes] = deque(maxlen=_MOST_STATES_REMEMBERED)

    async def play(
        self,
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
        state = begin
        while (question := await self.ask(hand, deal, opponents, delivery, state)) is not None:
            state = question.state.apply(await self._answer(delivery.link, hand, question))
        return hand

    async def ask(
        self,
        hand: CheckedHand,
        deal: Deal,
        opponents: Opponents,
        delivery: Delivery,
        state: HandState | None = None,
    ) -> Question | None:
        """Show states from this one on until the bot is asked; None: the hand is over."""
        state = state or HandState.start(self._game)
        head = format_match_state_head(hand.position, hand.hand_id)
        cards = CardTexts(self._game, deal)
        while True:
            text = f"{head}{state.betting}:{cards.text(state, hand.position)}".encode("ascii")
            if state.actor == hand.position:
                await delivery.ask(text)
                return Question(text, state, hand.hand_id, hand.position, deal)
            await delivery.tell(text)
            self._shown.append(text)
            if state.over:
                hand.end = state
                return None
            state = state.apply(opponents(state))

    async def quiet(self, link: BotLink, hand: CheckedHand) -> None:
        """Wait for lines that nobody asked for, and add them to the faults of a hand."""
        for line in await link.lines_within(_STRAY_LINE_SECONDS):
            if not line.startswith(_COMMENTS):
                hand.faults.append(judge_unasked(line, self._shown, self._answered))

    async def _answer(self, link: BotLink, hand: CheckedHand, question: Question) -> Action:
        asked = time.perf_counter()
        stray = 0
        while True:
            seconds_left = asked + self._seconds - time.perf_counter()
            line = await link.line(max(seconds_left, 0.001))
            now = time.perf_counter()
            if line.startswith(_COMMENTS):
                continue
            judgement = judge_line(line, question, self._shown, self._answered)
            hand.faults += judgement.faults
            if judgement.verdict is not None:
                self._answered.append(question.text)
                action = judgement.verdict.action
                hand.answers.append(TimedAnswer(question.state, action, now - asked))
                return action
            stray += 1
            if stray == _MOST_STRAY_LINES:
                raise NoAnswer(f"none of the {stray} lines it sent answers the state")


def faults_in(hands: Iterable[CheckedHand], kinds: frozenset[FaultKind]) -> list[AnswerFault]:
    """Return the faults of certain kinds in hands."""
    return [fault for hand in hands for fault in hand.faults if fault.kind in kinds]
