"""The boards of the last street, and the hands on each in order of strength.

Flops that turn into each other by renaming suits are one of 1755 classes; who plays all suits alike
plays one flop of each.  Of F classes, all or some, with L = 1176 combos on each, weakest first:

    boards     (F, 3)    uint8   one flop of each class
    ways       (F,)      int64   flops of the class; 22100 of all
    combo      (F, L)    int16   combos by strength
    group_end  (F, L)    int16   how many hands are at most as strong as each
    edges      (F, L, L) float32 run-outs on which a hand beats another, less those on which it
                                 loses, of all: 0 for hands that share a card

    known      (K,)      int16   combos that can be held before: all 1326 of them
    hand       (1326,)   int16   how players tell these apart before: 169 starting hands

Where there are some, the others are not dealt: these come up as often as all would together.

The turn game has the turns of one flop in place of the flops: F = 49 boards of four cards, L =
1128, and before the turn each of K = 1176 combos is a hand of its own.  The rest of this room
speaks of flops and starting hands alone, and does the same there.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.equity.equity_kernels import count_showdowns
from engine.equity.runouts import list_runouts
from engine.hands.cards import CARDS, COMBO_MASKS, COMBOS
from engine.hands.isomorphism import CanonicalIndex
from engine.hands.starting_hands import COMBO_STARTING_HAND
from engine.parallel.threads import run_blocks
from engine.showdown.board_ranks import board_ranks

FLOPS: Final = 1755
RUNOUTS_FOR_TWO: Final = (CARDS - 7) * (CARDS - 8) // 2
"""Turns with rivers that two given hands leave."""


class FlopTables(NamedTuple):
    """See the module's table."""

    boards: NDArray[np.uint8]
    ways: NDArray[np.int64]
    combo: NDArray[np.int16]
    group_end: NDArray[np.int16]
    known: NDArray[np.int16]
    hand: NDArray[np.int16]
    dealt: int
    """Cards that come with the last street: 3, or 1."""
    edges: NDArray[np.float32] | None = None
    """Of `run_out`; None: hands are shown as they are on the flop."""

    @property
    def live(self) -> int:
        """Combos that a board leaves."""
        return len(self.combo[0])

    @property
    def combos(self) -> NDArray[np.intp]:
        """(H,) how many combos each hand has."""
        return np.bincount(self.hand[self.known])

    @property
    def ways_for_two(self) -> float:
        """Boards that two given hands leave, on the mean over hands."""
        left = CARDS - self.boards.shape[1] + self.dealt
        return float(self.ways.sum()) * comb(left - 4, self.dealt) / comb(left, self.dealt)

    @property
    def pairs(self) -> int:
        """Pairs of hands that two players can hold before."""
        left = CARDS - self.boards.shape[1] + self.dealt
        return len(self.known) * comb(left - 2, 2)

    def by_hand(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (H,) the sums over the combos of each hand, of (1326,) by combo."""
        found = np.zeros(len(self.combos))
        np.add.at(found, self.hand[self.known], values[self.known])
        return found


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
    ways = index.deals(classes.astype(np.int64)).astype(np.int64)
    everyone = np.arange(COMBOS, dtype=np.int16)
    return FlopTables(
        boards, ways, *_by_strength(boards), everyone, COMBO_STARTING_HAND.astype(np.int16), 3
    )


@lru_cache(2)
def turn_tables(flop: tuple[int, int, int]) -> FlopTables:
    """Return the tables of the turns of one flop.

    Raises:
        ValueError: the cards are no flop.
    """
    turns = [card for card in range(CARDS) if card not in flop]
    boards = np.array([(*flop, card) for card in turns], np.uint8)
    known = np.flatnonzero(board_ranks(flop)).astype(np.int16)
    hand = np.zeros(COMBOS, np.int16)
    hand[known] = np.arange(len(known))
    return FlopTables(boards, np.ones(len(turns), np.int64), *_by_strength(boards), known, hand, 1)


def _by_strength(boards: NDArray[np.uint8]) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Return (F, L) the combos on each board, weakest first, and where those as strong end."""
    combo, group_end = [], []
    for board in boards.tolist():
        ranks = board_ranks(board)
        order = np.argsort(ranks, kind="stable")[np.count_nonzero(ranks == 0) :]
        combo.append(order)
        group_end.append(np.searchsorted(ranks[order], ranks[order], side="right"))
    return np.array(combo, np.int16), np.array(group_end, np.int16)


def run_out(tables: FlopTables, threads: int | None = None) -> FlopTables:
    """Return the same flops where two more cards come, without bets, before hands are shown.

    A flop takes a second and 5.5 MB.

    Args:
        threads: None for one per core.
    """
    edges = np.empty((len(tables.ways), tables.live, tables.live), np.float32)

    def work(first: int, end: int) -> None:
        for flop in range(first, end):
            edges[flop] = _edges(tables.boards[flop].tolist(), tables.combo[flop])

    run_blocks(work, len(edges), 1, threads=threads)
    return tables._replace(edges=edges)


def _edges(board: list[int], combos: NDArray[np.int16]) -> NDArray[np.float64]:
    lost, tied = np.zeros((2, len(combos), COMBOS), np.int32)
    count_showdowns(*list_runouts(board, 2), combos.astype(np.int32), lost, tied)
    lost = lost[:, combos]
    masks = COMBO_MASKS[combos]
    apart = (masks[:, None] & masks) == 0
    found: NDArray[np.float64] = (lost.T - lost) * apart / RUNOUTS_FOR_TWO
    return found
