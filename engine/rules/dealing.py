"""The cards of a match as a function of its seed: the same deals as the ACPC reference dealer.

One MT19937 generator (Matsumoto, Nishimura, "Mersenne twister", ACM TOMACS 8, 1998, with the
initialisation of 2002 from a single 32-bit number and tempered outputs) serves a whole match and
nothing else draws from it.  Each hand starts from a fresh deck in the order of
`GameDef.deck`; a card is drawn at index (next output mod cards left), and the last card left moves
into its place.  Every hole card of position 0, then of position 1 and so on, then all board cards
of all streets: one output per card, however the betting goes.  So hand h always uses the outputs
h * n .. h * n + n - 1, with n = `GameDef.cards_per_hand`.

numpy's legacy `RandomState` is that generator: full-range uint32 draws are its raw outputs, and
numpy has promised never to change them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from protocol.gamedef import GameDef

BLOCK_HANDS: Final = 256
"""Hands drawn at once by a stream; bounds its memory."""
MAX_SEED: Final = 2**32 - 1
_BULK_OUTPUTS: Final = 1 << 20
"""Generator outputs held at once while dealing in bulk (4 MB)."""


@dataclass(frozen=True, slots=True)
class Deal:
    """All cards of one hand, in the order they were drawn."""

    holes: tuple[tuple[int, ...], ...]
    """(P, K) hole cards per position."""
    board: tuple[int, ...]
    """Board cards of all streets; `GameDef.board_seen` says how many a street shows."""


class DealStream:
    """Iterator over the deals of a match, hand 0 first.  It never ends."""

    __slots__ = ("_buffer", "_draws", "_fresh", "_generator", "_left", "_shape")

    def __init__(self, game: GameDef, seed: int) -> None:
        """Start at hand 0.

        Raises:
            ValueError: the seed is outside 0..2**32 - 1.
        """
        self._generator = _generator(seed)
        self._fresh = list(game.deck)
        self._draws = game.cards_per_hand
        self._left = np.arange(
            len(self._fresh), len(self._fresh) - self._draws, -1, dtype=np.uint32
        )
        self._shape = (game.players, game.hole_cards)
        self._buffer: list[list[int]] = []

    def __iter__(self) -> DealStream:
        return self

    def __next__(self) -> Deal:
        if not self._buffer:
            self._refill()
        deck = self._fresh.copy()
        cards = []
        for index in self._buffer.pop():
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

    def skip(self, hands: int) -> None:
        """Leave out the next `hands` hands, as if they had been dealt and not looked at.

        Raises:
            ValueError: `hands` is negative.
        """
        if hands < 0:
            raise ValueError(f"cannot go back {-hands} hands")
        buffered = min(hands, len(self._buffer))
        if buffered:
            del self._buffer[-buffered:]
        _discard(self._generator, (hands - buffered) * self._draws)

    def _refill(self) -> None:
        outputs = _outputs(self._generator, BLOCK_HANDS * self._draws)
        indices = outputs.reshape(BLOCK_HANDS, self._draws) % self._left
        self._buffer = indices[::-1].tolist()  # popped from the end


class DealBlocks:
    """The deals of a match, many at a time, for bulk work: the same cards as a `DealStream`'s."""

    __slots__ = ("_deck", "_draws", "_fresh", "_generator")

    def __init__(self, game: GameDef, seed: int) -> None:
        """Start at hand 0.

        Raises:
            ValueError: the seed is outside 0..2**32 - 1.
        """
        self._generator = _generator(seed)
        self._fresh = np.array(game.deck, np.uint8)
        self._deck = np.empty_like(self._fresh)
        self._draws = game.cards_per_hand

    def deal(self, cards: NDArray[np.uint8]) -> None:
        """Fill `cards` (H, D) uint8 with the next H hands.

        D is `GameDef.cards_per_hand`: the hole cards by position, then the board of all streets.
        """
        from engine.rules.dealing_kernels import deal_hands

        step = max(1, _BULK_OUTPUTS // self._draws)
        for first in range(0, len(cards), step):
            part = cards[first : first + step]
            deal_hands(_outputs(self._generator, part.size), self._fresh, self._deck, part)

    def skip(self, hands: int) -> None:
        """Leave out the next `hands` hands, as if they had been dealt and not looked at.

        Raises:
            ValueError: `hands` is negative.
        """
        if hands < 0:
            raise ValueError(f"cannot go back {-hands} hands")
        _discard(self._generator, hands * self._draws)


def deal_arrays(
    game: GameDef, seed: int, hands: int
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the first H = `hands` deals at once, equal to those of a `DealStream`.

    Returns:
        holes (H, P, K) uint8 and board (H, B) uint8, B the board cards of all streets.

    Raises:
        ValueError: the seed is outside 0..2**32 - 1 or `hands` is negative.
    """
    if hands < 0:
        raise ValueError(f"{hands} hands cannot be dealt")
    cards = np.empty((hands, game.cards_per_hand), np.uint8)
    DealBlocks(game, seed).deal(cards)
    holes = game.players * game.hole_cards
    shape = (hands, game.players, game.hole_cards)
    return (
        np.ascontiguousarray(cards[:, :holes]).reshape(shape),
        np.ascontiguousarray(cards[:, holes:]),
    )


def _generator(seed: int) -> np.random.RandomState:
    if not 0 <= seed <= MAX_SEED:
        raise ValueError(f"seed {seed} is outside 0..{MAX_SEED}")
    return np.random.RandomState(seed)


def _outputs(generator: np.random.RandomState, count: int) -> NDArray[np.uint32]:
    return generator.randint(0, 2**32, size=count, dtype=np.uint32)


def _discard(generator: np.random.RandomState, outputs: int) -> None:
    while outputs > 0:
        block = min(outputs, _BULK_OUTPUTS)
        _outputs(generator, block)
        outputs -= block
