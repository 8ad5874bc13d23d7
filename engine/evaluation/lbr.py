"""Local best response: a player that knows its opponent's strategy and looks one action ahead.

LBR keeps the exact belief about the opponent's combo.  It supposes that after its own next action,
and a fold or a call of the opponent, both check to the showdown:

    pot      chips in the middle, the opponent's bet included, before LBR calls
    asked    chips LBR must add to call
    a        chips of a raise over the call
    wp, wp'  chance of LBR's hand against the belief, and against the part of it that does not fold
    fp       probability that the opponent folds to the raise

    U(fold)  = 0
    U(call)  = wp * pot - (1 - wp) * asked
    U(raise) = fp * pot + (1 - fp) * (wp' * (pot + a) - (1 - wp') * (asked + a))

in chips on top of what folding now would leave.  Chips that the shorter stack cannot match are in
no pot.  The first action within rounding of the best is played, in the order call, raises
ascending, fold: LBR checks rather than bets for nothing, and folds only where all else loses.

What LBR wins is a lower bound on what the strategy loses to a best response; it may be negative,
and a strategy that LBR does not beat need not be good.

    belief  (1326,) float64  the opponent's combos, sums to 1; 0 where a card is LBR's or on board
    hopes   (1326,) float64  `lbr_rollouts.chances` of LBR's hand on the board seen

Source: Lisy, Bowling, "Equilibrium approximation quality of current no-limit poker bots", 2017.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.betting.policy import PROBABILITY_SLACK, Policy, Strategy, check_actions
from engine.errors import InvalidGame
from engine.evaluation.lbr_rollouts import chances
from engine.evaluation.lbr_settings import LbrSettings
from engine.hands.cards import card_bits, live_combos
from engine.rules.state import HandState
from engine.rules.view import PlayerView
from protocol.actions import FOLD, Action
from protocol.gamedef import GameDef

ROUNDING_SHARE: Final = 1e-9
"""Smaller differences, as shares of the largest value, are rounding."""


class Choice(NamedTuple):
    """What LBR does, and why."""

    action: Action
    considered: tuple[Action, ...]
    values: tuple[float, ...]
    """U of every action considered, chips; empty where there was nothing to compare."""


class PolicyAnswer(NamedTuple):
    """How an opponent of known strategy acts at one state, summed over its combos."""

    strategy: Strategy
    shares: NDArray[np.float64]
    """(A, K) the part of each of K weightings of the combos that does each action."""


@dataclass(frozen=True, slots=True)
class LocalBestResponse:
    """LBR against one policy in one game.  Keeps nothing from one decision to the next.

    Raises:
        InvalidGame: the game is not hold'em for two with 52 cards.
    """

    policy: Policy
    """The opponent's strategy."""
    game: GameDef
    settings: LbrSettings
    """What LBR may do."""

    def __post_init__(self) -> None:
        if self.game.players != 2 or not self.game.is_holdem:
            raise InvalidGame("local best response is for hold'em for two with 52 cards")

    def choose(
        self,
        state: HandState,
        board: Sequence[int],
        belief: NDArray[np.float64],
        hopes: NDArray[np.float64],
    ) -> Choice:
        """Decide for the actor of `state`.

        Args:
            board: the cards seen on this street, in the order they came.

        Raises:
            ValueError: the policy's answer to a raise is no strategy.
        """
        considered = self.settings.actions(state)
        if len(considered) == 1:
            return Choice(considered[0], considered, ())
        both = np.stack((belief, belief * hopes), axis=1)
        totals = both.sum(axis=0)
        values = [self._value(state, board, action, both, totals) for action in considered]
        enough = max(values) - ROUNDING_SHARE * max(map(abs, values))
        best = next(i for i, value in enumerate(values) if value >= enough)
        return Choice(considered[best], considered, tuple(values))

    def _value(
        self,
        state: HandState,
        board: Sequence[int],
        action: Action,
        both: NDArray[np.float64],
        totals: NDArray[np.float64],
    ) -> float:
        """Return U of an action.

        The columns of `both` are the belief and belief times hopes, `totals` is their sums.
        """
        if action.kind == "f":
            return 0.0
        stays, wins = totals
        folds, more = 0.0, 0
        stake = matched(state)
        if action.kind == "r":
            after = state.apply(action)
            more = matched(after) - stake
            strategy, shares = ask(self.policy, after, board, both)
            if FOLD in strategy.actions:
                folds, folded_wins = shares[strategy.actions.index(FOLD)]
                stays, wins = stays - folds, wins - folded_wins
        mine, theirs = (min(state.spent[p], stake) for p in (state.actor, 1 - state.actor))
        pot, asked = mine + theirs, stake - mine
        # All shares of one belief: fp, (1 - fp) wp' and (1 - fp) (1 - wp') times their sum.
        value = folds * pot + wins * (pot + more) - (stays - wins) * (asked + more)
        return float(value / (folds + stays))

    def act(self, view: PlayerView) -> Action:
        """Return the action to take: LBR as a player for `engine.play.simulate`.

        Raises:
            ValueError: the opponent did what its policy never does, or that is no policy.
        """
        hopes = chances(view.hole, view.board)
        return self.choose(view.state, view.board, self.belief(view), hopes).action

    def belief(self, view: PlayerView) -> NDArray[np.float64]:
        """Return what the opponent may hold, worked out anew from all of the betting.

        Raises:
            ValueError: the opponent did what its policy never does.
        """
        game = view.game
        belief = first_belief(view.hole)
        board_size = 0
        for state, action in view.history:
            board = view.board[: game.board_seen(state.street)]
            if len(board) > board_size:
                belief, _ = belief_after_cards(belief, board[board_size:])
                board_size = len(board)
            if state.actor != view.position:
                strategy = self.policy.strategy(state, board)
                belief = belief_after_action(belief, strategy, action)
        belief, _ = belief_after_cards(belief, view.board[board_size:])
        return belief


