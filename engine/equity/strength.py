"""Effective hand strength of all 1326 combos on a board, exactly.

On the flop, turn and river it is HS (1 - NPot) + (1 - HS) PPot with all cards still to come
(`engine.equity.potential`) against an opponent who may hold anything.  Written out, the sum of
the nine counts is the equity against a random hand:

    (m[ahead, ahead] + m[tied, ahead] + m[behind, ahead] + half of those that end tied) / all

so one pass over the boards to come, linear in the number of combos, finds it for all combos at
once.  Before the flop it is the percentile among the starting hands: the share of combos with a
smaller equity against a random hand, and half of those with the same.  A `StrengthReader` takes
other measures of starting hands as well (`engine.equity.preflop_measures`).  `OptimisticReader`
has EHS' = HS + (1 - HS) PPot instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from engine.equity.equity import checked_board
from engine.equity.potential import hand_potentials
from engine.equity.preflop_measures import EQUITY, check_measure, preflop_percentiles
from engine.equity.runouts import BOARD_CARDS, NO_SWAPS, list_runouts
from engine.hands.cards import COMBOS
from engine.hands.suits import CARD_SWAPS, COMBO_SWAPS, board_symmetries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_RIVER_OPPONENT_COMBOS: Final = 990
_FLOP: Final = 3
_MOST_KEPT_BOARDS: Final = 1024
"""Strengths of a turn or river take 11 KB.  Flops cost 40 times as much, so all 1755 are kept."""


def combo_strengths(board: Sequence[int]) -> NDArray[np.float64]:
    """Return (1326,) the strength, 0 to 1, of every combo; nan where the board blocks it.

    On an empty board the percentile of the starting hand, later the equity against a random hand.
    A flop takes 4 to 6 ms, a turn or river 0.1 ms.

    Raises:
        ValueError: not 0, 3, 4 or 5 different cards.
    """
    cards = checked_board(board)
    return _on_board(cards) if cards else preflop_percentiles().copy()


class StrengthReader:
    """Strengths on the boards of a match; recent ones are cached.

    Flops that differ only by an exchange of suits are computed once.

    Attributes:
        preflop: one of `preflop_measures.MEASURES`, of which strengths before the flop are the
            percentiles.
    """

    def __init__(self, preflop: str = EQUITY) -> None:
        """Raises ValueError where there is no such measure of starting hands."""
        self.preflop: Final = check_measure(preflop)
        self._flops: dict[tuple[int, ...], NDArray[np.float64]] = {}
        self._later: dict[tuple[int, ...], NDArray[np.float64]] = {}

    def with_preflop(self, preflop: str) -> StrengthReader:
        """Return a reader of another measure before the flop, which keeps boards with this one.

        Raises:
            ValueError: there is no such measure of starting hands.
        """
        made = type(self)(preflop)
        made._flops, made._later = self._flops, self._later
        return made

    def read(self, board: Sequence[int]) -> NDArray[np.float64]:
        """Return what `combo_strengths` returns, read-only; preflop strengths follow `preflop`.

        Raises:
            ValueError: not 0, 3, 4 or 5 different cards.
        """
        cards = checked_board(board)
        if not cards:
            return preflop_percentiles(self.preflop)
        key, swap, cache = tuple(sorted(cards)), 0, self._later
        if len(cards) == _FLOP:
            cache = self._flops
            images = np.sort(CARD_SWAPS[:, key], axis=1).tolist()
            swap = min(range(len(images)), key=images.__getitem__)
            key = tuple(images[swap])
        strengths = cache.get(key)
        if strengths is None:
            if cache is self._later and len(cache) >= _MOST_KEPT_BOARDS:
                del cache[next(iter(cache))]
            strengths = cache[key] = self._compute(key)
            strengths.flags.writeable = False
        return strengths[COMBO_SWAPS[swap]] if swap else strengths

    def _compute(self, board: tuple[int, ...]) -> NDArray[np.float64]:
        return _on_board(board)


class OptimisticReader(StrengthReader):
    """The same for EHS', which counts positive potential and not negative.

    Before the flop and on a complete board there is no difference.  A flop takes 150 ms and a turn
    10 ms, because the standing before and after the next cards must be told apart.
    """

    def _compute(self, board: tuple[int, ...]) -> NDArray[np.float64]:
        to_come = BOARD_CARDS - len(board)
        if not to_come:
            return super()._compute(board)
        return hand_potentials(board, np.ones(COMBOS), to_come).ehs_optimistic


def _on_board(board: tuple[int, ...]) -> NDArray[np.float64]:
    from engine.equity.river_rows_kernels import board_scratch
    from engine.equity.strength_kernels import sum_halves

    to_come = BOARD_CARDS - len(board)
    swaps = board_symmetries(board) if to_come > 1 else NO_SWAPS
    sums = np.zeros((2, COMBOS), np.int64)
    boards, deals = list_runouts(board, to_come, 0, swaps)
    sum_halves(boards, len(board), deals, board_scratch(), sums[0], sums[1])
    # A run-out stands for its images, on which what happens to a combo happens to its image.
    halves, met = sums[:, COMBO_SWAPS[list(swaps)]].sum(axis=1)
    unknown = np.full(COMBOS, np.nan)
    shares: NDArray[np.float64] = np.divide(
        halves, 2 * _RIVER_OPPONENT_COMBOS * met, out=unknown, where=met > 0
    )
    return shares
