"""All flops, and the hands on each in order of strength.

Flops that turn into each other by renaming suits are one of 1755 classes; who plays all suits alike
plays one flop of each.  Of F classes, all or some, with L = 1176 combos on each, weakest first:

    boards     (F, 3)    uint8   one flop of each class
    ways       (F,)      int64   flops of the class; 22100 of all
    combo      (F, L)    int16   combos by strength
    group_end  (F, L)    int16   how many hands are at most as strong as each

Where there are some, the others are not dealt: these come up as often as all would together.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.hands.cards import CARDS
from engine.hands.isomorphism import CanonicalIndex
from engine.showdown.board_ranks import board_ranks

FLOPS: Final = 1755
LIVE: Final = 1176
"""Combos that a flop leaves."""
WAYS: Final = CARDS * (CARDS - 1) * (CARDS - 2) // 6
WAYS_FOR_TWO: Final = (CARDS - 4) * (CARDS - 5) * (CARDS - 6) // 6
"""Flops, and those that two given hands leave."""


class FlopTables(NamedTuple):
    """See the module's table."""

    boards: NDArray[np.uint8]
    ways: NDArray[np.int64]
    combo: NDArray[np.int16]
    group_end: NDArray[np.int16]

    @property
    def ways_for_two(self) -> float:
        """Flops that two given hands leave, on the mean over hands."""
        return WAYS_FOR_TWO * float(self.ways.sum()) / WAYS


@lru_cache(2)
def flop_tables(flops: int = FLOPS) -> FlopTables:
    """Return the tables of so many classes, evenly spread; made once, all in a second.

    Raises:
        ValueError: there are not so many.
    """
    if not 1 <= flops <= FLOPS:
        raise ValueError(f"{flops} flops: want 1 to {FLOPS}")
    index = CanonicalIndex((3,))
    classes = (np.arange(flops) + 0.5) * index.size // flops
    boards = index.cards(classes.astype(np.int64)).astype(np.uint8)
    combo = np.empty((flops, LIVE), np.int16)
    group_end = np.empty((flops, LIVE), np.int16)
    for number, board in enumerate(boards.tolist()):
        ranks = board_ranks(board)
        order = np.argsort(ranks, kind="stable")[-LIVE:]
        combo[number] = order
        group_end[number] = np.searchsorted(ranks[order], ranks[order], side="right")
    return FlopTables(
        boards, index.deals(classes.astype(np.int64)).astype(np.int64), combo, group_end
    )
