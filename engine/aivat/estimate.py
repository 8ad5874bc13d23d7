"""AIVAT of one hand: its result, corrected for what luck can be computed.

Known are the cards (chance) and the strategies of some of the two players.  A hand is looked at
together with all others that differ from it in the private cards of known players only.  Each is as
probable as chance and the known players make it ("imaginary observations").  What they win on the
mean is corrected at each event that is known: what was to be expected of it, by a value function,
less what came of it,

    AIVAT = E[chips | end] + sum over events of (E[V | before] - E[V | after])

E over those hands, V the value of the place that the event leads to.  Events are the deal, the
board cards of each street, and the actions of known players.  A player whose strategy is not known,
or is for its own cards only, holds these in all of them.  Every correction is 0 on the mean over
what might have happened, whatever V is, so the sum has the mean that the chips have.

Where all betting is over before the last card, the mean over all run-outs is taken.

Source: Burch, Schmid, Moravcik, Morrill, Bowling, "AIVAT: a new variance reduction technique for
agent evaluation in imperfect information games", AAAI 2018.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Container, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from engine.aivat.value_function import Opposition, ValueFunction
from engine.betting.policy import check_actions
from engine.equity.allin import closing_street
from engine.errors import EngineError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.aivat.hands import Hands
    from engine.betting.policy import Policy
    from engine.rules.state import HandState
    from protocol.actions import Action
    from protocol.gamedef import GameDef

_MOST_REMEMBERED_ACTIONS: Final = 1024

_SIGN_OF_POSITION: Final = (1.0, -1.0)


class NotItsStrategy(EngineError):
    """A player took an action that its strategy never takes with its cards."""

    def __init__(self, position: int, action: Action, state: HandState) -> None:
        super().__init__(f"it never plays {action.text!r} at {state.betting!r} with its cards")
        self.position = position


class HandEstimate(NamedTuple):
    """One hand, in chips of position 0."""

    value: float
    """The estimate: the sum of what follows."""
    end: float
    """What the hands that end so win on the mean."""
    deal: float
    """Corrections: for the private cards,"""
    board: float
    """for the board,"""
    actions: float
    """and for the actions of known players."""


class _Taken(NamedTuple):
    """What follows from an action of a known player."""

    luck: float
    """What was to be expected less what came, in chips of position 0."""
    weights: NDArray[np.float64]
    """(H,) of the player's hands after it."""


class Aivat:
    """Estimates hands of a game for two."""

    def __init__(self, game: GameDef, hands: Hands, values: ValueFunction) -> None:
        """Take a game, its hands and a value function.

        Raises:
            ValueError: the game is not for two.
        """
        if game.players != 2:
            raise ValueError(f"AIVAT is for two players, not for {game.players}")
        self.game: Final = game
        self.hands: Final = hands
        self.values: Final = values
        self._start: float | None = None
        self._remembered: OrderedDict[tuple[object, ...], _Taken] = OrderedDict()

    def estimate(
        self,
        end: HandState,
        holes: Sequence[Sequence[int]],
        board: Sequence[int],
        policies: Mapping[int, Policy],
        number: int = 0,
        *,
        with_own_hand: Container[int] = (),
    ) -> HandEstimate:
        """Return the estimate of a hand.

        Args:
            end: its final state.
            holes: private cards of both positions.
            board: all board cards that were seen, in order.
            policies: strategies by position, of those players that are known.
            number: of the hand, for what `hands` draws at random.
            with_own_hand: positions of `policies` whose strategies are known for the hands
                that they hold only.

        Raises:
            NotItsStrategy: a known player would never have played so.
            ValueError: the hand is not over, or a strategy is none.
        """
        if not end.over:
            raise ValueError(f"position {end.actor} is still to act")
        self.hands.next_hand(number)
        walk = _Walk(self, holes, board, policies, with_own_hand)
        deal = self._before_the_deal(end) - walk.mean_of_worth(_start_of(end))
        for spot, action, after in end.steps():
            if spot.actor in policies:
                walk.act(spot, action)
            if not after.over and after.street > spot.street:
                walk.see_board(after)
        won = walk.mean_at_end(end)
        value = won + deal + walk.board_luck + walk.action_luck
        return HandEstimate(value, won, deal, walk.board_luck, walk.action_luck)

    def _before_the_deal(self, end: HandState) -> float:
        """Return the mean of the value function over all deals, chips of position 0."""
        if self._start is None:
            ones = np.ones(self.hands.size)
            met = Opposition(self.hands, ones, (), 0)
            self._start = float(self.worth(_start_of(end), met).sum() / met.met.sum())
        return self._start

    def remembered(self, key: tuple[object, ...], weigh: Callable[[], _Taken]) -> _Taken:
        """Return the result of `weigh()` for a key; those of the keys used last are kept."""
        taken = self._remembered.pop(key, None)
        if taken is None:
            taken = weigh()
            if len(self._remembered) == _MOST_REMEMBERED_ACTIONS:
                self._remembered.popitem(last=False)
        self._remembered[key] = taken
        return taken

    def worth(self, state: HandState, met: Opposition) -> NDArray[np.float64]:
        """Return (H,) as `ValueFunction.worth`, wherever an action leads."""
        if state.over:
            return worth_at_end(state, met)
        if self.game.board_seen(state.street) > len(met.board):
            return self.values.worth_before_cards(state, met)
        return self.values.worth(state, met)


