"""The cards of a match as a function of a key, which nobody finds by looking at cards.

Hand i of a match is a function of key and i alone.  Its stream of words is

    SHA-512(key, i, 0), SHA-512(key, i, 1), ...

with i as 8 bytes and the counter as 4; each digest is 16 words of 32 bits; the highest byte is the
first one throughout.  Cards are drawn in the order of `engine.rules.dealing`, and as there a card
is drawn at index (word mod cards left), and the last card left moves into its place.  A word that
is no less than the largest multiple of the cards left is passed over, so that each index is equally
likely.

Whoever has seen any number of hands would have to guess 256 bits, or to break SHA-512, to know a
card of another one.  The 32 bits of a seed can be tried out, and the generator of
`engine.rules.dealing` is linear, so that its outputs predict further ones whatever it began with.
"""

from __future__ import annotations

import sys
from array import array
from hashlib import sha512
from itertools import count
from struct import Struct
from typing import TYPE_CHECKING, Final, TypeAlias

from engine.rules.dealing import Deal, DealStream, Outputs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from protocol.gamedef import GameDef

SeedOrKey: TypeAlias = int | bytes
"""What the deals of a match are made of: a seed of 0..2**32 - 1, or a key of `KEY_BYTES`."""
KEY_BYTES: Final = 32
_WORDS: Final = 1 << 32
_WORD_BYTES: Final = 4
_WORDS_A_DIGEST: Final = 16
_NUMBERS: Final = Struct(">QI").pack
_WORDS_IN: Final = Struct(f">{_WORDS_A_DIGEST}I").unpack
_OF_HIGH_WORDS: Final = b"\xff\xff\xff"
"""Every word that is passed over begins so: less than 256 of all are, with less than 256 cards."""


class KeyedDealStream:
    """Iterator over the deals of a match, hand 0 first.  It never ends."""

    __slots__ = ("_game", "_hand", "_key")

    def __init__(self, game: GameDef, key: bytes) -> None:
        """Start at hand 0.  Raises ValueError: this is no key."""
        self._game = game
        self._key = _checked(key)
        self._hand = 0

    def __iter__(self) -> KeyedDealStream:
        return self

    def __next__(self) -> Deal:
        game, words = self._game, _hand_words(self._key, self._hand)
        self._hand += 1
        deck = list(game.deck)
        piles = [list(cards) for cards in game.dealt_cards] or [deck] * game.players
        holes = tuple([_draw(words, pile, game.hole_cards) for pile in piles])
        if game.dealt_cards:
            gone = {card for hole in holes for card in hole}
            deck = [card for card in deck if card not in gone]
        return Deal(holes, _draw(words, deck, sum(game.board_cards)))

    def skip(self, hands: int) -> None:
        """Leave out the next `hands` hands.  Raises ValueError: `hands` is negative."""
        self._hand += _forward(hands)


class KeyedOutputs:
    """The words that cards are drawn with, hand after hand, for whoever deals from them elsewhere.

    The twin of `engine.rules.dealing.Outputs`, for games that are dealt from one deck.
    """

    __slots__ = ("_hand", "_key", "_sizes")

    def __init__(self, game: GameDef, key: bytes) -> None:
        """Start at hand 0.  Raises ValueError: this is no key."""
        self._key = _checked(key)
        cards = len(game.deck)
        self._sizes = range(cards, cards - game.cards_per_hand, -1)
        self._hand = 0

    def take(self, hands: int) -> bytes:
        """Return (`hands`, `cards_per_hand`) uint32, little endian."""
        numbers = range(self._hand, self._hand + hands)
        self._hand += hands
        words = array("I")
        key, length = self._key, _WORD_BYTES * len(self._sizes)
        if len(self._sizes) <= _WORDS_A_DIGEST:  # quickly: a match waits for it
            stream = b"".join([sha512(key + _NUMBERS(n, 0)).digest()[:length] for n in numbers])
            if _OF_HIGH_WORDS not in stream:
                words.frombytes(stream)
                if sys.byteorder == "little":
                    words.byteswap()
        if not words:
            words.extend([word for number in numbers for word in self._words_of(number)])
        if sys.byteorder == "big":
            words.byteswap()
        return words.tobytes()

    def _words_of(self, hand: int) -> list[int]:
        words = _hand_words(self._key, hand)
        return [_next_word(words, size) for size in self._sizes]

    def skip(self, hands: int) -> None:
        """Leave out the next `hands` hands.  Raises ValueError: `hands` is negative."""
        self._hand += _forward(hands)


def deal_stream(game: GameDef, source: SeedOrKey) -> DealStream | KeyedDealStream:
    """Return the deals of a seed or a key.  Raises ValueError: it is none."""
    if isinstance(source, bytes):
        return KeyedDealStream(game, source)
    return DealStream(game, source)


def dealing_outputs(game: GameDef, source: SeedOrKey) -> Outputs | KeyedOutputs:
    """Return what the deals of a seed or a key are drawn with.  Raises ValueError: it is none."""
    return KeyedOutputs(game, source) if isinstance(source, bytes) else Outputs(game, source)


def _checked(key: bytes) -> bytes:
    if len(key) != KEY_BYTES:
        raise ValueError(f"a key has {KEY_BYTES} bytes, not {len(key)}")
    return key


def _forward(hands: int) -> int:
    if hands < 0:
        raise ValueError(f"cannot go back {-hands} hands")
    return hands


def _hand_words(key: bytes, hand: int) -> Iterator[int]:
    """Yield the stream of a hand, without end."""
    for counter in count():
        yield from _WORDS_IN(sha512(key + _NUMBERS(hand, counter)).digest())


def _next_word(words: Iterator[int], cards_left: int) -> int:
    """Return the next word that draws one of so many cards."""
    limit = _WORDS - _WORDS % cards_left
    return next(word for word in words if word < limit)


def _draw(words: Iterator[int], deck: list[int], number: int) -> tuple[int, ...]:
    """Take so many cards out of a deck."""
    cards = []
    for _ in range(number):
        index = _next_word(words, len(deck)) % len(deck)
        cards.append(deck[index])
        deck[index] = deck[-1]
        deck.pop()
    return tuple(cards)
