"""Cards as numbers and as text.  The only place that knows how cards are numbered.

    card = rank * 4 + suit        0 "2c", 1 "2d", 2 "2h", 3 "2s", 4 "3c", ... 51 "As"

A game with fewer ranks or suits uses the highest of them (see `protocol.gamedef.GameDef.deck`),
so one number means the same card in every game.
"""

from collections.abc import Iterable
from typing import Final

from protocol.errors import MalformedCard

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"

CARD_TEXT: Final[tuple[str, ...]] = tuple(rank + suit for rank in RANKS for suit in SUITS)

_CARD_NUMBER: Final[dict[str, int]] = {text: card for card, text in enumerate(CARD_TEXT)}


def parse_card(text: str) -> int:
    """Return the number of one card, "2c" .. "As" in exactly this spelling.

    Raises:
        MalformedCard: `text` is not one card.
    """
    card = _CARD_NUMBER.get(text)
    if card is None:
        raise MalformedCard(text)
    return card


def parse_cards(text: str) -> tuple[int, ...]:
    """Return the cards written one after the other without separators; "" gives ().

    Raises:
        MalformedCard: some pair of characters is not a card, or a single one is left over.
    """
    try:
        if len(text) == 4:  # most of them are two hole cards
            return _CARD_NUMBER[text[:2]], _CARD_NUMBER[text[2:]]
        return tuple([_CARD_NUMBER[text[i : i + 2]] for i in range(0, len(text), 2)])
    except KeyError:
        raise MalformedCard(text, "not a list of cards") from None


def format_cards(cards: Iterable[int]) -> str:
    """Inverse of `parse_cards`: the cards' texts one after the other, in the given order."""
    return "".join([CARD_TEXT[card] for card in cards])
