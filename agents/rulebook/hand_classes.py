"""What two hole cards make of a board: a made hand, a draw, or nothing.

Only what the hole cards add counts: four cards to a flush on the board are no draw of ours.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from engine.showdown import made_hands
from engine.showdown.evaluator import strength

_RANKS: Final = 13


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


_MADE: Final = {
    made_hands.NOTHING: Made.NOTHING,
    made_hands.LOW_PAIR: Made.WEAK_PAIR,
    made_hands.TOP_PAIR: Made.TOP_PAIR,
    made_hands.OVERPAIR: Made.TOP_PAIR,
}


def made_hand(hole: tuple[int, ...], board: tuple[int, ...]) -> Made:
    """Return what `hole` adds to a board of three or more cards."""
    whole, alone = strength((*hole, *board)), strength(board)
    made = made_hands.made_class(hole[0], hole[1], _ranks(board), whole, alone)
    return _MADE.get(made, Made.STRONG)


def best_draw(hole: tuple[int, ...], board: tuple[int, ...]) -> Draw:
    """Return the best draw of `hole` on a board of three or four cards; NONE on the river.

    A hand that has its straight or flush already has no draw to it.
    """
    if len(board) > 4:
        return Draw.NONE
    cards = (*hole, *board)
    suits = [card & 3 for card in cards]
    if any(suits.count(card & 3) == 4 for card in hole):
        return Draw.FLUSH
    ranks, on_board = _ranks(cards), _ranks(board)
    if made_hands.straights(ranks):
        return Draw.NONE
    wanted = 0
    for rank in range(_RANKS):
        straights = made_hands.straights(ranks | 1 << rank)
        wanted += straights & ~made_hands.straights(on_board | 1 << rank) != 0
    return (Draw.NONE, Draw.GUTSHOT, Draw.OPEN_ENDED)[min(wanted, 2)]


def _ranks(cards: tuple[int, ...]) -> int:
    ranks = 0
    for card in cards:
        ranks |= 1 << (card >> 2)
    return ranks
