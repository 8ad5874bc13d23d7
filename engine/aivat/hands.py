"""The private hands of a game for two: how many there are, and how they meet.

    weights   (H,) float64  of the hands of one player, any numbers that are not negative
    met       (H,) float64  for each hand of the other player, the weight of those that it can meet
    shown     (H,) float64  the same sum, each weight times P(win) - P(loss) of the other player's
                            hand over all board cards that can still come

The mean of a later board's `shown` over the cards that may come is that of the board before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from engine.compiled.splitmix import plain_word
from engine.equity.equity import matchups
from engine.equity.range_showdowns import RangeShowdowns
from engine.hands.cards import COMBO_CARDS, COMBOS, card_bits, combo_of, live_combos

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BOARDS_KEPT: Final = 4


class Hands(Protocol):
    """What two players may hold."""

    @property
    def size(self) -> int:
        """H, how many hands there are."""

    def number(self, hole: Sequence[int]) -> int:
        """Return the number of a hand, 0 to H - 1."""

    def unblocked(self, board: Sequence[int]) -> NDArray[np.bool_]:
        """Return (H,) bool, the hands that share no card with the board."""

    def met(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (H,) float64; see the module's text."""

    def shown(self, weights: NDArray[np.float64], board: Sequence[int]) -> NDArray[np.float64]:
        """Return (H,) float64; see the module's text."""

    def next_hand(self, number: int) -> None:
        """Draw what is drawn at random, if anything is, for a hand of this number, 0 or more."""


class HoldemHands:
    """The 1326 combos of hold'em; remembers the last boards.

    With a seed, run-outs of flops are drawn (`engine.equity.range_showdowns`), anew for each hand:
    ten times as fast, and right on the mean.
    """

    size: Final = COMBOS

    def __init__(self, seed: int | None = None) -> None:
        """Begin with no board known.  Without a seed all run-outs are counted."""
        self._seed = seed
        self._drawn = seed
        self._boards: dict[tuple[int, ...], RangeShowdowns] = {}

    def number(self, hole: Sequence[int]) -> int:
        """Return the number of a combo.  Raises ValueError for anything but two cards."""
        first, second = hole
        return combo_of(first, second)

    def unblocked(self, board: Sequence[int]) -> NDArray[np.bool_]:
        """Return (1326,) bool, the combos that share no card with the board."""
        return live_combos(card_bits(board))

    def met(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (1326,) float64; see the module's text."""
        (combos,) = weights.nonzero()
        if len(combos) == 1:
            return np.where(live_combos(_bits_of(combos)), weights[combos[0]], 0.0)
        return self._showdowns(()).met(weights)

    def shown(self, weights: NDArray[np.float64], board: Sequence[int]) -> NDArray[np.float64]:
        """Return (1326,) float64; see the module's text."""
        (combos,) = weights.nonzero()
        if len(combos) == 1:
            matchup = matchups(COMBO_CARDS[combos[0]].tolist(), board)
            edges: NDArray[np.float64] = (matchup.lose - matchup.win) / matchup.boards
            return float(weights[combos[0]]) * edges
        return self._showdowns(tuple(board)).shown(weights)

    def next_hand(self, number: int) -> None:
        """Draw the run-outs of a hand, 0 or more."""
        if self._seed is not None:
            self._drawn = plain_word(self._seed, number + 1)
            self._boards = {board: runouts for board, runouts in self._boards.items() if not board}

    def _showdowns(self, board: tuple[int, ...]) -> RangeShowdowns:
        if board not in self._boards:
            if len(self._boards) >= _BOARDS_KEPT:
                del self._boards[next(iter(self._boards))]
            self._boards[board] = RangeShowdowns(board, self._drawn)
        return self._boards[board]


def _bits_of(combos: Iterable[int]) -> int:
    return card_bits(card for combo in combos for card in COMBO_CARDS[combo].tolist())
