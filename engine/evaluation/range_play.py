"""What one player wins from another with every hand of both, along lines that are drawn.

Nobody is dealt a hand: both come to each public state with a range, and act with all of it.

    reach     (2, 1326) float64  of both players, what their own actions have left of each combo;
                                 0 for combos that the board blocks
    joint     sum over all pairs of combos that share no card of the product of their reaches
    guess     chips that the player wins if all is checked from there on, over all such pairs

Where a hand ends it is counted, with all its pairs of combos, and all answers to an all-in, or to a
raise of a player who asked for them anyway, are followed at once.  Of the states from which a hand
goes on one is drawn, and weighed by its chance.  It is drawn in proportion to `joint` times the
chips that each player has at stake times the part of the stack behind: large pots, on which most
depends, are seen more often than they come.  From the turn on the drawing is repeated: what a
player that searches has solved is remembered.

Board cards are drawn evenly, whereas combos make cards unlikely that they hold: k new cards after n
weigh C(52 - n, k) / C(48 - n, k) as much.

What is left of luck is measured on the way: each sum is 0 on the mean.  It is the guess for what
was drawn, weighed, less the guess before, or less the sum over all that might have been drawn.
Winnings less these sums have the same mean, and vary less: from always-call nothing is left.

Source: Burch, Schmid, Moravcik, Morrill, Bowling, "AIVAT: a new variance reduction technique for
agent evaluation in imperfect information games", AAAI 2018 (the guess, and imaginary observations).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.betting.policy import Policy, Strategy, check_actions
from engine.equity.allin import closing_street
from engine.equity.range_showdowns import RangeShowdowns
from engine.evaluation.lbr import matched
from engine.evaluation.lbr_hand import (
    ACTIONS_LUCK,
    KINDS,
    LUCK_WIDTH,
    OPPONENT_FOLDS,
    RAISED,
    TALLY_WIDTH,
    WON,
    Draw,
    HandValue,
)
from engine.hands.cards import CARDS, card_bits, live_combos
from engine.rules.state import HandState
from protocol.actions import CALL, Action

REPEATED_FROM: Final = 2
"""The street, 0-based, from whose start on lines are drawn several times."""
DRAWS: Final = 4
_CARDS_OF_BOTH: Final = 4


class RangeSpot(NamedTuple):
    """A public state that both come to with ranges; see the module's text."""

    state: HandState
    showdowns: RangeShowdowns
    """On the board seen: that of the state's street, but before it is dealt that of the last."""
    reach: NDArray[np.float64]

    @property
    def board(self) -> tuple[int, ...]:
        """The cards seen."""
        return self.showdowns.board

    def joint(self) -> float:
        """Return the weight of all pairs of combos."""
        return float(self.reach[0] @ self.showdowns.met(self.reach[1]))

    def guess(self, player: int) -> float:
        """Return chips won by a player over all pairs of combos if no more is bet."""
        edge = float(self.reach[player] @ self.showdowns.shown(self.reach[1 - player]))
        return matched(self.state) * edge

    def after(self, action: Action, shares: NDArray[np.floating]) -> RangeSpot:
        """Return what comes of an action that each combo (1326,) of the actor does in part."""
        reach = self.reach.copy()
        reach[self.state.actor] *= shares
        return self._replace(state=self.state.apply(action), reach=reach)


class RangePlayer(Protocol):
    """Acts with all combos at once."""

    @property
    def asks_ahead(self) -> bool:
        """Whether it knows how its raises are answered, so that to follow all costs nothing."""

    def answer(self, spot: RangeSpot, /) -> Strategy:
        """Return how `spot.state.actor` plays each combo."""


@dataclass(frozen=True, slots=True)
class PolicyPlayer:
    """Acts as a policy says."""

    policy: Policy

    @property
    def asks_ahead(self) -> bool:
        """It does not."""
        return False

    def answer(self, spot: RangeSpot) -> Strategy:
        """Return what the policy says.

        Raises:
            ValueError: it names an illegal action or one twice.
        """
        strategy = self.policy.strategy(spot.state, spot.board)
        check_actions(strategy, spot.state)
        return strategy


def range_start(state: HandState, board: Sequence[int], reach: NDArray[np.float64]) -> RangeSpot:
    """Return a state with ranges (2, 1326); combos that the board (0, 3, 4 or 5 cards) blocks go.

    Raises:
        ValueError: the board is none.
    """
    return RangeSpot(state, RangeShowdowns(board), reach * live_combos(card_bits(board)))


def play_ranges(
    players: tuple[RangePlayer, RangePlayer],
    hero: int,
    board: Sequence[int],
    draw: Draw,
    start: RangeSpot,
    draws: int = DRAWS,
) -> HandValue:
    """Play all hands from a start on; return what is won per hand that comes there, luck included.

    Args:
        players: by position.
        hero: the position whose winnings are counted.
        board: (5,) those that come, the start's first.
        draws: lines that are drawn from the turn on.

    Raises:
        ValueError: a player gives no strategy, or no two hands can meet at the start.
    """
    joint = start.joint()
    if joint <= 0:
        raise ValueError("no two hands of the ranges can meet")
    play = _RangePlay(players, hero, tuple(map(int, board)), draw, draws)
    play.tally = np.zeros((start.state.game.streets, TALLY_WIDTH))
    weight = 1 / joint
    if start.state.street >= REPEATED_FROM:
        play.repeat(start, weight)
    else:
        play.go_on(start, weight)
    return HandValue(float(play.tally[:, WON].sum()), play.luck, play.tally)


