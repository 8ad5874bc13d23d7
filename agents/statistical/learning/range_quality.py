"""How well weights predict an opponent's hand: the log-likelihood of hands that a log shows.

At a showdown each player's weights are followed through the hand from the other's seat.  The score
is ln(weight of the hand that was shown / sum of weights), less that of a uniform range: -ln 990,
for so many combos are left beside two own cards and five of the board.  Counters grow from hand to
hand by name, and every hand is scored before it is learnt.  What a log shows of hands that were not
shown at the table is not used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from agents.statistical.counting.counters import OpponentCounters
from agents.statistical.counting.situations import actions_of
from agents.statistical.predicting.action_chances import (
    ActionChances,
    GenericChances,
)
from agents.statistical.ranges.interpretation import ActionInterpretation
from agents.statistical.ranges.interpretation_choice import InterpretationChoice
from agents.statistical.ranges.opponent_range import OpponentRange, shown_combo
from agents.training.logs import PlayedHand, hand_of_line
from engine.console.quantities import interval
from engine.equity.strength import StrengthReader
from engine.estimates.winrate import half_interval
from engine.rules.view import PlayerView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from agents.statistical.counting.situations import SeenAction
    from protocol.gamedef import GameDef
    from protocol.handlog import HandRecord

_PLAYERS: Final = 2
_HANDS_PER_REPORT: Final = 100


class RangeModel(NamedTuple):
    """One way to get from actions to weights."""

    interpretation: Callable[[OpponentCounters], ActionInterpretation]
    """Tells what the actions of a player with some counters say about the hand."""
    chances: ActionChances | None = None
    """Of everybody's actions; None: each player's own counters tell."""


def counted_model(interpretation: ActionInterpretation | None = None) -> RangeModel:
    """Return the specific model: by what the opponent has done so far."""
    return RangeModel(lambda counters: interpretation or ActionInterpretation())


def playing_model(choice: InterpretationChoice) -> RangeModel:
    """Return what the modeller plays with: shown hands choose how the specific model reads."""
    return RangeModel(choice.best)


def generic_model() -> RangeModel:
    """Return the generic model: everybody folds, calls and raises 2:5:3."""
    return RangeModel(lambda counters: ActionInterpretation(), GenericChances())


class Mean(NamedTuple):
    """A mean and half its 95 % interval."""

    value: float
    half_width: float

    def __str__(self) -> str:
        return interval(self.value, self.half_width, 4)


class RangeScores(NamedTuple):
    """Scores of both players' hands at N showdowns by M models, and whom they taught something."""

    gains: NDArray[np.float64]
    """(M, N, 2) nats above uniform, by model, showdown and the position that was read."""
    opponents: dict[str, OpponentCounters]
    """By name, with all hands counted."""

    def gain(self, model: int, over: int | None = None) -> Mean:
        """Return by how much a model beats uniform, or another model, on average, nats.

        The two scores of a showdown are dependent: they count as one sample.

        Raises:
            ValueError: there are less than two showdowns.
        """
        scores = self.gains[model] - (0.0 if over is None else self.gains[over])
        samples = scores.mean(axis=1)
        if len(samples) < 2:
            raise ValueError(f"{len(samples)} showdowns: want two or more for an interval")
        half_width = half_interval(float(samples.std(ddof=1)), len(samples))
        return Mean(float(samples.mean()), half_width)


def score_ranges(
    game: GameDef,
    hands: Sequence[HandRecord],
    models: Sequence[RangeModel],
    *,
    learn: int = 0,
    choice: InterpretationChoice | None = None,
    progress: Callable[[float], None] | None = None,
) -> RangeScores:
    """Score what models make of the hands of a log, from both seats, at each showdown.

    Args:
        game: hold'em for two.
        hands: in the order in which they were played, as `agents.training.logs.one_game` gives
            them; showdowns that are scored show both hands.
        learn: how many hands are only counted at first.
        choice: of a playing model; hands that are shown teach it.
        progress: called with the share of hands that is done.
    """
    counters_of: dict[str, OpponentCounters] = {}
    strengths = StrengthReader()
    gains: list[list[list[float]]] = []
    for number, record in enumerate(hands):
        if progress is not None and number % _HANDS_PER_REPORT == 0:
            progress(number / len(hands))
        hand = hand_of_line(game, record)
        pair = [counters_of.setdefault(name, OpponentCounters()) for name in record.names]
        actions = actions_of(hand.state, hand.cards.board)
        done = [[action for action in actions if action.actor == who] for who in range(_PLAYERS)]
        views = _views(hand)
        if hand.state.showdown and number >= learn:
            gains.append([_scores(views, pair, done, model, strengths) for model in models])
        for view, counters, player_actions in zip(views, pair, done, strict=False):
            if choice is not None:
                choice.learn(counters, view, player_actions, counters, strengths)
        for counters, player_actions in zip(pair, done, strict=True):
            counters.add(player_actions)
            counters.hands += 1
    shape = (len(gains), len(models), _PLAYERS)
    scores = np.array(gains, np.float64).reshape(shape).transpose(1, 0, 2)
    return RangeScores(scores, counters_of)


def _views(hand: PlayedHand) -> tuple[PlayerView, ...]:
    """Return a showdown as it is seen where positions 0 and 1 are read; () if one is hidden."""
    cards = hand.cards
    if not (hand.state.showdown and all(cards.holes)):
        return ()
    return tuple(
        PlayerView(hand.state, 0, 1 - position, cards.holes, cards.board)
        for position in range(_PLAYERS)
    )


def _scores(
    views: Sequence[PlayerView],
    pair: Sequence[OpponentCounters],
    done: Sequence[Sequence[SeenAction]],
    model: RangeModel,
    strengths: StrengthReader,
) -> list[float]:
    """Return nats above uniform of the hands of positions 0 and 1 as the other one reads them."""
    scores = []
    for view, counters, actions in zip(views, pair, done, strict=True):
        chances = model.chances or counters
        opponent_range = OpponentRange(view.hole, strengths, model.interpretation(counters))
        opponent_range.follow(
            actions, [chances.shares(action.situation) for action in actions], view.board
        )
        belief = opponent_range.belief()[shown_combo(view)]
        scores.append(float(np.log(belief * opponent_range.possible)))
    return scores
