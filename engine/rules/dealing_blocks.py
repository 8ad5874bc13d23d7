"""The deals of a seed or a key, many at a time: apart, so that a dealer never loads numpy.

numpy's legacy `RandomState` is the same generator: full-range uint32 draws are its raw outputs, and
numpy has promised never to change them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from engine.errors import InvalidGame
from engine.rules.dealing import check_seed
from engine.rules.keyed_dealing import KeyedOutputs, SeedOrKey

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from protocol.gamedef import GameDef

_BULK_OUTPUTS: Final = 1 << 20
"""They take 4 MB."""


class DealBlocks:
    """The deals of a match, many at a time, for bulk work: the same cards as a `deal_stream`'s."""

    __slots__ = ("_deck", "_draws", "_fresh", "_generator")

    def __init__(self, game: GameDef, source: SeedOrKey) -> None:
        """Start at hand 0.

        Raises:
            InvalidGame: the game says which cards a position may get; a `deal_stream` deals it.
            ValueError: the source is no seed and no key.
        """
        if game.dealt_cards:
            raise InvalidGame("many hands at once are dealt from the whole deck only")
        self._generator: KeyedOutputs | np.random.RandomState
        if isinstance(source, bytes):
            self._generator = KeyedOutputs(game, source)
        else:
            check_seed(source)
            self._generator = np.random.RandomState(source)
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
            deal_hands(self._outputs(len(part)), self._fresh, self._deck, part)

    def _outputs(self, hands: int) -> NDArray[np.uint32]:
        if isinstance(self._generator, KeyedOutputs):
            return np.frombuffer(self._generator.take(hands), "<u4").astype(np.uint32, copy=False)
        return _outputs(self._generator, hands * self._draws)

    def skip(self, hands: int) -> None:
        """Leave out the next `hands` hands, as if they had been dealt and not looked at.

        Raises:
            ValueError: `hands` is negative.
        """
        if hands < 0:
            raise ValueError(f"cannot go back {-hands} hands")
        if isinstance(self._generator, KeyedOutputs):
            self._generator.skip(hands)
        else:
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


def _outputs(generator: np.random.RandomState, count: int) -> NDArray[np.uint32]:
    return generator.randint(0, 2**32, size=count, dtype=np.uint32)


def _discard(generator: np.random.RandomState, outputs: int) -> None:
    while outputs > 0:
        block = min(outputs, _BULK_OUTPUTS)
        _outputs(generator, block)
        outputs -= block
