"""The private hands of a game, by number: the 1326 combos of hold'em, or the single cards of Leduc.

    cards       (H, 2)  uint8   the two cards of each hand
    masks       (H,)    uint64  bit c set for each of them
    card_swaps  (S, 52) uint8   the card that each card becomes, for S exchanges of suits; the first
                                one, number 0, leaves all as they are
    hand_swaps  (S, H)  int16   the hand that each hand becomes

A hand of one card has a second card that is not in the deck, another one for each hand.  Two such
hands share both cards or none, so what counts pairs of hands by their cards counts these, too.

Arrays over hands, such as ranges, have H as their last axis, in this order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.errors import InvalidGame
from engine.hands.cards import CARDS, COMBO_CARDS, COMBO_MASKS, card_bits
from engine.hands.suits import CARD_SWAPS, COMBO_SWAPS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from protocol.gamedef import GameDef

_MOST_SINGLE_CARDS: Final = CARDS // 2


@dataclass(frozen=True, slots=True, eq=False)
class PrivateHands:
    """See the module's table."""

    deck: tuple[int, ...]
    """All cards, ascending."""
    hole_cards: int
    """Cards of a hand that are dealt, 1 or 2."""
    cards: NDArray[np.uint8]
    masks: NDArray[np.uint64]
    card_swaps: NDArray[np.uint8]
    hand_swaps: NDArray[np.int16]

    @property
    def count(self) -> int:
        """H"""
        return len(self.cards)

    def live(self, dead: Sequence[int]) -> NDArray[np.bool_]:
        """Return (H,) bool, True for hands that hold none of some cards.

        Raises:
            ValueError: a card is none or named twice.
        """
        live: NDArray[np.bool_] = (self.masks & np.uint64(card_bits(dead))) == 0
        return live


HOLDEM_HANDS: Final = PrivateHands(
    tuple(range(CARDS)), 2, COMBO_CARDS, COMBO_MASKS, CARD_SWAPS, COMBO_SWAPS
)


def private_hands(game: GameDef) -> PrivateHands:
    """Return the hands of a game.

    Raises:
        InvalidGame: it does not begin as hold'em, and hands are not single cards of a small deck.
    """
    if game.begins_as_holdem:
        return HOLDEM_HANDS
    if game.hole_cards != 1 or game.dealt_cards or len(game.deck) > _MOST_SINGLE_CARDS:
        raise InvalidGame(
            "private hands are those of hold'em with 52 cards, or "
            f"single cards of a deck of at most {_MOST_SINGLE_CARDS}"
        )
    deck = tuple(sorted(game.deck))
    spare = [card for card in range(CARDS) if card not in deck][: len(deck)]
    cards = np.stack((deck, spare), axis=1).astype(np.uint8)
    bits = np.uint64(1) << cards.astype(np.uint64)
    same = np.arange(len(deck), dtype=np.int16)[None]
    return PrivateHands(deck, 1, cards, bits[:, 0] | bits[:, 1], CARD_SWAPS[:1], same)
