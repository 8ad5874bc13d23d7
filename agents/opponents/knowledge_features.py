"""Hand and draw features of two hole cards and a board, in compiled form.

Only what the hole cards add counts: three of a kind on the board is no made hand of ours, four
cards to a flush on it no draw of ours.  Cards are 4 * rank + suit, rank 0 for the deuce.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel
from engine.showdown import evaluator
from engine.showdown.strength_kernels import card_mask, strength_of_mask

NOTHING: Final = 0
LOW_PAIR: Final = 1
"""A pair below the highest board card."""
TOP_PAIR: Final = 2
"""A pair of the highest board card."""
OVERPAIR: Final = 3
"""A pocket pair above the board."""
TWO_PAIR: Final = 4
TRIPS: Final = 5
STRAIGHT: Final = 6
FLUSH: Final = 7
FULL_HOUSE: Final = 8
"""A full house or better."""

FLUSH_OUTS: Final = 9
_RANKS: Final = 13
_SUIT: Final = 0x1FFF
_WHEEL: Final = 0x100F
"""The set of A, 2, 3, 4 and 5."""


class HandFeatures(NamedTuple):
    """What there is to see once the flop is there."""

    made: int
    """`NOTHING` .. `FULL_HOUSE`: what the hole cards add to the board."""
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
    known = [*hole.tolist(), *board[:cards].tolist()]
    if len(set(known)) < len(known) or not 0 <= min(known) <= max(known) < 4 * _RANKS:
        raise ValueError(f"cards {known} are none, or come twice")
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
    made = _made(hole, shown, strength, alone)
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
        held = _ranks(whole)
        on_board = _ranks(shown)
        for rank in range(_RANKS):
            card = 1 << rank
            if held & card == 0:
                top = _straight(held | card)
                if top > 0 and top > _straight(on_board | card):
                    straight_outs += 4 - min(drawn, 1)
    overcards = 0
    if made == NOTHING:
        highest = _ranks(shown)
        overcards = int(1 << (hole[0] >> 2) > highest) + int(1 << (hole[1] >> 2) > highest)
    missing = cards - _bits(_ranks(shown))
    return HandFeatures(
        made, flush_outs, straight_outs, overcards, min(missing, 2), suited, _connected(shown)
    )


@inlined_kernel
def _made(hole: NDArray[np.int64], shown: int, strength: int, alone: int) -> int:
    """Return the class of a made hand, given the strengths with and without the hole cards."""
    with_hole = strength >> 20
    by_itself = alone >> 20
    if with_hole == evaluator.HIGH_CARD:
        return NOTHING
    if with_hole == by_itself and (with_hole < evaluator.STRAIGHT or strength == alone):
        return NOTHING
    if with_hole >= evaluator.FULL_HOUSE:
        return FULL_HOUSE
    if with_hole == evaluator.FLUSH:
        return FLUSH
    if with_hole == evaluator.STRAIGHT:
        return STRAIGHT
    if with_hole == evaluator.TRIPS:
        return TRIPS
    if with_hole == evaluator.TWO_PAIR and by_itself != evaluator.PAIR:
        return TWO_PAIR
    top = _ranks(shown)
    first = 1 << (hole[0] >> 2)
    if first == 1 << (hole[1] >> 2):
        return OVERPAIR if first > top else LOW_PAIR
    if first & top and 2 * first > top:
        return TOP_PAIR
    second = 1 << (hole[1] >> 2)
    return TOP_PAIR if second & top and 2 * second > top else LOW_PAIR


@inlined_kernel
def _ranks(cards: int) -> int:
    return (cards | cards >> 16 | cards >> 32 | cards >> 48) & _SUIT


@inlined_kernel
def _straight(ranks: int) -> int:
    """Return 1 + the highest rank of the best straight among `ranks`, 0 for none."""
    low = ranks & ranks << 1 & ranks << 2 & ranks << 3 & ranks << 4 & _SUIT
    top = 0
    while low >> top:
        top += 1
    if top == 0 and ranks & _WHEEL == _WHEEL:
        return 4
    return top


@inlined_kernel
def _connected(shown: int) -> int:
    """Return how many board ranks lie within one straight, at most."""
    ranks = _ranks(shown)
    most = _bits(ranks & _WHEEL)
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
