"""Random deals to players who come to a place of the hand with some hands more often than others.

weights   (2, B) float64   how often each player comes there with a hand of each of the B buckets of
                           the first street; only proportions count

A deal is as likely as the product of its two weights, and of two hands that share a card no deal is
made.  Where the deals of the game are listed, a key picks one; otherwise it draws both hands and
then the board.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel
from engine.compiled.splitmix import random_word
from engine.errors import InvalidGame
from engine.hands.cards import COMBO_CARDS
from engine.mccfr.records import DealBatch
from engine.mccfr.sample_deals import DealSource

if TYPE_CHECKING:
    from engine.abstraction.buckets import Abstraction
    from protocol.gamedef import GameDef

_PLAYERS: Final = 2
_int: Any = np.int64
_word: Any = np.uint64
_HALF: Any = np.uint64(32)
_LOW: Any = np.uint64(0xFFFFFFFF)
_ELEVEN: Any = np.uint64(11)
_UNIT: Final = 2.0**-53


class Elsewhere(NamedTuple):
    """What one player has who does not come to the place (`BettingTree.behind_choice`)."""

    player: int
    chips: NDArray[np.float64]
    """(B,) what it wins with each bucket of the first street."""


class WeightedDeals(DealSource):
    """Deals of one game, weighted by what both players hold before the board."""

    def __init__(
        self,
        game: GameDef,
        abstraction: Abstraction,
        weights: NDArray[np.float64],
        elsewhere: Elsewhere | None = None,
    ) -> None:
        """Prepare to deal.

        Raises:
            InvalidGame: as for `DealSource`, or a game of many deals is no hold'em.
            ValueError: weights are of another shape or negative, or no deal has any.
        """
        super().__init__(game, abstraction)
        shape = _PLAYERS, abstraction.counts[0]
        if weights.shape != shape or not (weights >= 0).all() or not np.isfinite(weights).all():
            raise ValueError(f"weights of hands: want {shape} numbers, 0 or more")
        self._elsewhere: Final = elsewhere
        if self._listed is not None:
            first = self._listed[0][:, :, 0]
            likely = weights[0][first[:, 0]] * weights[1][first[:, 1]]
            self._running = np.cumsum(likely)[None]
        else:
            if not game.is_holdem:
                raise InvalidGame("hands are weighted in hold'em and in games of few deals")
            buckets = abstraction.buckets(())  # type: ignore[attr-defined]
            self._running = np.cumsum(weights[:, buckets], axis=1)
            likely = _apart(weights[0][buckets]) * weights[1][buckets]
        if not likely.sum() > 0:
            raise ValueError("no deal has any weight")

    def deal(self, keys: NDArray[np.uint64]) -> DealBatch:
        """Return one deal for each of the keys (K,) uint64.

        Raises:
            ValueError: the abstraction returns buckets beyond its own.
        """
        if self._listed is not None:
            picked = np.empty(len(keys), np.int64)
            pick_weighted(keys, self._running[0], picked)
            bucket, result = self._listed[0][picked], self._listed[1][picked]
        else:
            cards = np.empty((len(keys), self._game.cards_per_hand), np.uint8)
            draw_weighted(keys, self._deck, COMBO_CARDS, self._running, cards)
            bucket, result = self._buckets(cards), self._results(cards)
        return DealBatch(bucket, result, keys, self._won_elsewhere(bucket))

    def _won_elsewhere(self, bucket: NDArray[np.int32]) -> NDArray[np.float32]:
        if self._elsewhere is None:
            return np.zeros(len(bucket), np.float32)
        player, chips = self._elsewhere
        won = chips[bucket[:, player, 0]]
        return (won if player == 0 else -won).astype(np.float32)


def _apart(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (1326,) the weight of all combos that share no card with each combo."""
    by_card = np.zeros(52)
    for place in range(2):
        np.add.at(by_card, COMBO_CARDS[:, place], weights)
    shared = by_card[COMBO_CARDS].sum(axis=1) - weights
    apart: NDArray[np.float64] = np.maximum(weights.sum() - shared, 0)
    return apart


# Kernels: arguments are trusted, results go to the last argument.


@kernel
def pick_weighted(
    keys: NDArray[np.uint64], running: NDArray[np.float64], picked: NDArray[np.int64]
) -> None:
    """Write the deal that each key picks, by the running sums of their weights."""
    for i in range(len(keys)):
        at = (random_word(keys[i], -1) >> _ELEVEN) * _UNIT * running[-1]
        picked[i] = min(np.searchsorted(running, at, "right"), len(running) - 1)


@kernel
def draw_weighted(
    keys: NDArray[np.uint64],
    deck: NDArray[np.uint8],
    combos: NDArray[np.uint8],
    running: NDArray[np.float64],
    cards: NDArray[np.uint8],
) -> None:
    """Write two hands of different cards, then a board (K, 4 + board), as each key draws them.

    Outputs -1, -2, ... of the key make one draw each.  running (2, 1326).
    """
    left = np.empty_like(deck)
    for deal in range(len(keys)):
        word = _int(0)
        drawing = True
        while drawing:
            for player in range(2):
                word -= 1
                at = (random_word(keys[deal], word) >> _ELEVEN) * _UNIT * running[player, -1]
                combo = min(np.searchsorted(running[player], at, "right"), running.shape[1] - 1)
                cards[deal, 2 * player] = combos[combo, 0]
                cards[deal, 2 * player + 1] = combos[combo, 1]
            drawing = False
            for own in range(2):
                for other in range(2, 4):
                    drawing |= cards[deal, own] == cards[deal, other]
        rest = 0
        for card in deck:
            held = False
            for i in range(4):
                held |= cards[deal, i] == card
            if not held:
                left[rest] = card
                rest += 1
        for draw in range(4, cards.shape[1]):
            word -= 1
            place = _int((random_word(keys[deal], word) & _LOW) * _word(rest) >> _HALF)
            cards[deal, draw] = left[place]
            rest -= 1
            left[place] = left[rest]
