"""Number hands so that renaming suits changes nothing: perfect indices of (hole, board).

Cards are dealt in G groups, each an unordered set; a grouping is the tuple of their sizes:

    (2,)  (2, 3)  (2, 3, 1)  (2, 3, 1, 1)    hole cards and board, street by street
    (2, 4)  (2, 5)                           the same, the order of the board forgotten
    (3,)  (4,)  (5,)  (3, 1)  (3, 1, 1)      boards alone
    (2, 2)                                   two hands, first against second

Deals that turn into each other by renaming suits, and by shuffling cards within a group, form a
class.  The classes of a grouping are numbered 0..size-1 without a gap:

    cards    (N, K) uint8   rows of K = sum(groups) cards, group after group
    classes  (N,)   int64

How: what one suit holds of each group is a sequence of rank sets.  Its sizes are the suit's
`profile` (a number below P, mixed radix over the groups, the first group least significant), the
sets themselves its `position`: each set in colexicographic order among the ranks the earlier
groups left over, mixed radix again.  Suits being interchangeable, a deal is the multiset of its
four (profile, position) pairs: sorted, the profiles choose a block of consecutive classes, and
the positions a place in it, suits of equal profile together as a multiset.  The idea is that of
Waugh, "A fast and optimal hand isomorphism algorithm", AAAI workshop 2013.

Blocks are found without sorting profiles first: every profile has a code such that the sum of
the four codes differs from block to block (`_profile_codes`).  The numbering is part of bucket
files, do not change it; tests/golden pins some of it.  Kernels call `isomorphism_kernels`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, groupby
from math import comb, prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.hands.isomorphism_kernels import (
    PROFILE_SHIFT,
    SCRATCH,
    IndexTables,
    cards_of_rows,
    classes_of_rows,
    deals_of_rows,
)

MAX_CARDS: Final = 7

_CARDS: Final = 52
_RANKS: Final = 13
_SUITS: Final = 4
_Block = tuple[int, ...]
"""The profiles of the four suits, ascending."""


class CanonicalIndex:
    """The numbering of one grouping; building one takes milliseconds.

    Attributes:
        groups: cards in each group.
        size: number of classes.
        tables: what the kernels of `isomorphism_kernels` want.
    """

    def __init__(self, groups: Iterable[int]) -> None:
        """Build the tables; `groups` are the cards in each group.

        Raises:
            ValueError: a group is empty, or there are no cards or more than 7.
        """
        self.groups: Final = tuple(groups)
        if not self.groups or min(self.groups) < 1 or sum(self.groups) > MAX_CARDS:
            raise ValueError(f"groups {self.groups}: want 1 to {MAX_CARDS} cards, no empty group")
        self.tables, self.size = _build_tables(self.groups)

    def index(self, cards: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return the classes of some deals.

        Args:
            cards: (N, K) uint8, the groups one after another, in any order within a group.

        Returns:
            (N,) int64.

        Raises:
            ValueError: the shape or dtype differs, a value is no card, or a row names one twice.
        """
        width = sum(self.groups)
        if cards.dtype != np.uint8 or cards.ndim != 2 or cards.shape[1] != width:
            raise ValueError(f"cards: want (N, {width}) uint8, got {cards.shape} {cards.dtype}")
        if cards.size and int(cards.max()) >= _CARDS:
            raise ValueError(f"cards: {int(cards.max())} is no card")
        classes = np.empty(len(cards), np.int64)
        repeated = classes_of_rows(
            self.tables,
            np.require(cards, requirements=["C", "W"]),
            np.empty(SCRATCH, np.int64),
            classes,
        )
        if repeated >= 0:
            raise ValueError(f"cards: row {repeated} names a card twice")
        return classes

    def cards(self, classes: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Return one deal of each class; `index` takes it back to that class.

        Args:
            classes: (N,) int64.

        Returns:
            (N, K) uint8, the highest card of each group first.

        Raises:
            ValueError: the shape or dtype differs, or there is no such class.
        """
        cards = np.empty((len(classes), sum(self.groups)), np.uint8)
        cards_of_rows(self.tables, self._checked(classes), np.empty(SCRATCH, np.int64), cards)
        return cards

    def deals(self, classes: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Return the number of deals, 1 to 24, that each class stands for.

        Over all classes they add up to all deals: C(52, 2) * C(50, 3) for (2, 3).

        Args:
            classes: (N,) int64.

        Returns:
            (N,) uint8.

        Raises:
            ValueError: the shape or dtype differs, or there is no such class.
        """
        deals = np.empty(len(classes), np.uint8)
        deals_of_rows(self.tables, self._checked(classes), np.empty(SCRATCH, np.int64), deals)
        return deals

    def _checked(self, classes: NDArray[np.int64]) -> NDArray[np.int64]:
        if classes.dtype != np.int64 or classes.ndim != 1:
            raise ValueError(f"classes: want (N,) int64, got {classes.shape} {classes.dtype}")
        if classes.size and not 0 <= int(classes.min()) <= int(classes.max()) < self.size:
            raise ValueError(f"classes: want 0..{self.size - 1}")
        return np.require(classes, requirements=["C", "W"])


def _build_tables(groups: tuple[int, ...]) -> tuple[IndexTables, int]:
    """Return the tables of a grouping and its number of classes."""
    weights = [prod(size + 1 for size in groups[:g]) for g in range(len(groups))]
    profiles = prod(size + 1 for size in groups)
    counts = [
        [profile // weight % (size + 1) for weight, size in zip(weights, groups, strict=True)]
        for profile in range(profiles)
    ]
    positions = [_positions(group_counts) for group_counts in counts]
    blocks = list(_blocks(groups, counts, (), profiles - 1))
    codes = _profile_codes(blocks, counts)

    by_code = {sum(codes[profile] for profile in block): block for block in blocks}
    rows = np.zeros((max(by_code) + 1, 8), np.int64)
    size = 0
    widest = 1
    for code in range(len(rows)):
        rows[code, 0] = size
        if code in by_code:
            block = by_code[code]
            factors, places = _factors(block, positions)
            rows[code, 1:4] = factors[1:]
            rows[code, 4:] = block
            size += places
            alike = [positions[p] for p, suits in groupby(block) if len(list(suits)) > 1]
            widest = max([widest, *alike])
    multisets = [[comb(x + j, j + 1) for x in range(widest)] for j in range(_SUITS)]
    tables = IndexTables(
        groups=np.array(groups, np.int64),
        steps=np.array([weight << PROFILE_SHIFT for weight in weights], np.int64),
        counts=np.array(counts, np.int64),
        positions=np.array(positions, np.int64),
        codes=np.array(codes, np.int64),
        blocks=rows,
        multisets=np.array(multisets, np.int64),
    )
    return tables, size


def _positions(group_counts: Iterable[int]) -> int:
    """Return in how many ways one suit can hold the given number of cards of each group."""
    free = _RANKS
    ways = 1
    for cards in group_counts:
        ways *= comb(free, cards)
        free -= cards
    return ways


def _blocks(
    remaining: Iterable[int], counts: list[list[int]], prefix: _Block, highest: int
) -> Iterator[_Block]:
    """Yield every choice of four profiles, ascending, that together hold `remaining` more cards."""
    if len(prefix) == _SUITS:
        if not any(remaining):
            yield prefix
        return
    for profile in range(highest, -1, -1):
        rest = [cards - count for cards, count in zip(remaining, counts[profile], strict=True)]
        if min(rest) >= 0:
            yield from _blocks(rest, counts, (profile, *prefix), profile)


def _factors(block: _Block, positions: list[int]) -> tuple[list[int], int]:
    """Return what the place of each suit in its block is multiplied by, and the block's size."""
    factors: list[int] = []
    places = 1
    for profile, suits in groupby(block):
        alike = len(list(suits))
        factors += [places] * alike
        places *= comb(positions[profile] + alike - 1, alike)
    return factors, places


def _profile_codes(blocks: list[_Block], counts: list[list[int]]) -> list[int]:
    """Return a code for each profile such that the sum over four suits tells blocks apart.

    Profiles take the lowest code that keeps them so, one after another.  For that any choices of
    one to three profiles that hold the same cards must have different sums too: else two blocks
    that differ in them alone could not be told apart later.
    """
    parts = {part for block in blocks for n in range(1, 5) for part in combinations(block, n)}
    by_last: dict[int, list[_Block]] = {}
    for part in sorted(parts):
        by_last.setdefault(part[-1], []).append(part)
    codes = [0] * len(counts)
    taken: set[tuple[int, ...]] = set()
    for last, ending in sorted(by_last.items()):
        holdings = [
            (len(part), *map(sum, zip(*(counts[p] for p in part), strict=True))) for part in ending
        ]
        while (sums := _sums(ending, holdings, codes, taken)) is None:
            codes[last] += 1
        taken |= sums
    return codes


def _sums(
    parts: list[_Block],
    holdings: list[tuple[int, ...]],
    codes: list[int],
    taken: set[tuple[int, ...]],
) -> set[tuple[int, ...]] | None:
    """Return each part's sum of codes with what it holds, or None if two would be the same."""
    sums: set[tuple[int, ...]] = set()
    for part, cards in zip(parts, holdings, strict=True):
        key = (sum([codes[profile] for profile in part]), *cards)
        if key in taken or key in sums:
            return None
        sums.add(key)
    return sums
