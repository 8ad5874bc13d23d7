"""Hand and draw features of two hole cards and a board, in compiled form.

Only what the hole cards add counts: four cards to a flush on the board are no draw of ours.  Made
hands are those of `engine.showdown.made_hands`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel
from engine.showdown import evaluator, made_hands
from engine.showdown.made_hands import NOTHING
from engine.showdown.strength_kernels import card_mask, strength_of_mask

FLUSH_OUTS: Final = 9
_RANKS: Final = 13
_SUIT: Final = 0x1FFF
_WHEEL_RANKS: Final = 0x100F

_made_class = inlined_kernel(made_hands.made_class)
_straights = inlined_kernel(made_hands.straights)


class HandFeatures(NamedTuple):
    """What there is to see once the flop is there."""

    made: int
    """What the hole cards add to the board, as `engine.showdown.made_hands` has it."""
    flush_outs: int
    """Unseen cards that make a flush of ours, 0 or 9."""
    straight_outs: int
    """Further unseen cards that make a straight of ours."""
    overcards: int
    """Hole cards above the whole board, of a hand that has made nothing."""
    pairs: int
    """On the board: 0 no pair, 1 a pair, 2 more than that."""
    suited: int
    """Most board cards of one suit."""
    connected: int
    """Most board ranks within one straight."""


def read_cards(hole: NDArray[np.int64], board: NDArray[np.int64], cards: int) -> HandFeatures:
    """Return what two hole cards make of the first `cards` cards of the board.

    Args:
        hole: (2,) int64.
        board: (5,) int64, those to come -1.
        cards: board cards dealt, 3 to 5.

    Raises:
        ValueError: a shape or dtype differs, or a card is none or comes twice.
    """
    for name, array, size in (("hole", hole, 2), ("board", board, 5)):
        if array.shape != (size,) or array.dtype != np.int64:
            raise ValueError(f"{name}: want ({size},) int64, got {array.shape} {array.dtype}")
    if not 3 <= cards <= 5:
        raise ValueError(f"{cards} board cards, want 3 to 5")
    numbers = [*hole.tolist(), *board[:cards].tolist()]
    if len(set(numbers)) < len(numbers) or not 0 <= min(numbers) <= max(numbers) < 4 * _RANKS:
        raise ValueError(f"cards {numbers} are none, or come twice")
    return HandFeatures(*_read_kernel(hole, board, cards))


# Kernels: arguments are trusted, nothing is allocated.


@inlined_kernel
def read_kernel(hole: NDArray[np.int64], board: NDArray[np.int64], cards: int) -> HandFeatures:
    """Do the work of `read_cards`."""
    shown = 0
    for at in range(cards):
        shown |= card_mask(board[at])
    whole = shown | card_mask(hole[0]) | card_mask(hole[1])
    strength = 0
    alone = 0
    for side in range(2):  # one copy of the evaluator instead of two
        value = strength_of_mask(shown if side == 0 else whole)
        if side == 0:
            alone = value
        else:
            strength = value
    on_board = _ranks(shown)
    made = _made_class(hole[0], hole[1], on_board, strength, alone)
    drawn = 0
    own_suit = False
    suited = 0
    for suit in range(4):
        in_suit = _bits(whole >> (16 * suit) & _SUIT)
        suited = max(suited, _bits(shown >> (16 * suit) & _SUIT))
        if in_suit == 4:
            drawn += 1
            own_suit = own_suit or hole[0] & 3 == suit or hole[1] & 3 == suit
    flush_outs = FLUSH_OUTS if cards < 5 and own_suit and strength >> 20 < evaluator.FLUSH else 0
    straight_outs = 0
    if cards < 5 and strength >> 20 < evaluator.STRAIGHT:
        ranks = _ranks(whole)
        for rank in range(_RANKS):
            card = 1 << rank
            if ranks & card == 0:
                by_itself = _straights(on_board | card)
                if _straights(ranks | card) & ~by_itself > by_itself:
                    straight_outs += 4 - min(drawn, 1)
    overcards = 0
    if made == NOTHING:
        overcards = int(1 << (hole[0] >> 2) > on_board) + int(1 << (hole[1] >> 2) > on_board)
    missing = cards - _bits(on_board)
    return HandFeatures(
        made, flush_outs, straight_outs, overcards, min(missing, 2), suited, _connected(on_board)
    )


@inlined_kernel
def _ranks(cards: int) -> int:
    return (cards | cards >> 16 | cards >> 32 | cards >> 48) & _SUIT


@inlined_kernel
def _connected(ranks: int) -> int:
    """Return how many ranks lie within one straight, at most."""
    most = _bits(ranks & _WHEEL_RANKS)
    for low in range(_RANKS - 4):
        most = max(most, _bits(ranks >> low & 0x1F))
    return most


@inlined_kernel
def _bits(ranks: int) -> int:
    count = 0
    while ranks:
        ranks &= ranks - 1
        count += 1
    return count


@kernel
def _read_kernel(
    hole: NDArray[np.int64], board: NDArray[np.int64], cards: int
) -> tuple[int, int, int, int, int, int, int]:
    features = read_kernel(hole, board, cards)
    return (
        features.made,
        features.flush_outs,
        features.straight_outs,
        features.overcards,
        features.pairs,
        features.suited,
        features.connected,
    )
