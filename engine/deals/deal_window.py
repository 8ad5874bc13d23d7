"""The deals of a match around the hand being read, without holding or redealing all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from engine.deals.deals_file import GivenDealStream
from engine.rules.dealing import DealStream
from engine.rules.dealing_blocks import DealBlocks
from engine.rules.keyed_dealing import KeyedDealStream, SeedOrKey, deal_stream

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from protocol.gamedef import GameDef

WINDOW_HANDS: Final = 64
COMPILED_WINDOW_HANDS: Final = 8192
MOST_SKIPPED_HANDS: Final = 20_000_000
"""So many pass in half a second; a hand id further ahead is a mistake."""


KEPT_WINDOWS: Final = 64
"""Hands out of order are then not dealt again one by one; a few MB."""


class DealWindow:
    """A moving window of consecutive deals, which begins at a multiple of its size.

    `cards` (H, D) uint8 are those of the hands `first` .. `first` + H - 1: hole cards by position,
    then the board of all streets.
    """

    __slots__ = (
        *("_ahead", "_bettings", "_first_given", "_game", "_given", "_kept", "_seed_or_key"),
        *("_source", "cards", "compiled", "first", "origin"),
    )

    def __init__(
        self,
        game: GameDef,
        source: SeedOrKey,
        *,
        compiled: bool = False,
        given: Path | None = None,
        first_given: int = 0,
    ) -> None:
        """Start with an empty window.

        Args:
            source: of the deals; of what a deals file leaves open it is a seed.
            compiled: deal larger windows, by compiled code where that can.
            given: deals file, which leaves to the seed only what it leaves open.
            first_given: deals of the file before that of hand 0.

        Raises:
            ValueError: the source is no seed and no key.
        """
        self._game = game
        self._seed_or_key = source
        self._given = given
        self._first_given = first_given
        named = "the secret" if isinstance(source, bytes) else f"seed {source}"
        self.origin = named if given is None else given.name
        """What deals, in words."""
        self.compiled = compiled
        self.first = 0
        self.cards: NDArray[np.uint8] = np.empty((0, game.cards_per_hand), np.uint8)
        self._source: DealBlocks | DealStream | KeyedDealStream | GivenDealStream
        self._ahead: int
        """Hand id that the source deals next."""
        self._kept: dict[int, NDArray[np.uint8]] = {}
        self._bettings: dict[int, str] = {}
        self._restart()

    def move_to(self, hand_id: int) -> bool:
        """Make the window hold `hand_id`; return False if that hand is too far ahead.

        Raises:
            UnusableDeals: the deals file cannot be read to there.
        """
        if self.first <= hand_id < self.first + len(self.cards):
            return True
        size = COMPILED_WINDOW_HANDS if self.compiled else WINDOW_HANDS
        first = hand_id - hand_id % size
        if first not in self._kept:
            if first < self._ahead:
                self._restart()
            if first - self._ahead > MOST_SKIPPED_HANDS:
                return False
            if len(self._kept) == KEPT_WINDOWS:
                del self._kept[next(iter(self._kept))]
            self._kept[first] = self._deal(first, size)
        self.cards = self._kept[first]
        self.first = first
        return True

    def _deal(self, first: int, size: int) -> NDArray[np.uint8]:
        self._source.skip(first - self._ahead)
        cards = np.empty((size, self._game.cards_per_hand), np.uint8)
        if isinstance(self._source, DealBlocks):
            self._source.deal(cards)
        else:
            for hand_id, (row, deal) in enumerate(zip(cards, self._source, strict=False), first):
                row[:] = [card for hole in deal.holes for card in hole] + list(deal.board)
                if deal.betting:
                    self._bettings[hand_id] = deal.betting
        self._ahead = first + size
        return cards

    def hand(self, hand_id: int) -> list[int]:
        """Return all cards of a hand inside the window."""
        cards: list[int] = self.cards[hand_id - self.first].tolist()
        return cards

    def holes(self, hand_id: int) -> list[tuple[int, ...]]:
        """Return the hole cards by position of a hand inside the window."""
        cards, each = self.hand(hand_id), self._game.hole_cards
        return [tuple(cards[p * each : (p + 1) * each]) for p in range(self._game.players)]

    @property
    def has_bettings(self) -> bool:
        """Whether some hand dealt so far is given with betting, which compiled checks ignore."""
        return bool(self._bettings)

    def betting(self, hand_id: int) -> str:
        """Return the betting that a hand inside the window is given with, "" for most."""
        return self._bettings.get(hand_id, "")

    def _restart(self) -> None:
        self._ahead = 0
        if self._given is not None:
            assert not isinstance(self._seed_or_key, bytes)
            self._source = GivenDealStream(
                self._given, self._game, self._seed_or_key, first=self._first_given
            )
            return
        whole_deck = not self._game.dealt_cards
        deal = DealBlocks if self.compiled and whole_deck else deal_stream
        self._source = deal(self._game, self._seed_or_key)
