"""Random deals for solvers that sample chance: buckets of both players, who wins, random bits.

All randomness of a deal comes from one 64-bit key of the caller's generator, so deals repeat
exactly and a stream of them can be continued anywhere.  For games with few deals, such as Kuhn and
Leduc poker, all deals are listed and a key picks one; otherwise it shuffles the deck.
"""

from __future__ import annotations

from itertools import permutations
from math import perm
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel
from engine.compiled.splitmix import random_word
from engine.errors import InvalidGame
from engine.mccfr.records import DealBatch
from engine.showdown.rank_kernels import card_key, rank7
from engine.showdown.strength_kernels import card_mask, strength_of_mask

if TYPE_CHECKING:
    from engine.abstraction.buckets import Abstraction
    from protocol.gamedef import GameDef

MOST_LISTED: Final = 1 << 16
"""Most deals, with the order of cards, that are listed."""

_int: Any = np.int64
_word: Any = np.uint64
_HALF: Any = np.uint64(32)
_LOW: Any = np.uint64(0xFFFFFFFF)


class DealSource:
    """Deals of one game, seen through one card abstraction."""

    def __init__(self, game: GameDef, abstraction: Abstraction) -> None:
        """Prepare to deal, with all deals listed where there are few.

        Raises:
            InvalidGame: the game is not for two players, does not deal everybody from the whole
                deck, or has other streets than the abstraction.
            ValueError: the abstraction returns buckets beyond its own, and deals are listed.
        """
        if game.players != 2:
            raise InvalidGame(f"deals are for two players, not {game.players}")
        if game.dealt_cards:
            raise InvalidGame("deals are sampled from the whole deck only")
        if len(abstraction.counts) != game.streets:
            raise InvalidGame(
                f"a card abstraction of {len(abstraction.counts)} streets for {game.streets}"
            )
        self._game: Final = game
        self._abstraction: Final = abstraction
        self._counts: Final = tuple(abstraction.counts)
        self._deck: Final = np.array(game.deck, np.uint8)
        ways = perm(len(game.deck), game.cards_per_hand)
        self._listed: Final = self._list() if ways <= MOST_LISTED else None

    def deal(self, keys: NDArray[np.uint64]) -> DealBatch:
        """Return one deal for each of the keys (K,) uint64.

        Raises:
            ValueError: the abstraction returns buckets beyond its own.
        """
        if self._listed is not None:
            bucket, result = self._listed
            picked = np.empty(len(keys), np.int64)
            pick_deals(keys, len(result), picked)
            return DealBatch(bucket[picked], result[picked], keys, _nowhere(keys))
        cards = np.empty((len(keys), self._game.cards_per_hand), np.uint8)
        shuffle_deals(keys, self._deck, cards)
        return DealBatch(self._buckets(cards), self._results(cards), keys, _nowhere(keys))

    def _list(self) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
        cards = np.array(list(permutations(self._game.deck, self._game.cards_per_hand)), np.uint8)
        return self._buckets(cards), self._results(cards)

    def _buckets(self, cards: NDArray[np.uint8]) -> NDArray[np.int32]:
        """Return checked buckets: kernels use them as indices."""
        bucket = self._abstraction.buckets_of_deals(cards, 2)
        want = len(cards), 2, self._game.streets
        if bucket.shape != want or not np.issubdtype(bucket.dtype, np.integer):
            raise ValueError(f"buckets: want {want} integers, got {bucket.shape} {bucket.dtype}")
        for street, count in enumerate(self._counts):
            there = bucket[:, :, street]
            least, most = there.min(initial=0), there.max(initial=0)
            if least < 0 or most >= count:
                odd = least if least < 0 else most
                raise ValueError(f"bucket {odd}: street {street} has buckets 0..{count - 1}")
        return np.require(bucket, np.int32, ["C", "W"])

    def _results(self, cards: NDArray[np.uint8]) -> NDArray[np.int8]:
        result = np.empty(len(cards), np.int8)
        own, board = self._game.hole_cards, self._game.board_total
        if (own, board) == (2, 5):
            compare_sevens(cards, result)
        else:
            compare_hands(cards, own, result)
        return result


def _nowhere(keys: NDArray[np.uint64]) -> NDArray[np.float32]:
    return np.zeros(len(keys), np.float32)


# Kernels: arguments are trusted, results go to the last argument.


@kernel
def pick_deals(keys: NDArray[np.uint64], deals: int, picked: NDArray[np.int64]) -> None:
    """Write the number, below `deals`, of the deal that each key picks."""
    for i in range(len(keys)):
        picked[i] = (random_word(keys[i], -1) >> _HALF) * _word(deals) >> _HALF


@kernel
def shuffle_deals(
    keys: NDArray[np.uint64], deck: NDArray[np.uint8], cards: NDArray[np.uint8]
) -> None:
    """Write the first cards (K, N) of the deck as each key shuffles it.

    Outputs -1, -2, ... of the key make two draws each.  A draw of n cards takes 32 bits times n;
    its bias is at most 2**-32 * n.
    """
    left = np.empty_like(deck)
    for deal in range(len(keys)):
        left[:] = deck
        word = _word(0)
        for draw in range(cards.shape[1]):
            if draw & 1:
                word >>= _HALF
            else:
                word = random_word(keys[deal], -1 - draw // 2)
            rest = len(deck) - draw
            place = _int((word & _LOW) * _word(rest) >> _HALF)
            cards[deal, draw] = left[place]
            left[place] = left[rest - 1]


@kernel
def compare_sevens(cards: NDArray[np.uint8], result: NDArray[np.int8]) -> None:
    """Write who wins each deal of hold'em (K, 9): 1 player 0, -1 player 1, 0 nobody."""
    for deal in range(len(cards)):
        key = mask = 0
        for i in range(4, 9):
            key += card_key(cards[deal, i])
            mask |= card_mask(_int(cards[deal, i]))
        ahead = _int(0)
        for player in range(2):
            first, second = cards[deal, 2 * player], cards[deal, 2 * player + 1]
            whole = key + card_key(first) + card_key(second)
            held = mask | card_mask(_int(first)) | card_mask(_int(second))
            ahead = rank7(whole, held) - ahead
        result[deal] = _int(ahead < 0) - _int(ahead > 0)  # rank of player 1 less that of 0


@kernel
def compare_hands(cards: NDArray[np.uint8], hole_cards: int, result: NDArray[np.int8]) -> None:
    """Write the winners as `compare_sevens` does; rows are `hole_cards` cards each, board."""
    for deal in range(len(cards)):
        board = 0
        for i in range(2 * hole_cards, cards.shape[1]):
            board |= card_mask(_int(cards[deal, i]))
        first = second = board
        for i in range(hole_cards):
            first |= card_mask(_int(cards[deal, i]))
            second |= card_mask(_int(cards[deal, hole_cards + i]))
        ahead = strength_of_mask(first) - strength_of_mask(second)
        result[deal] = _int(ahead > 0) - _int(ahead < 0)
