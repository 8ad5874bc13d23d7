"""The modeller at tables of three and more: a model of each opponent, and several in the strength.

Opponents keep their places relative to the own one from hand to hand, so each has counters of its
own.  With the opponents still in the hand, each taken to be independent of the others:

    phase 1   the base strategy by strength ** n, as the patent has the strength against n
    phase 2   the chance to beat all their ranges against an equal share of the pot, 1 / (n + 1), as
              strengths are compared with one opponent; or what wins clearly more chips

    call      product of the equities * what can be won - chips to call
    raise     each opponent folds as predicted, or stays with the hands that would

Chips are counted from the decision on, so that a fold wins nothing.  Side pots are left out but for
what the own stack cannot win.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from agents.statistical.counting.counters import OpponentCounters
from agents.statistical.counting.situations import (
    CALL,
    FOLD,
    RAISE,
    SeenAction,
    actions_of,
    situation_of,
)
from agents.statistical.deciding.action_values import Showdowns, Value, raise_fractions
from agents.statistical.deciding.base_strategy import chips_of_kind
from agents.statistical.deciding.decision import decide_by_strengths, value_fraction
from agents.statistical.predicting.action_chances import PredictedChances
from agents.statistical.ranges.opponent_range import OpponentRange
from protocol.actions import FOLD as FOLDING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agents.statistical.predicting.action_chances import ActionChances
    from agents.statistical.predicting.model_files import Predictor
    from agents.statistical.ranges.interpretation_choice import InterpretationChoice
    from engine.equity.strength import StrengthReader
    from engine.rules.state import HandState
    from engine.rules.view import PlayerView

_LEAST_BIN_DECISIONS: Final = 3


@dataclass(slots=True)
class TableOpponent:
    """What is known of one opponent."""

    counters: OpponentCounters = field(default_factory=OpponentCounters)
    weights: OpponentRange | None = None
    """What it may hold in this hand."""
    actions: list[SeenAction] = field(default_factory=list)
    """Its own, in this hand."""
    chances: ActionChances = field(init=False)

    def __post_init__(self) -> None:
        self.chances = self.counters


class Stay(NamedTuple):
    """How one opponent answers a raise."""

    folds: float
    equity: float
    """Against the hands with which it stays."""
    adds: int
    """Chips that it puts in then."""


class TableModel:
    """Models each opponent of a table, and decides against those left in the hand.

    Attributes:
        opponents: by their distance to the own position, 1 the next to act.
    """

    def __init__(
        self,
        players: int,
        strengths: StrengthReader,
        choice: InterpretationChoice,
        predictor: Predictor | None,
    ) -> None:
        """Begin with opponents of whom nothing is known."""
        self.opponents = {away: TableOpponent() for away in range(1, players)}
        self._strengths = strengths
        self._choice = choice
        self._view: PlayerView | None = None
        for opponent in self.opponents.values():
            if predictor is not None:
                opponent.chances = PredictedChances(predictor, opponent.counters)

    def follow(self, view: PlayerView) -> list[TableOpponent]:
        """Follow the hand up to a view; return the opponents left in it."""
        last = self._view
        if last is None or not view.continues(last):
            last = None
            for opponent in self.opponents.values():
                way = self._choice.best(opponent.counters)
                opponent.weights = OpponentRange(view.hole, self._strengths, way)
                opponent.actions = []
        done = actions_of(view.state, view.board, len(last.history) if last else 0)
        for away, opponent in self.opponents.items():
            position = (view.position + away) % view.game.players
            new = [action for action in done if action.actor == position]
            if opponent.weights is not None:
                shares = [opponent.chances.shares(action.situation) for action in new]
                opponent.weights.follow(new, shares, view.board)
            opponent.counters.add(new)
            opponent.actions += new
        self._view = view
        return [self._at(view, position) for position in _rivals(view)]

    def end_hand(self, view: PlayerView) -> None:
        """Count the rest of the hand, and learn from the hands that were shown."""
        self.follow(view)
        for position in _rivals(view) if view.state.showdown else ():
            opponent = self._at(view, position)
            if view.shown[position] and opponent.actions:
                actions, counters = opponent.actions, opponent.counters
                counters.add(actions, -1)
                self._choice.learn(counters, view, actions, opponent.chances, self._strengths)
                counters.add(actions)
        for opponent in self.opponents.values():
            opponent.counters.hands += 1
        self._view = None

    def sure(self, opponents: list[TableOpponent], confidence: float) -> bool:
        """Return whether enough was counted of those left to play against their models."""
        return all(
            opponent.counters.full_bins(_LEAST_BIN_DECISIONS)
            and all(opponent.counters.trust(one.cell) >= confidence for one in opponent.actions)
            for opponent in opponents
        )

    def add_own(self, strength: float) -> None:
        """Count a decision of our own."""
        for opponent in self.opponents.values():
            opponent.counters.add_own(strength)

    def exploit(
        self, view: PlayerView, opponents: list[TableOpponent], tolerance: float
    ) -> tuple[int, float]:
        """Return the kind of action of phase 2, and the size of a raise."""
        showdowns = Showdowns(view)
        share = math.prod(showdowns.equity(_weights(opponent).weights) for opponent in opponents)
        equal = 1 / (len(opponents) + 1)
        kind = decide_by_strengths(share, equal, tolerance)
        values = list(self.values(view, showdowns, share))
        best = max(values, key=lambda value: value.chips)
        ruled = max((value.chips for value in values if value.kind == kind), default=-math.inf)
        if best.kind == kind or best.chips - ruled > tolerance * view.pot:
            return best.kind, best.fraction
        return kind, value_fraction(share, equal, tolerance) if kind == RAISE else 0.0

    def values(self, view: PlayerView, showdowns: Showdowns, share: float) -> Iterator[Value]:
        """Yield what a call, a fold and raises of some sizes win; illegal ones are left out.

        Args:
            share: chance to beat all that are left.
        """
        spent = view.state.spent
        own = spent[view.position] + min(view.to_call, view.stack)
        pot = sum(min(chips, own) for chips in spent) + own - spent[view.position]
        yield Value(CALL, 0.0, share * pot - (own - spent[view.position]))
        if view.to_call:
            yield Value(FOLD, 0.0, 0.0)
        tried = set()
        for fraction in raise_fractions(view) if view.can_raise else ():
            action = chips_of_kind(view, RAISE, fraction)
            if action not in tried:
                tried.add(action)
                state = view.state.apply(action)
                answers = list(self._answers(view, state, showdowns))
                cost = state.spent[view.position] - spent[view.position]
                yield Value(RAISE, fraction, raise_value(answers, view.pot, cost))

    def _answers(self, view: PlayerView, state: HandState, showdowns: Showdowns) -> Iterator[Stay]:
        """Yield how each opponent left answers a raise, those before it taken to fold."""
        strengths = self._strengths.read(view.board)
        waiting = set(_rivals(view))
        after = state
        while not after.over and after.actor in waiting and after.can_fold:
            waiting.discard(after.actor)
            opponent = self._at(view, after.actor)
            situation = situation_of(after, view.board)
            shares = opponent.chances.shares(situation)
            weights = _weights(opponent)
            percentiles = weights.percentiles(strengths)
            calling, raising = weights.answers(situation, shares, strengths, percentiles)
            folds = shares[FOLD] * opponent.counters.trust(situation.cell)
            staying = shares[CALL] + shares[FOLD] - folds
            equity = staying * showdowns.equity(calling)
            if shares[RAISE] > 0:
                equity += shares[RAISE] * showdowns.equity(raising)
            equity /= staying + shares[RAISE]
            behind = after.game.stacks[after.actor] - after.spent[after.actor]
            adds = min(after.to_match - after.spent[after.actor], behind)
            yield Stay(folds, equity, adds)
            after = after.apply(FOLDING)
        for position in sorted(waiting):  # all-in: they stay with what they have
            equity = showdowns.equity(_weights(self._at(view, position)).weights)
            yield Stay(0.0, equity, 0)

    def _at(self, view: PlayerView, position: int) -> TableOpponent:
        return self.opponents[(position - view.position) % view.game.players]


def raise_value(answers: list[Stay], pot: int, cost: int) -> float:
    """Return the mean chips that a raise wins where each answer is independent of the others.

    The pot is won where all fold or are beaten; who stays adds its chips to what is won.

    Args:
        pot: before the raise.
        cost: chips that the raise puts in.
    """
    won = [answer.folds + (1 - answer.folds) * answer.equity for answer in answers]
    total = math.prod(won) * (pot + cost) - cost
    for number, answer in enumerate(answers):
        others = math.prod(won[:number]) * math.prod(won[number + 1 :])
        total += answer.adds * (1 - answer.folds) * answer.equity * others
    return total


def _rivals(view: PlayerView) -> list[int]:
    """Return the positions of the opponents that have not folded."""
    return [
        position
        for position, folded in enumerate(view.state.folded)
        if not folded and position != view.position
    ]


def _weights(opponent: TableOpponent) -> OpponentRange:
    assert opponent.weights is not None  # `follow` came before
    return opponent.weights
