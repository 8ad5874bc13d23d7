"""Follows one hand and keeps the opponent's weights: what it did, and what it may therefore hold.

After each action of the opponent its weights are changed by the ramps of `thresholds`.  On
the scale "relative" the shares of folding, calling and raising cut its own range: whoever bets 30 %
of the time on the turn bets the best 30 % of what it has got there with; ramps are blurred.  On the
scale "absolute" the same numbers are strengths, and ramps as sharp as in the patent's example, in
which calls lie from 0.2 to 0.7 on every street.  Counted curves (`action_curves`) may take the
place of the ramps: what players did with each tenth of their range.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from agents.statistical.counting.counters import size_of
from agents.statistical.counting.habits import CALL, FOLD, RAISE
from agents.statistical.predicting.action_chances import ActionChances, OpponentSpot, Shares
from agents.statistical.predicting.contexts import KIND_CODES, HandReader
from agents.statistical.ranges.thresholds import Ramp, band_of, blurred_ramps, patent_ramps
from agents.statistical.ranges.weights import LEAST_WEIGHT, HandWeights, action_factors
from protocol.betting import parse_betting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from agents.statistical.predicting.action_curves import ActionCurves
    from agents.statistical.ranges.strength import StrengthReader
    from engine.rules.view import PlayerView
    from protocol.actions import Action

SCALES: Final = ("relative", "absolute")


class Deed(NamedTuple):
    """An action of the opponent."""

    button: bool
    cell: int
    action: int
    """FOLD, CALL or RAISE."""
    street: int
    size: int
    """Of the bet it was an answer to, see `agents.statistical.counting.counters`."""


class Reading(NamedTuple):
    """How to read actions."""

    scale: str = "relative"
    """One of SCALES."""
    mirrored: bool = True
    """Whether a call also lowers the hands that would have raised."""
    blur: float = 1.0
    """Widths of the ramps on the scale "relative", see `blurred_ramps`."""
    shown: Callable[[int, int], Ramp | None] | None = None
    """From a cell and an action to the ramp, in strengths, that shown hands tell, if any; it takes
    the place of the ramp by shares of raises, and of calls that might have been folds."""
    curves: ActionCurves | None = None
    """Take the place of all other ramps; scale, mirrored and blur are of no account then."""


class RangeReader:
    """The opponent's weights in one hand of hold'em for two.

    Attributes:
        weights: what the opponent may hold, after all actions followed so far.
        deeds: the opponent's actions followed so far.
    """

    def __init__(self, view: PlayerView, strengths: StrengthReader, reading: Reading) -> None:
        """Begin with a hand, of which nothing is followed yet.

        Raises:
            ValueError: the game is no hold'em, or there is no such scale.
        """
        if reading.scale not in SCALES:
            raise ValueError(f"scale {reading.scale!r}: want one of {', '.join(SCALES)}")
        self._hand_id = view.hand_id
        self._position = view.position
        self._hole = view.hole
        self._board: tuple[int, ...] = ()
        self._strengths = strengths
        self._reading = reading
        self._hand = HandReader(view.game)
        self.weights = HandWeights(view.hole)
        self.deeds: list[Deed] = []

    def goes_on(self, view: PlayerView) -> bool:
        """Return whether a view is one of this hand, at or after the point followed."""
        done, betting = self._hand.state.betting, view.state.betting
        return (
            view.hand_id == self._hand_id
            and view.position == self._position
            and view.hole == self._hole
            and betting.startswith(done)
            and not betting[len(done) : len(done) + 1].isdigit()  # r300 is no beginning of r3000
            and view.board[: len(self._board)] == self._board
        )

    def follow(self, view: PlayerView, chances: ActionChances) -> list[Deed]:
        """Follow the actions up to a view and change the weights; return the opponent's new ones.

        Raises:
            ValueError: the view is not one that goes on from here.
        """
        if not self.goes_on(view):
            raise ValueError(f"betting {view.state.betting!r} is not of the hand that is followed")
        before = len(self.deeds)
        for action in self._new_actions(view):
            state = self._hand.state
            self._see(view.board[: view.game.board_seen(state.street)])
            if state.actor != self._position:
                self._judge(action, chances)
            self._hand.take(action)
        self._see(view.board)
        return self.deeds[before:]

    def answer_to(self, action: Action) -> OpponentSpot | None:
        """Return the situation in which an action of ours leaves the opponent; None: in none.

        Raises:
            IllegalAction: the rules do not allow it where the hand was followed to.
        """
        state = self._hand.state.apply(action)
        if state.over or state.actor == self._position:
            return None
        return spot_of(HandReader.at(state), self._board)

    def _new_actions(self, view: PlayerView) -> list[Action]:
        rest = view.state.betting[len(self._hand.state.betting) :]
        return [action for street in parse_betting(rest) for action in street]

    def _see(self, board: Sequence[int]) -> None:
        """Take cards out of the weights that have come on the board."""
        if len(board) > len(self._board):
            self.weights.remove(board[len(self._board) :])
            self._board = tuple(board)

    def _judge(self, action: Action, chances: ActionChances) -> None:
        deed = deed_of(self._hand, action)
        if deed.action != FOLD:
            spot = spot_of(self._hand, self._board)
            self._reweight(deed.action, chances.shares(spot), spot)
        self.deeds.append(deed)

    def answers(
        self,
        spot: OpponentSpot,
        shares: Shares,
        strengths: NDArray[np.float64],
        percentiles: NDArray[np.float64],
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return what the opponent will hold if it calls and if it raises, where it is to act.

        Args:
            spot: the situation.
            shares: how often it does what there.
            strengths: (1326,) on the board.
            percentiles: (1326,) of the same among what it may hold.

        Returns:
            Twice (1326,): weights after the call, and after the raise; only ratios matter.  The
            least weight does not hold them up: many hands that would never answer so would outweigh
            those that do, and bets for value would look better than they are.
        """
        live, weights = self.weights.live, self.weights.weights
        calling, raising = (
            weights * np.where(live, self._likely(kind, shares, spot, strengths, percentiles), 0.0)
            for kind in (CALL, RAISE)
        )
        return calling, raising

    def _reweight(self, kind: int, shares: Shares, spot: OpponentSpot) -> None:
        strengths = self._strengths.read(self._board)
        percentiles = self.weights.percentiles(strengths)
        self.weights.multiply(self._likely(kind, shares, spot, strengths, percentiles))

    def _likely(
        self,
        kind: int,
        shares: Shares,
        spot: OpponentSpot,
        strengths: NDArray[np.float64],
        percentiles: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Return (1326,) how likely each combo takes an action in a situation, 0 to 1."""
        reading, legal = self._reading, spot.legal
        if not legal[kind]:
            return np.full(len(strengths), LEAST_WEIGHT)
        told = reading.shown if kind == RAISE or legal[FOLD] else None
        learnt = told(spot.cell, kind) if told is not None else None
        if learnt is not None:
            return action_factors(strengths, learnt)
        if reading.curves is not None:
            likely = reading.curves.likelihoods(spot.cell, shares, legal, percentiles)[kind]
            scaled: NDArray[np.float64] = likely / np.nanmax(likely)
            return scaled
        if reading.scale == "relative":
            ramps, places = blurred_ramps(band_of(*shares), reading.blur), percentiles
        else:
            ramps, places = patent_ramps(band_of(*shares)), strengths
        if kind == RAISE:
            return action_factors(places, ramps.raising)
        mirrored = reading.mirrored and legal[RAISE]
        return action_factors(
            places,
            ramps.staying if legal[FOLD] else None,
            ramps.not_raising if mirrored else None,
        )


def spot_of(hand: HandReader, board: Sequence[int]) -> OpponentSpot:
    """Return the situation of whoever is to act.

    Args:
        hand: followed up to there.
        board: the cards of the streets reached.
    """
    state = hand.state
    return OpponentSpot(
        button=state.game.first_positions[-1] != state.actor,
        cell=hand.cell,
        legal=(state.can_fold, True, state.can_raise),
        board=board,
        hand=hand,
        size=size_of(state.to_call, state.pot) if state.game.no_limit and state.raises else 0,
    )


def deed_of(hand: HandReader, action: Action) -> Deed:
    """Return what an action is that is about to be taken."""
    spot = spot_of(hand, ())
    return Deed(spot.button, spot.cell, KIND_CODES[action.kind], hand.state.street, spot.size)
