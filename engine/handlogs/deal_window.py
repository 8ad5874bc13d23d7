"""The deals of a match around the hand being read, without holding or redealing all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from engine.rules.dealing import DealStream
from engine.rules.dealing_blocks import DealBlocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from protocol.gamedef import GameDef

WINDOW_HANDS: Final = 64
COMPILED_WINDOW_HANDS: Final = 8192
MAX_SKIP: Final = 20_000_000
"""Hands that are passed over in one go (half a second); a hand id further ahead is a mistake."""


class DealWindow:
    """A moving window of consecutive deals.

    `cards` (H, D) uint8 are those of the hands `first` .. `first` + H - 1: hole cards by position,
    then the board of all streets.
    """

    __slots__ = ("_ahead", "_game", "_source", "cards", "compiled", "first", "seed")

    def __init__(self, game: GameDef, seed: int, *, compiled: bool = False) -> None:
        """Deal nothing yet.

        Raises:
            ValueError: the seed is outside 0..2**32 - 1.
        """
        self._game = game
        self.seed = seed
        self.compiled = compiled
        self.first = 0
        self.cards: NDArray[np.uint8] = np.empty((0, game.cards_per_hand), np.uint8)
        self._source: DealBlocks | DealStream
        self._ahead: int
        """Hand id that the source deals next."""
        self._restart()

    def move_to(self, hand_id: int) -> bool:
        """Make the window hold `hand_id`; return False if that hand is too far ahead."""
        if self.first <= hand_id < self.first + len(self.cards):
            return True
        if hand_id < self._ahead:
            self._restart()
        if hand_id - self._ahead > MAX_SKIP:
            return False
        self._source.skip(hand_id - self._ahead)
        size = COMPILED_WINDOW_HANDS if self.compiled else WINDOW_HANDS
        if len(self.cards) != size:
            self.cards = np.empty((size, self._game.cards_per_hand), np.uint8)
        if isinstance(self._source, DealBlocks):
            self._source.deal(self.cards)
        else:
            for row, deal in zip(self.cards, self._source, strict=False):
                row[:] = [card for hole in deal.holes for card in hole] + list(deal.board)
        self.first = hand_id
        self._ahead = hand_id + size
        return True

    def hand(self, hand_id: int) -> list[int]:
        """Return all cards of a hand inside the window."""
        cards: list[int] = self.cards[hand_id - self.first].tolist()
        return cards

    def _restart(self) -> None:
        kind = DealBlocks if self.compiled else DealStream
        self._source = kind(self._game, self.seed)
        self._ahead = 0
