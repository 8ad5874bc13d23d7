"""What two hole cards make of a board: a made hand, a draw, or nothing.

Only what the hole cards add counts: three of a kind on the board is no made hand of ours, four
cards to a flush on it no draw of ours.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from engine.showdown.evaluator import HIGH_CARD, PAIR, STRAIGHT, TWO_PAIR, category, strength

_STRAIGHTS: Final = (0x100F, *(0x1F << low for low in range(9)))
"""The ten sets of five ranks that make a straight, bit r for rank r; the wheel first."""


class Made(IntEnum):
    """What the hole cards add to the board, weakest first."""

    NOTHING = 0
    WEAK_PAIR = 1
    """A pair below the highest board card."""
    TOP_PAIR = 2
    """A pair of the highest board card, or a pocket pair above the board."""
    STRONG = 3
    """Two pair or better."""


class Draw(IntEnum):
    """How many cards of the deck would complete a straight or a flush, in classes."""

    NONE = 0
    GUTSHOT = 1
    """One missing rank: 4 outs."""
    OPEN_ENDED = 2
    """Two missing ranks: 8 outs."""
    FLUSH = 3
    """One card to a flush: 9 outs, more where a straight draw comes with it."""


def made_hand(hole: tuple[int, ...], board: tuple[int, ...]) -> Made:
    """Return what `hole` adds to a board of three or more cards."""
    whole, alone = strength((*hole, *board)), strength(board)
    with_hole, by_itself = category(whole), category(alone)
    if with_hole == HIGH_CARD:
        return Made.NOTHING
    if with_hole == by_itself:  # better kickers are nothing, a higher straight is something
        return Made.STRONG if with_hole >= STRAIGHT and whole > alone else Made.NOTHING
    boards_pair_and_ours = by_itself == PAIR and with_hole == TWO_PAIR
    if with_hole > PAIR and not boards_pair_and_ours:
        return Made.STRONG
    top = max(card >> 2 for card in board)
    ranks = [card >> 2 for card in hole]
    if ranks[0] == ranks[1]:
        return Made.TOP_PAIR if ranks[0] > top else Made.WEAK_PAIR
    return Made.TOP_PAIR if top in ranks else Made.WEAK_PAIR


def best_draw(hole: tuple[int, ...], board: tuple[int, ...]) -> Draw:
    """Return the best draw of `hole` on a board of three or four cards; NONE on the river.

    A hand that has its straight or flush already has no draw to it.
    """
    if len(board) > 4:
        return Draw.NONE
    cards = (*hole, *board)
    suits = [card & 3 for card in cards]
    own_suits = {card & 3 for card in hole}
    if any(suits.count(suit) == 4 for suit in own_suits):
        return Draw.FLUSH
    held = _ranks(cards)
    on_board = _ranks(board)
    if any(held & straight == straight for straight in _STRAIGHTS):
        return Draw.NONE
    wanted = 0
    for straight in _STRAIGHTS:
        missing = straight & ~held
        ours = held & straight & ~on_board
        if ours and missing & (missing - 1) == 0:
            wanted |= missing
    return (Draw.NONE, Draw.GUTSHOT, Draw.OPEN_ENDED)[min(wanted.bit_count(), 2)]


def _ranks(cards: tuple[int, ...]) -> int:
    ranks = 0
    for card in cards:
        ranks |= 1 << (card >> 2)
    return ranks