def matched(state: HandState) -> int:
    """Return the chips that each player has at stake once all bets are called."""
    return min(state.to_match, *state.game.stacks)


def ask(
    policy: Policy, state: HandState, board: Sequence[int], weights: NDArray[np.float64]
) -> PolicyAnswer:
    """Ask a policy what it does with all combos, and sum that up.

    Args:
        board: the cards seen on this street, in the order they came.
        weights: (1326, K) weightings of the combos, the first column a belief.

    Raises:
        ValueError: the policy names an illegal action or one twice, or its probabilities are
            negative or do not sum to 1 over the belief.
    """
    strategy = policy.strategy(state, board)
    check_actions(strategy, state)
    shares: NDArray[np.float64] = strategy.probabilities.T @ weights
    if not abs(shares[:, 0].sum() - 1) <= PROBABILITY_SLACK or shares[:, 0].min() < 0:
        raise ValueError(f"policy at {state.betting!r}: the probabilities do not sum to 1")
    return PolicyAnswer(strategy, shares)


def first_belief(hole: Sequence[int]) -> NDArray[np.float64]:
    """Return the belief of somebody who holds `hole` and has seen nothing else."""
    live = live_combos(card_bits(hole))
    belief: NDArray[np.float64] = live / np.count_nonzero(live)
    return belief


def belief_after_cards(
    belief: NDArray[np.float64], cards: Sequence[int]
) -> tuple[NDArray[np.float64], float]:
    """Return the belief once `cards` lie on the board, and the share of it that was left.

    The share may be 0: then no combo is left, and the belief is all zeros.
    """
    rest = belief * live_combos(card_bits(cards))
    share = float(rest.sum())
    return (rest / share if share > 0 else rest), share


def belief_after_action(
    belief: NDArray[np.float64], strategy: Strategy, action: Action
) -> NDArray[np.float64]:
    """Return the belief once the opponent has done `action`, by Bayes' rule.

    Raises:
        ValueError: no combo that is still possible does that.
    """
    rest = np.zeros_like(belief)
    if action in strategy.actions:
        rest = belief * strategy.probabilities[:, strategy.actions.index(action)]
    share = float(rest.sum())
    if share <= 0:
        raise ValueError(f"the policy never does {action.text!r} there")
    return rest / share
