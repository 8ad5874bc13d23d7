"""A card abstraction in which hands remember their earlier buckets: perfect recall, few buckets.

The buckets of each street of another abstraction are joined in groups, and a hand's number on a
street says its group there and on all streets before:

    number before the flop   g0
    number on the flop       g0 * G1 + g1            G1 groups of the flop's buckets
    number on the turn       (g0 * G1 + g1) * G2 + g2, and so on

So an abstract game of these numbers can be solved like any small game, and best responses in it are
exact.  Groups are of neighbouring buckets, whose strengths ascend, and about equally likely.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from operator import mul
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.abstraction.buckets import PREFLOP, STREETS, CardAbstraction, board_cards_on

GROUPS: Final = tuple(f"{street}_groups" for street in ("preflop", "flop", "turn", "river"))
"""Names of the parts: (B,) uint16, the group of each bucket of a street."""


class BucketSequences(CardAbstraction):
    """Numbers hands by their groups on all streets so far; boards come in the order of the deal."""

    def __init__(self, *, verify: bool = True, **parts: Any) -> None:
        """Put the parts of the other abstraction and the `GROUPS` together.

        Raises:
            ValueError: as from `CardAbstraction`, or groups do not fit its buckets.
        """
        groups = {name: parts.pop(name) for name in GROUPS if name in parts}
        super().__init__(**parts, verify=verify)
        if groups.keys() != set(GROUPS):
            raise ValueError(f"bucket sequences: want {', '.join(GROUPS)}")
        self._groups: Final = tuple(_checked(groups[name], name) for name in GROUPS)
        for name, group, buckets in zip(GROUPS, self._groups, self.counts, strict=True):
            if len(group) != buckets:
                raise ValueError(f"{name}: {len(group)} groups for {buckets} buckets")
        self._widths: Final = tuple(int(group.max()) + 1 for group in self._groups)
        self.counts = tuple(accumulate(self._widths, mul))
        self.parts.update(groups)

    @classmethod
    def joined(
        cls, cards: CardAbstraction, widths: Sequence[int], masses: Sequence[NDArray[np.float64]]
    ) -> BucketSequences:
        """Join the buckets of an abstraction.

        Args:
            widths: (4,) groups wanted on each street; there are fewer where one bucket is enough
                for several.
            masses: of each street (B,) how often each bucket comes.

        Raises:
            ValueError: a street has fewer buckets than groups.
        """
        parts: dict[str, Any] = dict(cards.parts)
        for name, width, mass in zip(GROUPS, widths, masses, strict=True):
            parts[name] = joined_buckets(mass, width)
        return cls(**parts, provenance=cards.provenance)

    def buckets(self, board: Sequence[int]) -> NDArray[np.int32]:
        """Return the number of every combo on a board; see `CardAbstraction.buckets`."""
        combo_buckets = super().buckets(board)
        numbers = np.zeros(len(combo_buckets), np.int32)
        for street, seen in _boards(board):
            here = combo_buckets if len(seen) == len(board) else super().buckets(seen)
            numbers = numbers * self._widths[street] + self._groups[street][here]
        return np.where(combo_buckets < 0, np.int32(-1), numbers)

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Return the number of one hand; see `CardAbstraction.bucket`."""
        super().bucket(hole, board)
        number = 0
        for street, seen in _boards(board):
            group = self._groups[street][super().bucket(hole, seen)]
            number = number * self._widths[street] + int(group)
        return number

    def buckets_of_deals(self, deals: NDArray[np.uint8], players: int = 2) -> NDArray[np.int32]:
        """Return the numbers of all players; see `CardAbstraction.buckets_of_deals`."""
        numbers = super().buckets_of_deals(deals, players)
        for street, group in enumerate(self._groups):
            numbers[:, :, street] = group[numbers[:, :, street]]
            if street > PREFLOP:
                numbers[:, :, street] += numbers[:, :, street - 1] * self._widths[street]
        return numbers


def card_abstraction(parts: Mapping[str, Any], **options: Any) -> CardAbstraction:
    """Return the abstraction of some parts: of bucket sequences where there are groups.

    Raises:
        TypeError, ValueError: as from the constructors.
    """
    kind = BucketSequences if parts.keys() & set(GROUPS) else CardAbstraction
    return kind(**parts, **options)


def joined_buckets(mass: NDArray[np.float64], width: int) -> NDArray[np.uint16]:
    """Return (B,) uint16, neighbouring buckets joined in about equally likely groups.

    Args:
        mass: (B,) how often each bucket comes.

    Raises:
        ValueError: there are fewer buckets than groups, or none ever comes.
    """
    if not 1 <= width <= len(mass) or not mass.sum() > 0:
        raise ValueError(f"{width} groups: want 1 to {len(mass)}, of buckets that come")
    middle = (np.cumsum(mass) - mass / 2) / mass.sum()
    _, groups = np.unique(np.minimum(np.floor(middle * width), width - 1), return_inverse=True)
    return groups.astype(np.uint16)


def _boards(board: Sequence[int]) -> list[tuple[int, Sequence[int]]]:
    """Return the streets up to a board's, and the cards seen on each."""
    sizes = map(board_cards_on, range(STREETS))
    return [(street, board[:size]) for street, size in enumerate(sizes) if size <= len(board)]


def _checked(groups: Any, name: str) -> NDArray[np.uint16]:
    if not isinstance(groups, np.ndarray) or groups.dtype != np.uint16 or groups.ndim != 1:
        raise ValueError(f"{name}: want (B,) uint16")
    if not len(groups) or set(groups.tolist()) != set(range(int(groups.max()) + 1)):
        raise ValueError(f"{name}: groups are left out")
    return groups
