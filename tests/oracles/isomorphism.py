"""Canonical deals the long way: of all 24 renamings of the suits, the smallest result."""

from collections.abc import Sequence
from itertools import permutations


def canonical(groups: Sequence[int], cards: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the same for exactly the deals that differ in names of suits and order in groups."""
    return min(renamed(groups, cards, suits) for suits in permutations(range(4)))


def renamed(
    groups: Sequence[int], cards: Sequence[int], suits: Sequence[int]
) -> tuple[tuple[int, ...], ...]:
    """Return the groups, each sorted, with suit s turned into suits[s]."""
    left = [4 * (card // 4) + suits[card % 4] for card in cards]
    result = []
    for size in groups:
        result.append(tuple(sorted(left[:size])))
        left = left[size:]
    return tuple(result)
