"""The opponent's weights along one hand: what it did, and what it may therefore hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from agents.statistical.counting.situations import CALL, FOLD, RAISE
from agents.statistical.ranges.weights import HandWeights
from engine.hands.cards import combo_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from agents.statistical.counting.situations import DecisionPoint, SeenAction
    from agents.statistical.predicting.action_chances import Shares
    from agents.statistical.ranges.interpretation import ActionInterpretation
    from engine.equity.strength import StrengthReader
    from engine.rules.view import PlayerView


class OpponentRange:
    """What the opponent may hold in one hand of hold'em for two.

    Attributes:
        weights: of all combos, after all actions followed so far.
    """

    def __init__(
        self, hole: Sequence[int], strengths: StrengthReader, interpretation: ActionInterpretation
    ) -> None:
        """Begin a hand, of which nothing is known but our own cards.

        Args:
            hole: our own cards.
            strengths: of hands on boards.
            interpretation: of the opponent's actions.
        """
        self._board: tuple[int, ...] = ()
        self._strengths = strengths
        self._interpretation = interpretation
        self.weights = HandWeights(hole)

    def follow(
        self, actions: Sequence[SeenAction], shares: Sequence[Shares], board: tuple[int, ...]
    ) -> None:
        """Change the weights after actions of the opponent, the next ones of the hand.

        Args:
            actions: in order.
            shares: how often the opponent does what, in the situation of each.
            board: the cards dealt after them.
        """
        for (situation, kind, _), often in zip(actions, shares, strict=True):
            if kind != FOLD:
                self._see(situation.board)
                strengths = self._strengths.read(self._board)
                places = self.weights.percentiles(strengths)
                likely = self._interpretation.likelihoods(kind, often, situation, strengths, places)
                self.weights.multiply(likely)
        self._see(board)

    def answers(
        self,
        situation: DecisionPoint,
        shares: Shares,
        strengths: NDArray[np.float64],
        percentiles: NDArray[np.float64],
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return what the opponent will hold if it calls and if it raises.

        Args:
            situation: in which it is to act.
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
            weights
            * np.where(
                live,
                self._interpretation.likelihoods(kind, shares, situation, strengths, percentiles),
                0.0,
            )
            for kind in (CALL, RAISE)
        )
        return calling, raising

    def _see(self, board: tuple[int, ...]) -> None:
        """Take cards out of the weights that have come on the board."""
        if len(board) > len(self._board):
            self.weights.remove(board[len(self._board) :])
            self._board = board


def shown_combo(view: PlayerView) -> int:
    """Return the combo that the opponent shows at the end of a hand."""
    return combo_of(*view.shown[1 - view.position])
