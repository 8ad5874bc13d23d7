"""Lossless abstraction of small games: a bucket for each hand up to names of suits.

Works for any game whose hole cards and board can be listed, such as Kuhn and Leduc poker with any
deck.  Within the hole cards and within the cards of one street, order does not count.  Where a
player sees fewer than five cards there are no flushes, and only ranks count.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, combinations, permutations
from math import comb, prod
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from engine.errors import InvalidGame

if TYPE_CHECKING:
    from protocol.gamedef import GameDef

FLUSH_CARDS: Final = 5
MOST_HANDS_ON_STREET: Final = 1 << 20

_Groups = tuple[tuple[int, ...], ...]
"""The hole cards, then what each street added to the board; each sorted; cards or ranks."""


class LosslessAbstraction:
    """Numbers the hands of a small game; an `engine.abstraction.buckets.Abstraction`.

    Attributes:
        counts: buckets on each street.
    """

    def __init__(self, game: GameDef) -> None:
        """List all hands.  Raises InvalidGame where there are too many."""
        self._game: Final = game
        self._suits_count: Final = game.hole_cards + game.board_total >= FLUSH_CARDS
        self._numbers: list[dict[_Groups, int]] = []
        self.counts: Final = tuple(self._list(street) for street in range(game.streets))

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Return the bucket of one hand.

        Args:
            board: the open cards, in the order in which they were dealt.

        Raises:
            ValueError: the cards are not those of a hand of this game on any of its streets.
        """
        board_sizes = [self._game.board_seen(street) for street in range(self._game.streets)]
        cards = [*map(int, hole), *map(int, board)]
        right = len(hole) == self._game.hole_cards and len(board) in board_sizes
        if not right or len(set(cards)) < len(cards) or not set(cards) <= set(self._game.deck):
            raise ValueError(f"hole cards {list(hole)} on board {list(board)}")
        street = len(board_sizes) - 1 - board_sizes[::-1].index(len(board))
        return self._numbers[street][self._grouped(cards, self._sizes(street))]

    def buckets_of_deals(self, deals: NDArray[np.uint8], players: int = 2) -> NDArray[np.int32]:
        """Return the buckets of all players on all streets.

        Args:
            deals: (N, players * hole cards + board cards) uint8: the hole cards of player 0, of
                player 1, and so on, then the whole board as dealt.

        Returns:
            (N, players, streets) int32.

        Raises:
            ValueError: the shape or dtype differs, or a row is not a deal of this game.
        """
        holes, streets = self._game.hole_cards, self._game.streets
        width = players * holes + self._game.board_total
        if players < 1 or deals.dtype != np.uint8 or deals.ndim != 2 or deals.shape[1] != width:
            raise ValueError(f"deals: want (N, {width}) uint8, got {deals.shape} {deals.dtype}")
        buckets = np.empty((len(deals), players, streets), np.int32)
        distinct, rows = np.unique(deals, axis=0, return_inverse=True)
        each = np.empty((len(distinct), players, streets), np.int32)
        for n, deal in enumerate(distinct.tolist()):
            if len(set(deal)) < width or not set(deal) <= set(self._game.deck):
                raise ValueError(f"{deal} is no deal of this game")
            for player in range(players):
                cards = deal[player * holes : (player + 1) * holes] + deal[players * holes :]
                for street in range(streets):
                    sizes = self._sizes(street)
                    groups = self._grouped(cards[: sum(sizes)], sizes)
                    each[n, player, street] = self._numbers[street][groups]
        buckets[:] = each[rows.reshape(-1)]
        return buckets

    def _grouped(self, cards: Sequence[int], sizes: Sequence[int]) -> _Groups:
        """Return what tells a hand from others, apart from names of suits."""
        labels = cards if self._suits_count else [card >> 2 for card in cards]
        ends = accumulate(sizes)
        return tuple(
            tuple(sorted(labels[e - size : e])) for e, size in zip(ends, sizes, strict=True)
        )

    def _sizes(self, street: int) -> tuple[int, ...]:
        return (self._game.hole_cards, *self._game.board_cards[: street + 1])

    def _list(self, street: int) -> int:
        """Number the hands of a street; return how many numbers that took."""
        sizes = self._sizes(street)
        deck_size = len(self._game.deck)
        ways = prod(comb(deck_size - sum(sizes[:g]), size) for g, size in enumerate(sizes))
        if ways > MOST_HANDS_ON_STREET:
            raise InvalidGame(
                f"street {street} has {ways} hands, at most {MOST_HANDS_ON_STREET} are listed"
            )
        numbers: dict[_Groups, int] = {}
        suits = sorted({card & 3 for card in self._game.deck})
        renamings = [dict(zip(suits, names, strict=True)) for names in permutations(suits)]
        count = 0
        for groups in _deal(tuple(sorted(self._game.deck)), sizes):
            cards = [card for group in groups for card in group]
            if self._grouped(cards, sizes) not in numbers:
                for names in renamings:
                    renamed = [card & ~3 | names[card & 3] for card in cards]
                    numbers[self._grouped(renamed, sizes)] = count
                count += 1
        self._numbers.append(numbers)
        return count


def _deal(deck: tuple[int, ...], sizes: tuple[int, ...]) -> list[_Groups]:
    """Return all ways to deal groups of these sizes from a deck, each sorted."""
    if not sizes:
        return [()]
    return [
        (group, *rest)
        for group in combinations(deck, sizes[0])
        for rest in _deal(tuple(card for card in deck if card not in group), sizes[1:])
    ]