class _Walk:
    """Goes through a hand, from the deal to its end."""

    def __init__(
        self,
        aivat: Aivat,
        holes: Sequence[Sequence[int]],
        board: Sequence[int],
        policies: Mapping[int, Policy],
        with_own_hand: Container[int],
    ) -> None:
        self._aivat = aivat
        self._known = policies
        self._all_board = tuple(map(int, board))
        self._seen: tuple[int, ...] = ()
        self._own = [aivat.hands.number(hole) for hole in holes]
        self._weights = [np.ones(aivat.hands.size) for _ in range(2)]
        self._met: dict[int, Opposition] = {}
        """By position; what is known of a position's opposition until it changes."""
        imagined = [position in policies and position not in with_own_hand for position in range(2)]
        self._all_imagined = all(imagined)
        for position, hand in enumerate(self._own):
            if not imagined[position]:
                self._weights[position] = np.zeros(aivat.hands.size)
                self._weights[position][hand] = 1.0
        self.board_luck = 0.0
        self.action_luck = 0.0

    def mean_of_worth(self, state: HandState) -> float:
        """Return the mean value of a place over the hands looked at, chips of position 0."""
        met = self._opposition(0)
        return self._mean(self._weights[0], self._aivat.worth(state, met), met)

    def mean_at_end(self, end: HandState) -> float:
        """Return what the hands looked at win on the mean, chips of position 0."""
        if end.showdown:
            self._show(self._aivat.game.board_seen(closing_street(end)))
        met = self._opposition(0)
        return self._mean(self._weights[0], worth_at_end(end, met), met)

    def see_board(self, state: HandState) -> None:
        """Add the correction for the board cards of a street that begins."""
        expected = self.mean_of_worth(state)
        self._show(self._aivat.game.board_seen(state.street))
        self.board_luck += expected - self.mean_of_worth(state)

    def act(self, state: HandState, action: Action) -> None:
        """Add the correction for the action of a known player, and update its weights."""
        position = state.actor
        taken = self._taken(state, action)
        if taken.weights[self._own[position]] <= 0:
            raise NotItsStrategy(position, action, state)
        self.action_luck += taken.luck
        self._weights[position] = taken.weights
        self._met.pop(1 - position, None)

    def _taken(self, state: HandState, action: Action) -> _Taken:
        """Return what follows from an action of a known player.

        Before the board, where all hands of both players are looked at, the betting alone says it.
        """
        if self._seen or not self._all_imagined:
            return self._weigh(state, action)
        return self._aivat.remembered(
            (state.betting, action, self._known[0], self._known[1]),
            lambda: self._weigh(state, action),
        )

    def _weigh(self, state: HandState, action: Action) -> _Taken:
        position = state.actor
        strategy = self._known[position].strategy(state, self._seen)
        check_actions(strategy, state, self._aivat.hands.size)
        if action not in strategy.actions:
            raise NotItsStrategy(position, action, state)
        shares = strategy.probabilities.T.astype(np.float64)
        shares /= np.maximum(shares.sum(axis=0), np.finfo(np.float64).tiny)
        met, weights = self._opposition(position), self._weights[position]
        reach = weights * shares
        values = [self._aivat.worth(state.apply(option), met) for option in strategy.actions]
        chosen = strategy.actions.index(action)
        after = reach[chosen]
        most = after.max()
        if most <= 0:
            raise NotItsStrategy(position, action, state)
        worth = sum(float(row @ value) for row, value in zip(reach, values, strict=True))
        expected = worth / float(weights @ met.met)
        came = self._mean(after, values[chosen], met)
        return _Taken(_SIGN_OF_POSITION[position] * (expected - came), after / most)

    def _show(self, card_count: int) -> None:
        if card_count == len(self._seen):
            return
        self._seen = self._all_board[:card_count]
        live = self._aivat.hands.unblocked(self._seen)
        self._weights = [np.where(live, weights, 0.0) for weights in self._weights]
        self._met.clear()

    def _opposition(self, position: int) -> Opposition:
        if position not in self._met:
            rival_weights = self._weights[1 - position]
            self._met[position] = Opposition(self._aivat.hands, rival_weights, self._seen, position)
        return self._met[position]

    @staticmethod
    def _mean(weights: NDArray[np.float64], worth: NDArray[np.float64], met: Opposition) -> float:
        return float(weights @ worth / (weights @ met.met))


def worth_at_end(state: HandState, met: Opposition) -> NDArray[np.float64]:
    """Return (H,) what each hand of `met.position` wins, times the weight met, summed, in chips.

    Without betting to come a hand is worth the mean over all run-outs.
    """
    at_stake = float(min(state.spent))
    if state.showdown:
        return at_stake * met.shown
    return met.met * (-at_stake if state.folded[met.position] else at_stake)


def _start_of(end: HandState) -> HandState:
    return type(end).start(end.game)
