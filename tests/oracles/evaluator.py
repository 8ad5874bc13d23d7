"""Obvious version of engine.showdown.evaluator: look at every hand of five cards."""

from collections import Counter
from itertools import combinations


def strength(cards):
    """Return a key that orders hands: category, then ranks by importance."""
    if len(cards) > 5:
        return max(strength(five) for five in combinations(cards, 5))
    ranks = sorted((card // 4 for card in cards), reverse=True)
    by_count = sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))
    shape = [count for _, count in by_count]
    order = [rank for rank, _ in by_count]
    if len(cards) == 5:
        flush = len({card % 4 for card in cards}) == 1
        straight = len(set(ranks)) == 5 and ranks[0] - ranks[4] == 4
        if ranks == [12, 3, 2, 1, 0]:
            straight, order = True, [3]
        if straight:
            order = order[:1]
        if straight and flush:
            return 8, *order
        if flush:
            return 5, *order
        if straight:
            return 4, *order
    if shape[:1] == [4]:
        return 7, *order
    if shape[:2] == [3, 2]:
        return 6, *order
    if shape[:1] == [3]:
        return 3, *order
    if shape[:2] == [2, 2]:
        return 2, *order
    return (1, *order) if shape[:1] == [2] else (0, *order)
