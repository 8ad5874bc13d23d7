"""Compiled half of `engine.equity.river_rows`: all combos of a complete board in one pass.

    strengths   (1326,) uint16   ranks of the combos on a complete board as `fill_ranks` has them,
                                 0 where the board blocks one
    halves      (1326,) uint16   twice the opponents beaten plus those tied with, out of 2 * 990;
                                 BLOCKED where the board blocks the combo

Each thread has its own scratch.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import as_int, inlined_kernel, kernel
from engine.hands.cards import CARDS, COMBO_CARDS, COMBOS
from engine.hands.combo_kernels import card_set
from engine.hands.isomorphism_kernels import SCRATCH, IndexTables, class_of_cards
from engine.showdown.board_kernels import fill_ranks

HALVES: Final = 1980
"""Halves of a combo that beats all 990 others."""
BLOCKED: Final = HALVES + 1
STRENGTHS: Final = 7464
"""Room for all strengths, 0 included, in whole words of four."""

HIGH: Any = COMBO_CARDS[:, 0].astype(np.int64)
LOW: Any = COMBO_CARDS[:, 1].astype(np.int64)


class RiverRows(NamedTuple):
    """Halves on every board of five cards that differs by more than the names of suits."""

    tables: IndexTables
    """Of the grouping (5,)."""
    halves: NDArray[np.uint16]
    """(134459, 1326) one row per class of boards; (0, 1326): each row is computed when needed."""
    renamed: NDArray[np.int16]
    """(256, 1326) the combo that each combo becomes when suit s is renamed to p_s.

    The row is p_0 + 4 p_1 + 16 p_2 + 64 p_3; only rows of permutations have a meaning.
    """


class BoardScratch(NamedTuple):
    """Scratch of one pass over a board, one per thread; `tally` is all 0 between uses."""

    strengths: NDArray[np.uint16]
    """(1326,)"""
    tally: NDArray[np.uint16]
    """(STRENGTHS,)"""
    order: NDArray[np.int64]
    """(1326,) live combos in ascending order of strength"""
    ends: NDArray[np.int64]
    """(1326,) how many combos there are up to the g-th different strength"""
    held: NDArray[np.int64]
    """(52,) combos seen so far with each card"""
    halves: NDArray[np.uint16]
    """(1326,)"""


def board_scratch() -> BoardScratch:
    """Return new scratch for one thread."""
    return BoardScratch(
        strengths=np.zeros(COMBOS, np.uint16),
        tally=np.zeros(STRENGTHS, np.uint16),
        order=np.zeros(COMBOS, np.int64),
        ends=np.zeros(COMBOS, np.int64),
        held=np.zeros(CARDS, np.int64),
        halves=np.zeros(COMBOS, np.uint16),
    )


# Kernels: arguments are trusted, results go to the last arguments.


@kernel
def order_live_combos(scratch: BoardScratch) -> int:
    """Sort the live combos by `scratch.strengths`; return how many different strengths there are.

    A counting sort: `tally` holds first the number of combos of each strength, then the place of
    the next one.
    """
    strengths, tally, order, ends = (
        scratch.strengths,
        scratch.tally,
        scratch.order,
        scratch.ends,
    )
    for combo in range(COMBOS):
        tally[strengths[combo]] += np.uint16(1)
    tally[0] = 0
    words = tally.view(np.uint64)
    groups = 0
    place = 0
    for word in range(len(words)):
        if words[word] != 0:
            for strength in range(4 * word, 4 * word + 4):
                count = as_int(tally[strength])
                if count > 0:
                    tally[strength] = place
                    place += count
                    ends[groups] = place
                    groups += 1
    for combo in range(COMBOS):
        strength = as_int(strengths[combo])
        if strength > 0:
            order[as_int(tally[strength])] = combo
            tally[strength] += np.uint16(1)
    tally[:] = 0
    return groups


@kernel
def fill_halves(
    board: NDArray[np.uint8], scratch: BoardScratch, halves: NDArray[np.uint16]
) -> None:
    """Write the halves of all combos on a complete board.

    In ascending order of strength, a combo beats all weaker combos less those with one of its
    cards.  Counting its equals as well gives what it beats or ties with; the combo itself is then
    counted once and taken away twice.
    """
    fill_ranks(board, scratch.strengths)
    groups = order_live_combos(scratch)
    order, held = scratch.order, scratch.held
    halves[:] = BLOCKED
    held[:] = 0
    first = 0
    for group in range(groups):
        end = scratch.ends[group]
        for i in range(first, end):
            combo = order[i]
            halves[combo] = first - held[HIGH[combo]] - held[LOW[combo]]
        for i in range(first, end):
            combo = order[i]
            held[HIGH[combo]] += 1
            held[LOW[combo]] += 1
        for i in range(first, end):
            combo = order[i]
            halves[combo] += np.uint16(end - held[HIGH[combo]] - held[LOW[combo]] + 1)
        first = end


@kernel
def halves_of_boards(
    boards: NDArray[np.uint8], scratch: BoardScratch, halves: NDArray[np.uint16]
) -> None:
    """Write the halves on each complete board (N, 5) to halves (N, 1326)."""
    for board in range(len(boards)):
        fill_halves(boards[board], scratch, halves[board])


@inlined_kernel
def renaming_row(suits: NDArray[np.int64]) -> int:
    """Return the row of `RiverRows.renamed` for a board just indexed.

    It renames the suits to those of the class's own board, where the words of the suits ascend;
    suits with equal words hold the same cards.
    """
    row = 0
    for suit in range(4):
        name = 0
        for other in range(4):
            before = suits[other] < suits[suit] or (suits[other] == suits[suit] and other < suit)
            name += as_int(before)
        row |= name << (2 * suit)
    return row


@kernel
def half_wins(
    halves: NDArray[np.uint16], deals: NDArray[np.uint8], counts: NDArray[np.int64]
) -> None:
    """Add to counts (1982,) how many hands have each number of halves.

    Args:
        halves: (N, 1326) of N boards.
        deals: (N,) how many boards each of them stands for.
    """
    for board in range(len(halves)):
        stands_for = as_int(deals[board])
        for combo in range(COMBOS):
            counts[halves[board, combo]] += stands_for


@kernel
def sum_runouts(board: NDArray[np.uint8], rivers: RiverRows, sums: NDArray[np.int64]) -> None:
    """Write for every combo its halves summed over the run-outs of a board.

    Args:
        board: (3,) or (4,) uint8.
        rivers: with all rows computed.
        sums: (1326,) the result, 0 for combos that the board blocks.
    """
    known = len(board)
    suits = np.empty(SCRATCH, np.int64)
    cards = np.empty(5, np.uint8)
    cards[:known] = board
    dead = card_set(board)
    sums[:] = 0
    for first in range(CARDS if known == 3 else 1):
        if known == 3 and dead >> first & 1:
            continue
        if known == 3:
            cards[3] = first
        for second in range(first + 1 if known == 3 else 0, CARDS):
            if dead >> second & 1:
                continue
            cards[4] = second
            row = rivers.halves[class_of_cards(rivers.tables, suits, cards)]
            renamed = rivers.renamed[renaming_row(suits)]
            for combo in range(COMBOS):
                halves = as_int(row[renamed[combo]])
                sums[combo] += halves if halves <= HALVES else 0
