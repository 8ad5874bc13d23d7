"""What every combo can expect at a showdown against any range, on one board, all run-outs counted.

    weights   (1326,) float64  of the other range, any numbers that are not negative
    met       (1326,) float64  sum of the weights of combos that share no card with the own one
    shown     (1326,) float64  the same sum, each weight times P(win) - P(loss) of the own combo
                               over all boards that can still come

So `shown / met` is 2 equity - 1 against the range.  Combos that the board blocks weigh nothing, and
their results mean nothing.  The combos are put in order once for each board that can come,
1176 times after the flop; from then on a range costs one pass over them.  Before the flop the
counted matchups are multiplied, those of starting hands where suits make no difference.

With a seed some run-outs of a flop are drawn instead: the 49 cards left are laid in a circle at
random, and each goes with its neighbour.  That is 49 boards on which every card comes twice.
All pairs of cards are drawn equally often, so over the seeds `shown` has the mean that it has over
all run-outs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.equity.equity import checked_board
from engine.equity.runouts import BOARD_CARDS, list_runouts
from engine.hands.cards import CARDS, COMBO_CARDS, COMBOS, card_bits, live_combos
from engine.hands.starting_hands import COMBO_STARTING_HAND, STARTING_HANDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

_HOLE_CARDS_OF_BOTH: Final = 4
_FLOP: Final = 3
_COMBO_OF_STARTING_HAND: Final = np.unique(COMBO_STARTING_HAND, return_index=True)[1]


def met_by_combo(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (1326,) the weight of the combos that share no card with each combo."""
    from engine.equity.range_showdowns_kernels import sum_met

    met = np.empty(COMBOS)
    sum_met(COMBO_CARDS, weights, met)
    return met


class RangeShowdowns:
    """Showdowns of ranges on one board."""

    def __init__(self, board: Sequence[int] = (), seed: int | None = None) -> None:
        """Put the combos in order on the boards that can come.

        Args:
            board: the cards seen, 0, 3, 4 or 5.
            seed: of the run-outs that are drawn after a flop; None: all are counted.

        Raises:
            ValueError: another number of cards, or one is named twice.
            ArtifactMismatch: the shipped table of hands before the flop is missing or damaged.
        """
        self.board: Final = checked_board(board)
        self._live: Final = live_combos(card_bits(self.board))
        to_come = BOARD_CARDS - len(self.board)
        if not self.board:
            _preflop_edges()
            return
        from engine.equity.range_showdowns_kernels import order_combos

        boards = list_runouts(self.board, to_come).boards
        every = len(boards)
        if seed is not None and len(self.board) == _FLOP:
            boards = _drawn_runouts(self.board, seed)
        self._order = np.empty((len(boards), COMBOS), np.uint16)
        self._strength = np.empty((len(boards), COMBOS), np.uint16)
        self._count = order_combos(boards, self._order, self._strength)
        pairs_meet = comb(CARDS - _HOLE_CARDS_OF_BOTH - len(self.board), to_come)
        self._boards = pairs_meet * len(boards) / every
        """Boards on which a pair of hands is shown, on average."""

    def met(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return `met` (1326,) float64 as the module's text defines it."""
        return met_by_combo(np.where(self._live, weights, 0.0))

    def shown(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return `shown` (1326,) float64 as the module's text defines it."""
        if not self.board:
            return _shown_before_the_flop(weights)
        from engine.equity.range_showdowns_kernels import add_shown

        totals = np.zeros(COMBOS)
        live = np.where(self._live, weights, 0.0)
        add_shown(COMBO_CARDS, self._order, self._strength, self._count, live, totals)
        return totals / self._boards


def _drawn_runouts(flop: Sequence[int], seed: int) -> NDArray[np.uint8]:
    """Return (49, 5) uint8, the boards drawn for a flop."""
    deck = np.setdiff1d(np.arange(CARDS, dtype=np.uint8), np.array(flop, np.uint8))
    circle = np.random.default_rng(seed).permutation(deck)
    flops = np.broadcast_to(np.array(flop, np.uint8), (len(deck), _FLOP))
    return np.ascontiguousarray(np.column_stack((flops, circle, np.roll(circle, -1))))


def _shown_before_the_flop(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    by_hand = weights[_COMBO_OF_STARTING_HAND]
    shown: NDArray[np.float64]
    if (weights == by_hand[COMBO_STARTING_HAND]).all():
        shown = (_starting_hand_edges() @ by_hand)[COMBO_STARTING_HAND]
    else:
        shown = _preflop_edges() @ weights
    return shown


@cache
def _starting_hand_edges() -> NDArray[np.float64]:
    """Return (169, 169) float64: a combo's edges against all combos of a starting hand, summed."""
    edges = np.zeros((STARTING_HANDS, STARTING_HANDS))
    np.add.at(edges.T, COMBO_STARTING_HAND, _preflop_edges()[_COMBO_OF_STARTING_HAND].T)
    return edges


@cache
def _preflop_edges() -> NDArray[np.float64]:
    """Return (1326, 1326) float64: 2 equity - 1 of each combo against each, 0 if they share a card.

    In float64, so that the mean over all flops agrees with the flops' own values.
    """
    from engine.equity.preflop import BOARDS_FOR_TWO_HANDS, pair_counts

    first, second = np.triu_indices(COMBOS, 1)
    won, tied = pair_counts(first, second)
    possible = (won > 0) | (tied > 0) | (pair_counts(second, first)[0] > 0)
    edge = np.where(possible, (2.0 * won + tied) / BOARDS_FOR_TWO_HANDS - 1, 0.0)
    edges = np.zeros((COMBOS, COMBOS))
    edges[first, second] = edge
    edges[second, first] = -edge
    return edges
