"""What hole cards make of a board, by trying every card that might come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.showdown import evaluator
from engine.showdown import made_hands as classes
from engine.showdown.evaluator import category, strength

_CLASSES = {
    evaluator.TWO_PAIR: classes.TWO_PAIR,
    evaluator.TRIPS: classes.TRIPS,
    evaluator.STRAIGHT: classes.STRAIGHT,
    evaluator.FLUSH: classes.FLUSH,
}


def reading(hole: Sequence[int], board: Sequence[int]) -> tuple[int, ...]:
    """Return the fields of `HandFeatures`, in order."""
    made = _made(hole, board)
    ranks = [card // 4 for card in board]
    flush_outs, straight_outs = _outs(hole, board)
    overcards = sum(card // 4 > max(ranks) for card in hole) if made == classes.NOTHING else 0
    windows = [{12, 0, 1, 2, 3}, *({*range(low, low + 5)} for low in range(9))]
    return (
        made,
        flush_outs,
        straight_outs,
        overcards,
        min(len(ranks) - len(set(ranks)), 2),
        max(Counter(card % 4 for card in board).values()),
        max(len(window & set(ranks)) for window in windows),
    )


def _made(hole: Sequence[int], board: Sequence[int]) -> int:
    ours, alone = strength((*hole, *board)), strength(board)
    ranks = sorted(card // 4 for card in board)
    if category(ours) == category(alone):
        better = ours > alone and category(ours) >= evaluator.STRAIGHT
        if not better:
            return classes.NOTHING
    boards_own_pair = category(ours) == evaluator.TWO_PAIR and category(alone) == evaluator.PAIR
    if category(ours) == evaluator.PAIR or boards_own_pair:
        first, second = (card // 4 for card in hole)
        if first == second:
            return classes.OVERPAIR if first > ranks[-1] else classes.LOW_PAIR
        return classes.TOP_PAIR if ranks[-1] in (first, second) else classes.LOW_PAIR
    return _CLASSES.get(category(ours), classes.FULL_HOUSE)


def _outs(hole: Sequence[int], board: Sequence[int]) -> tuple[int, int]:
    if len(board) == 5:
        return 0, 0
    now = category(strength((*hole, *board)))
    flush_outs = straight_outs = 0
    for card in set(range(52)) - {*hole, *board}:
        then = strength((*hole, *board, card))
        if then == strength((*board, card)):
            continue
        ours = category(then) > category(strength((*board, card))) or then > strength(
            (*board, card)
        )
        if now < evaluator.FLUSH and category(then) in (evaluator.FLUSH, evaluator.STRAIGHT_FLUSH):
            flush_outs += ours
        elif now < evaluator.STRAIGHT and category(then) == evaluator.STRAIGHT:
            straight_outs += ours
    return flush_outs, straight_outs
