"""What an opponent may hold along one hand: a weight for every combo, changed by its actions.

    weights    (1326,) float64   0.01 to 1, never 0 while the combo is possible, so that a combo
                                 that seemed excluded can return; 0 for dead combos
    strengths  (1326,) float64   as of `engine.equity.strength`, nan where the board blocks

After an action whose likelihood grows with strength as a ramp of mean u and error v tells,

    factor = min(1, max(0.01, (strength - u + v) / 2v)),    weight = max(0.01, weight factor)

and for a call, which the strongest hands would not have made, the mirrored ramp beside it,

    factor = min(1, max(0.01, (u + v - strength) / 2v)).

Strengths stand on one of two scales: as they are, or as percentiles among what the opponent may
still hold (`percentiles`), so that "raises with the best 30 %" means 30 % of its own hands.
An interpretation may also say where weights start over (`initial`, `by_street`).
Sources: Papp, "Dealing with imperfect information in poker", MSc thesis, University of Alberta
1998, 7.2; Billings, Papp, Schaeffer, Szafron, "Opponent modeling in poker", AAAI 1998.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from agents.statistical.counting.situations import CALL, FOLD, RAISE, RAISES_TOLD_APART
from agents.statistical.ranges.thresholds import LEAST_WEIGHT_FACTOR
from engine.hands.cards import COMBOS, card_bits, combo_of, live_combos

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from agents.statistical.counting.situations import DecisionPoint, SeenAction
    from agents.statistical.predicting.action_chances import Shares
    from agents.statistical.ranges.interpretation import ActionInterpretation
    from engine.equity.strength import StrengthReader
    from engine.rules.view import PlayerView


class OpponentRange:
    """What the opponent may hold in one hand of heads-up hold'em.

    Attributes:
        live: (1326,) bool, the combos that no known card blocks.
    """

    def __init__(
        self, hole: Iterable[int], strengths: StrengthReader, interpretation: ActionInterpretation
    ) -> None:
        """Begin with all combos that our own cards do not block.

        Raises:
            ValueError: a card is no card or named twice.
        """
        self._dead = card_bits(hole)
        self._board: tuple[int, ...] = ()
        self._strengths = strengths
        self._interpretation = interpretation
        self.live: NDArray[np.bool_] = live_combos(self._dead)
        self._weights: NDArray[np.float64] = np.where(self.live, 1.0, 0.0)
        self._before_flop = self._weights.copy()
        self._street, self._strongest = 0, FOLD

    @property
    def weights(self) -> NDArray[np.float64]:
        """(1326,) the weights, a copy."""
        return self._weights.copy()

    @property
    def possible(self) -> int:
        """How many combos no known card blocks."""
        return int(np.count_nonzero(self.live))

    def follow(
        self, actions: Sequence[SeenAction], shares: Sequence[Shares], board: tuple[int, ...]
    ) -> None:
        """Change the weights after the opponent's next actions, in order.

        Args:
            shares: how often the opponent folds, calls and raises, in the situation of each action.
            board: the cards dealt after them.
        """
        for (situation, kind, _), often in zip(actions, shares, strict=True):
            if kind != FOLD:
                self._see(situation.board)
                street = situation.cell // RAISES_TOLD_APART
                start = self._start_of(street, kind)
                if start is None:
                    continue
                self._weights, self._street = start, street
                strengths = self._strengths.read(self._board)
                places = self.percentiles(strengths)
                likely = self._interpretation.likelihoods(kind, often, situation, strengths, places)
                self.multiply(likely)
                if street == 0:
                    self._strongest = max(kind, self._strongest)
                    self._before_flop = self._weights.copy()
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
            shares: how often it folds, calls and raises there.
            strengths: (1326,) on the board.
            percentiles: (1326,) of the same in its range.

        Returns:
            Twice (1326,): weights after the call, and after the raise; only ratios matter.  The
                least
            weight does not apply: many hands that would never answer so would outweigh those that
                do,
            and bets for value would look better than they are.
        """
        calling, raising = (
            self._answer(kind, situation, shares, strengths, percentiles) for kind in (CALL, RAISE)
        )
        return calling, raising

    def remove(self, cards: Iterable[int]) -> None:
        """Take out the combos that hold one of some cards; cards taken out before may come again.

        Raises:
            ValueError: a card is none or named twice.
        """
        self._dead |= card_bits(cards)
        self.live = live_combos(self._dead)
        self._weights[~self.live] = 0.0

    def multiply(self, factors: NDArray[np.float64]) -> None:
        """Change the weights after an action.

        Args:
            factors: (1326,) how likely each combo takes it, 0 to 1; only live combos are read.

        Raises:
            ValueError: not (1326,) factors, or one of a live combo is not within 0..1.
        """
        if factors.shape != (COMBOS,):
            raise ValueError(f"factors: want ({COMBOS},), got {factors.shape}")
        live = self.live
        live_factors = factors[live]
        if not ((live_factors >= 0) & (live_factors <= 1)).all():
            raise ValueError("a factor is not within 0..1")
        self._weights[live] = np.maximum(LEAST_WEIGHT_FACTOR, self._weights[live] * live_factors)

    def percentiles(self, strengths: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (1326,) the weighted share of weaker combos plus half of the equal ones.

        Combos that are not live have nan.

        Raises:
            ValueError: not (1326,) strengths, or one of a live combo is unknown.
        """
        return self._percentiles(strengths, self._weights)

    def mean_strength(self, strengths: NDArray[np.float64]) -> float:
        """Return the mean of (1326,) strengths by weight.

        Raises:
            ValueError: not (1326,) strengths, one of a live combo is unknown, or no combo is live.
        """
        self._check_strengths(strengths)
        weights = self._weights[self.live]
        if not len(weights):
            raise ValueError("no combo is left")
        return float(weights @ strengths[self.live] / weights.sum())

    def belief(self) -> NDArray[np.float64]:
        """Return (1326,) the weights scaled to a sum of 1: how likely each combo is.

        Raises:
            ValueError: no combo is live.
        """
        total = self._weights.sum()
        if not total > 0:
            raise ValueError("no combo is left")
        shares: NDArray[np.float64] = self._weights / total
        return shares

    def _answer(
        self,
        kind: int,
        situation: DecisionPoint,
        shares: Shares,
        strengths: NDArray[np.float64],
        percentiles: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Return (1326,) weights after one answer, see `answers`."""
        start = self._start_of(situation.cell // RAISES_TOLD_APART, kind)
        if start is None:
            return self.weights
        if start is not self._weights:
            percentiles = self._percentiles(strengths, start)
        likely = self._interpretation.likelihoods(kind, shares, situation, strengths, percentiles)
        answer: NDArray[np.float64] = start * np.where(self.live, likely, 0.0)
        return answer

    def _start_of(self, street: int, kind: int) -> NDArray[np.float64] | None:
        """Return the weights that an action changes; None where it says nothing."""
        way = self._interpretation
        if street == 0 and way.initial:
            return np.where(self.live, 1.0, 0.0) if kind > self._strongest else None
        if street > self._street and way.by_street:
            return np.where(self.live, self._before_flop, 0.0)
        return self._weights

    def _percentiles(
        self, strengths: NDArray[np.float64], weights: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        self._check_strengths(strengths)
        live_strengths, weights = strengths[self.live], weights[self.live]
        different, which = np.unique(live_strengths, return_inverse=True)
        mass = np.bincount(which, weights, len(different))
        upto = np.cumsum(mass)
        shares = np.full(COMBOS, np.nan)
        shares[self.live] = ((upto - mass / 2) / upto[-1])[which]
        return shares

    def _see(self, board: tuple[int, ...]) -> None:
        """Take cards out of the weights that have come on the board."""
        if len(board) > len(self._board):
            self.remove(board[len(self._board) :])
            self._board = board

    def _check_strengths(self, strengths: NDArray[np.float64]) -> None:
        if strengths.shape != (COMBOS,):
            raise ValueError(f"strengths: want ({COMBOS},), got {strengths.shape}")
        if np.isnan(strengths[self.live]).any():
            raise ValueError("the strength of a live combo is unknown: remove the board's cards")


def shown_combo(view: PlayerView, position: int | None = None) -> int:
    """Return the combo that a position, or the opponent of two, shows at the end of a hand."""
    return combo_of(*view.shown[1 - view.position if position is None else position])