@dataclass(slots=True)
class _RangePlay:
    """Lines being drawn, and what has been added up."""

    players: tuple[RangePlayer, RangePlayer]
    hero: int
    cards: tuple[int, ...]
    draw: Draw
    draws: int
    luck: NDArray[np.float64] = field(default_factory=lambda: np.zeros(LUCK_WIDTH))
    tally: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, TALLY_WIDTH)))
    answers: dict[tuple[str, int], Strategy] = field(default_factory=dict)
    """By betting and number of cards seen: ranges follow from these."""

    def repeat(self, spot: RangeSpot, weight: float) -> None:
        """Draw several lines from a state on."""
        for _ in range(self.draws):
            self.go_on(spot, weight / self.draws)

    def go_on(self, spot: RangeSpot | None, weight: float) -> None:
        """Draw a line from a state to the end of the hand."""
        while spot is not None:
            if spot.state.over:  # all-in by the blinds
                self._settle(spot, closing_street(spot.state), weight)
                return
            if spot.state.game.board_seen(spot.state.street) > len(spot.board):
                spot, ratio = self._deal(spot, weight)
                weight *= ratio
                if spot.state.street == REPEATED_FROM:
                    self.repeat(spot, weight)
                    return
            spot, ratio = self._act(spot, weight)
            weight *= ratio

    def _deal(self, spot: RangeSpot, weight: float) -> tuple[RangeSpot, float]:
        """Return the state with its board, and its weight in parts of that before."""
        seen, street = len(spot.board), spot.state.street
        board = self.cards[: spot.state.game.board_seen(street)]
        dealt = range_start(spot.state, board, spot.reach)
        new = len(board) - seen
        ratio = comb(CARDS - seen, new) / comb(CARDS - _CARDS_OF_BOTH - seen, new)
        self.luck[street] += weight * (ratio * dealt.guess(self.hero) - spot.guess(self.hero))
        return dealt, ratio

    def _act(self, spot: RangeSpot, weight: float) -> tuple[RangeSpot | None, float]:
        """Count what an action ends; return one of the others, and its weight, or None."""
        going = self._going(spot, weight)
        chances = np.array([after.joint() * _at_stake(after.state) for after in going])
        if not chances.any():
            return None, 0.0
        guesses = [after.guess(self.hero) for after in going]
        chances /= chances.sum()
        drawn = self.draw(chances)
        ratio = 1 / float(chances[drawn])
        self.luck[ACTIONS_LUCK] += weight * (ratio * guesses[drawn] - sum(guesses))
        return going[drawn], ratio

    def _going(self, spot: RangeSpot, weight: float) -> list[RangeSpot]:
        """Count what actions end; return all the states from which the hand goes on."""
        strategy = self._answer(spot)
        going: list[RangeSpot] = []
        for action, shares in zip(strategy.actions, strategy.probabilities.T, strict=True):
            after = spot.after(action, shares)
            joint = after.joint() if after.reach[spot.state.actor].any() else 0.0
            if joint <= 0:
                continue
            self._tell(spot, action, after, weight * joint)
            if after.state.over:
                self._settle(after, spot.state.street, weight)
            elif _ends_by_any_answer(after.state) or (
                action.kind == "r" and self.players[spot.state.actor].asks_ahead
            ):
                going += self._going(after, weight)
            else:
                going.append(after)
        return going

    def _tell(self, spot: RangeSpot, action: Action, after: RangeSpot, weight: float) -> None:
        """Add an action to the tally."""
        row = self.tally[spot.state.street]
        if spot.state.actor == self.hero:
            row[KINDS[action.kind]] += weight
            row[RAISED] += weight * (matched(after.state) - matched(spot.state))
        elif action.kind == "f":
            row[OPPONENT_FOLDS] += weight

    def _answer(self, spot: RangeSpot) -> Strategy:
        key = spot.state.betting, len(spot.board)
        if key not in self.answers:
            self.answers[key] = self.players[spot.state.actor].answer(spot)
        return self.answers[key]

    def _settle(self, spot: RangeSpot, street: int, weight: float) -> None:
        """Count a hand that is over."""
        if spot.state.showdown:
            won = spot.guess(self.hero)
        else:
            lost = bool(spot.state.folded[self.hero])
            won = (-1 if lost else 1) * min(spot.state.spent) * spot.joint()
        self.tally[street, WON] += weight * won


def _at_stake(state: HandState) -> float:
    """Return how much may depend on what is still done, chips."""
    stack = min(state.game.stacks)
    return matched(state) * (1 - matched(state) / stack)


def _ends_by_any_answer(state: HandState) -> bool:
    return not state.can_raise and state.apply(CALL).over
