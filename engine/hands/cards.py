"""The 1326 combos: every unordered pair of hole cards of a 52-card deck, as one number.

    combo          int32     hi * (hi - 1) // 2 + lo for cards hi > lo: 0 is "2d2c", 1325 "AsAh"
    COMBO_CARDS    (1326, 2) uint8    its cards, the higher one first
    COMBO_MASKS    (1326,)   uint64   bit c set for card c (0..51), as for boards in `card_bits`

Cards are numbered as in `protocol.cards`.  A range is a (1326,) array of weights in this order.
Both tables are read-only; kernels freeze them as constants of their module, not as arguments.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from protocol.cards import CARD_TEXT, parse_cards
from protocol.errors import MalformedCard

CARDS: Final = 52
COMBOS: Final = 1326


def combo_of(first: int, second: int) -> int:
    """Return the combo of two different cards, in either order.

    Raises:
        ValueError: the cards are equal or not within 0..51.
    """
    if first == second or not (0 <= first < CARDS and 0 <= second < CARDS):
        raise ValueError(f"cards {first} and {second} are no pair of hole cards")
    high, low = int(max(first, second)), int(min(first, second))  # uint8 would overflow
    return high * (high - 1) // 2 + low


def combos_of(pairs: NDArray[np.integer]) -> NDArray[np.int32]:
    """Return the combos (...) int32 of pairs (..., 2) of different cards, each in either order.

    Any integer dtype; the cards are not checked.
    """
    high, low = pairs.max(axis=-1).astype(np.int32), pairs.min(axis=-1).astype(np.int32)
    combos: NDArray[np.int32] = high * (high - 1) // 2 + low
    return combos


def parse_combo(text: str) -> int:
    """Return the combo written as two cards, "AhKd".

    Raises:
        ValueError: not two different cards.
    """
    try:
        first, second = parse_cards(text)
    except (MalformedCard, ValueError):
        raise ValueError(f"{text!r}: want two cards as in AhKd") from None
    return combo_of(first, second)


def combo_text(combo: int) -> str:
    """Return the text of a combo, higher card first: "AhKd"."""
    high, low = map(int, COMBO_CARDS[combo])
    return CARD_TEXT[high] + CARD_TEXT[low]


def card_bits(cards: Iterable[int]) -> int:
    """Return the set of some cards as a 52-bit mask.

    Raises:
        ValueError: a card is outside 0..51 or named twice.
    """
    bits = 0
    for card in map(int, cards):  # whole arrays of uint8 as well, in which shifts overflow
        if not 0 <= card < CARDS or bits >> card & 1:
            raise ValueError(f"card {card} is named twice or not within 0..{CARDS - 1}")
        bits |= 1 << card
    return bits


def live_combos(dead: int) -> NDArray[np.bool_]:
    """Return (1326,) bool, True for combos that hold none of the cards in the mask `dead`."""
    live: NDArray[np.bool_] = (COMBO_MASKS & np.uint64(dead)) == 0
    return live


def _combo_cards() -> NDArray[np.uint8]:
    high, low = np.tril_indices(CARDS, -1)
    cards = np.stack((high, low), axis=1).astype(np.uint8)
    cards.flags.writeable = False
    return cards


def _combo_masks() -> NDArray[np.uint64]:
    bits = np.uint64(1) << COMBO_CARDS.astype(np.uint64)
    masks: NDArray[np.uint64] = bits[:, 0] | bits[:, 1]
    masks.flags.writeable = False
    return masks


COMBO_CARDS: Final = _combo_cards()
COMBO_MASKS: Final = _combo_masks()
