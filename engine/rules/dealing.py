"""The cards of a match as a function of its seed: the same deals as the ACPC reference dealer.

One MT19937 generator (Matsumoto, Nishimura, "Mersenne twister", ACM TOMACS 8, 1998, with the
initialisation of 2002 from a single 32-bit number and tempered outputs) serves a whole match and
nothing else draws from it.  Each hand starts from a fresh deck in the order of
`GameDef.deck`; a card is drawn at index (next output mod cards left), and the last card left moves
into its place.  Every hole card of position 0, then of position 1 and so on, then all board cards
of all streets: one output per card, however the betting goes.  So hand h always uses the outputs
h * n .. h * n + n - 1, with n = `GameDef.cards_per_hand`.

Where a game says which cards a position may get (`GameDef.dealt_cards`), its hole cards are drawn
in the same way from its own list instead of the deck, and the board from what is left of the deck.

Cards of a hand that are given (`protocol.deals`) are put in their places and taken out of the deck;
the others are drawn from what is left, each with the output that it would have been drawn with.  So
a deal of which nothing is given is the seed's own, and no hand changes another one's cards.

Python's own `random.Random` is that generator once its state is set: 32 bits of it are one output.
Only seeds are another matter, hence the 2002 initialisation here.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random  # noqa: TID251 - draws nothing of its own; numpy is slow to load
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from protocol.deals import GivenDeal
    from protocol.gamedef import GameDef

MAX_SEED: Final = 2**32 - 1
_STATE_WORDS: Final = 624
_OUTPUTS_SKIPPED_AT_ONCE: Final = 1 << 16
"""It bounds the memory that skipping takes."""


@dataclass(frozen=True, slots=True)
class Deal:
    """All cards of one hand, in the order they were drawn."""

    holes: tuple[tuple[int, ...], ...]
    """(P, K) hole cards per position."""
    board: tuple[int, ...]
    """Board cards of all streets; `GameDef.board_seen` says how many a street shows."""
    betting: str = ""
    """Betting text that the hand begins with, "" for a hand from its beginning."""


class DealStream:
    """Iterator over the deals of a match, hand 0 first.  It never ends."""

    __slots__ = ("_bits", "_board_cards", "_fresh", "_left", "_lists", "_shape")

    def __init__(self, game: GameDef, seed: int) -> None:
        """Start at hand 0.

        Raises:
            ValueError: the seed is outside 0..2**32 - 1.
        """
        self._bits = _generator(seed).getrandbits
        self._fresh = list(game.deck)
        cards = len(self._fresh)
        self._left = range(cards, cards - game.cards_per_hand, -1)
        self._shape = (game.players, game.hole_cards)
        self._lists = game.dealt_cards
        self._board_cards = game.board_cards

    def __iter__(self) -> DealStream:
        return self

    def __next__(self) -> Deal:
        if self._lists:
            return self._deal_from_lists()
        bits, deck, cards = self._bits, self._fresh.copy(), []
        for deck_size in self._left:
            index = bits(32) % deck_size
            cards.append(deck[index])
            last = deck.pop()
            if index < len(deck):
                deck[index] = last
        players, each = self._shape
        holes = players * each
        if each == 2:
            pairs = iter(cards[:holes])
            return Deal(tuple(zip(pairs, pairs, strict=True)), tuple(cards[holes:]))
        return Deal(
            tuple(tuple(cards[first : first + each]) for first in range(0, holes, each)),
            tuple(cards[holes:]),
        )

    def _deal_from_lists(self) -> Deal:
        bits, each = self._bits, self._shape[1]
        holes = [_draw(bits, list(cards), each) for cards in self._lists]
        gone = {card for hole in holes for card in hole}
        deck = [card for card in self._fresh if card not in gone]
        return Deal(tuple(holes), _draw(bits, deck, len(self._left) - len(gone)))

    def deal_around(self, given: GivenDeal) -> Deal:
        """Return the next hand with the cards that are given, and drawn ones where none are.

        `given` is of this game, as `protocol.deals.DealGrammar` checks.
        """
        bits, each = self._bits, self._shape[1]
        given_cards = {card for part in (*given.holes, *given.board) if part for card in part}
        if len(given_cards) == len(self._left):
            bits(32 * len(given_cards))
            every = [card for part in given.board if part for card in part]
            return Deal(tuple(hole or () for hole in given.holes), tuple(every), given.betting)
        deck = [card for card in self._fresh if card not in given_cards]
        lists = [
            [card for card in position_cards if card not in given_cards]
            for position_cards in self._lists
        ]
        holes = []
        for position, hole in enumerate(given.holes):
            pile = lists[position] if lists else deck
            holes.append(_draw(bits, pile, each) if hole is None else _pass_by(bits, hole))
        if lists:
            given_cards.update(card for hole in holes for card in hole)
            deck = [card for card in self._fresh if card not in given_cards]
        board: list[int] = []
        for new, count in zip(given.board, self._board_cards, strict=True):
            board += _draw(bits, deck, count) if new is None else _pass_by(bits, new)
        return Deal(tuple(holes), tuple(board), given.betting)

    def skip(self, hands: int) -> None:
        """Leave out the next `hands` hands, as if they had been dealt and not looked at.

        Raises:
            ValueError: `hands` is negative.
        """
        if hands < 0:
            raise ValueError(f"cannot go back {-hands} hands")
        _discard(self._bits, hands * len(self._left))


class Outputs:
    """What the generator of a match gives, hand after hand, for whoever deals from it elsewhere."""

    def __init__(self, game: GameDef, seed: int) -> None:
        """Start at hand 0.  Raises ValueError: the seed is outside 0..2**32 - 1."""
        self._bits = _generator(seed).getrandbits
        self._each = game.cards_per_hand

    def take(self, hands: int) -> bytes:
        """Return (`hands`, `cards_per_hand`) uint32, little endian."""
        count = hands * self._each
        return self._bits(32 * count).to_bytes(4 * count, "little")

    def skip(self, hands: int) -> None:
        """Leave out the next `hands` hands.  Raises ValueError: `hands` is negative."""
        if hands < 0:
            raise ValueError(f"cannot go back {-hands} hands")
        _discard(self._bits, hands * self._each)


def seed_outputs(seed: int) -> Iterator[int]:
    """Yield the outputs of a seed's generator, 0..2**32 - 1: seeds of matches that belong together.

    Raises:
        ValueError: the seed is outside 0..2**32 - 1.
    """
    bits = _generator(seed).getrandbits
    while True:
        yield bits(32)


def check_seed(seed: int) -> None:
    """Refuse what is no seed.

    Raises:
        ValueError: it is outside 0..2**32 - 1.
    """
    if not 0 <= seed <= MAX_SEED:
        raise ValueError(f"seed {seed} is outside 0..{MAX_SEED}")


def _discard(bits: Callable[[int], int], outputs: int) -> None:
    while outputs:
        block = min(outputs, _OUTPUTS_SKIPPED_AT_ONCE)
        bits(32 * block)
        outputs -= block


def _draw(bits: Callable[[int], int], deck: list[int], count: int) -> tuple[int, ...]:
    """Take cards out of a deck as the reference dealer does, one output each."""
    cards = []
    for _ in range(count):
        index = bits(32) % len(deck)
        cards.append(deck[index])
        last = deck.pop()
        if index < len(deck):
            deck[index] = last
    return tuple(cards)


def _pass_by(bits: Callable[[int], int], cards: tuple[int, ...]) -> tuple[int, ...]:
    """Use up the outputs of cards that are not drawn."""
    if cards:
        bits(32 * len(cards))
    return cards


def _generator(seed: int) -> Random:
    """Return the generator as `init_genrand(seed)` of 2002 leaves it."""
    check_seed(seed)
    state_words = [seed]
    for index in range(1, _STATE_WORDS):
        last = state_words[-1]
        state_words.append((1812433253 * (last ^ last >> 30) + index) & 0xFFFFFFFF)
    generator = Random(0)
    generator.setstate((3, (*state_words, _STATE_WORDS), None))
    return generator
