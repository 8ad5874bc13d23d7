"""One pass over one board, compiled: down with both players' strategies, up with the values.

A pass enters a board with the reach of both players at the street's roots, plays their strategies
down the forest, and comes back up with counterfactual values for the players it is made for: the
`own` ones, bit 0 for player 0, bit 1 for player 1.  Between the two lie the boards of the next
street; on the last street, where there are none, `visit_boards` does whole ranges of boards.

    Side     what is the same for all boards of a street, for one player
    Tables   what the solver learns, for all boards of a street, for one player
    Work     scratch for one board, for one player; each thread has its own
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cfr.variants import Step
from engine.compiled.jit import kernel
from engine.range_solver.boards import Hands
from engine.range_solver.layout import Decisions, Lanes
from engine.range_solver.play import Play, add_to_average, play_forward
from engine.range_solver.storage import pack_rows, unpack_rows
from engine.range_solver.values import UPDATE, end_values, values_backward

REGRETS: Final = 0
STRATEGY_SUM: Final = 1
MATCHED: Final = 2


class Side(NamedTuple):
    """One player's part of a street."""

    roots: int
    decisions: Decisions
    hands: Hands
    ends: Lanes
    only_folds: int
    some_folds: int
    bare: NDArray[np.int32]
    deal_rows: NDArray[np.int32]
    entry_rows: NDArray[np.int32]
    """Rows of the street before that lead to the roots."""


class Tables(NamedTuple):
    """What one player has learnt on a street; (B, T, H), empty where the storage is the other.

    Rows of 16-bit storage have a scale each: see `range_storage`.
    """

    regret: NDArray[np.float32]
    matched: NDArray[np.float32]
    """Regrets to match; empty until a predicting algorithm runs."""
    strategy_sum: NDArray[np.float32]
    packed: NDArray[np.int16]
    """(K, B, T, H): regrets, strategy sum and, when there is one, the regrets to match."""
    scale: NDArray[np.float32]
    """(K, B, T)."""
    mean: NDArray[np.float32]
    """(B, D, H) mean of each decision's values; (B, 1, 0) until an algorithm asks for variances."""
    scatter: NDArray[np.float32]
    """(B, D, H) sum of their squared distances from it."""


class Work(NamedTuple):
    """Scratch of one player on a board; shapes as in `range_play` and `range_values`."""

    strategy: NDArray[np.float32]
    reach: NDArray[np.float32]
    value: NDArray[np.float32]
    total: NDArray[np.float32]
    lanes: NDArray[np.float32]
    """(2, H, 16): this player's reach at folds and at showdowns; the first one, its values."""
    sums: NDArray[np.float64]
    below: NDArray[np.float64]
    tables: NDArray[np.float32]
    """(3, T, H): the rows of 16-bit tables, unpacked; else empty."""


def table_rows(which: int, board: int, tables: Tables) -> NDArray[np.float32]:
    """Return the (T, H) rows of a table on a board."""
    rows: NDArray[np.float32]
    if len(tables.packed):
        rows = np.empty(tables.packed.shape[2:], np.float32)
        unpack_rows(tables.packed[which, board], tables.scale[which, board], rows)
    else:
        rows = (tables.regret, tables.strategy_sum, tables.matched)[which][board]
    return rows


# Kernels: arguments are trusted, nothing is allocated, results go to the last argument.


@kernel
def _table(which: int, board: int, tables: Tables, work: Work) -> NDArray[np.float32]:
    """Return the (T, H) rows of a table on a board, unpacked where necessary."""
    rows: NDArray[np.float32] = work.tables[which] if len(tables.packed) else tables.regret[board]
    if len(tables.packed):
        unpack_rows(tables.packed[which, board], tables.scale[which, board], rows)
    elif which == MATCHED:
        rows = tables.matched[board]
    elif which == STRATEGY_SUM:
        rows = tables.strategy_sum[board]
    return rows


@kernel
def _keep_table(which: int, board: int, tables: Tables, work: Work) -> None:
    """Pack a table that was changed; without packing it was changed in place."""
    if len(tables.packed):
        pack_rows(work.tables[which], tables.scale[which, board], tables.packed[which, board])


@kernel
def open_board(
    board: int,
    averages: bool,
    play: Play,
    step: Step,
    entry_reach: NDArray[np.float32],
    side: Side,
    tables: Tables,
    work: Work,
) -> None:
    """Play one player's strategy down the forest of a board.

    Args:
        board: which.
        averages: whether what is played is added to the strategy sum.
        play: the strategy.
        step: the factors of the sum.
        entry_reach: the player's reach rows on the board before.
        side: the player.
        tables: its tables.
        work: receives reach and strategy.
    """
    above = side.hands.above[board]
    for root in range(side.roots):
        entry = entry_reach[side.entry_rows[root]]
        row = work.reach[root]
        for hand in range(row.shape[0]):
            row[hand] = entry[np.uint32(above[hand])]  # unsigned: no check for wrapping around
    source = _table(play.source, board, tables, work)
    play_forward(
        side.decisions,
        side.roots,
        source,
        play,
        side.hands.unit[board],
        tables.scatter[board],
        work.total,
        work.strategy,
        work.reach,
    )
    if averages and step.weight > 0:
        strategy_sum = _table(STRATEGY_SUM, board, tables, work)
        add_to_average(side.roots, work.reach, step.keep, step.weight, strategy_sum)
        _keep_table(STRATEGY_SUM, board, tables, work)


@kernel
def add_deals(
    first: int,
    last: int,
    deal_rows: NDArray[np.int32],
    stands_for: NDArray[np.int32],
    place: NDArray[np.int32],
    chance: float,
    returned: NDArray[np.float32],
    value: NDArray[np.float32],
    total: NDArray[np.float64],
) -> None:
    """Average what the boards of the next street returned, into the rows of some deals.

    Args:
        first: the first of the deals.
        last: one after the last.
        deal_rows: (K,) int32 rows of all deals.
        stands_for: (D,) int32 for each card, which of the boards in `returned` stands for it.
        place: (D, H) int32 where each hand is found there.
        chance: probability of a card.
        returned: (C, K, H') root values on C boards.
        value: (R + T + 1, H) receives the values.
        total: (H,) scratch.
    """
    hands = value.shape[1]
    for deal in range(first, last):
        for hand in range(hands):
            total[hand] = 0.0
        for card in range(len(stands_for)):
            there = returned[stands_for[card], deal]
            at = place[card]
            for hand in range(hands):
                total[hand] += there[np.uint32(at[hand])]  # unsigned: no check for wrapping around
        row = value[deal_rows[deal]]
        for hand in range(hands):
            row[hand] += np.float32(chance * total[hand])


@kernel
def value_ends(board: int, side: Side, other: Side, work: Work, other_work: Work) -> None:
    """Write the values of the ends of the hand, given how the other player opened the board."""
    end_values(
        side.hands,
        other.hands,
        board,
        side.ends,
        side.only_folds,
        side.some_folds,
        side.bare,
        other_work.reach,
        other_work.lanes,
        work.lanes[0],
        work.sums,
        work.below,
        work.value,
    )


@kernel
def close_board(
    board: int,
    mode: int,
    step: Step,
    seen: int,
    side: Side,
    tables: Tables,
    work: Work,
) -> None:
    """Go up the forest with the values of its ends, and update the regrets if `mode` says so."""
    regret = matched = work.strategy  # not to be touched
    if mode == UPDATE:
        regret = _table(REGRETS, board, tables, work)
        if step.prediction > 0:
            matched = work.tables[MATCHED] if len(tables.packed) else tables.matched[board]
    values_backward(
        mode,
        step,
        seen,
        side.decisions,
        side.roots,
        work.strategy,
        work.total,
        work.value,
        regret,
        matched,
        tables.mean[board],
        tables.scatter[board],
    )
    if mode == UPDATE:
        _keep_table(REGRETS, board, tables, work)
        if step.prediction > 0:
            _keep_table(MATCHED, board, tables, work)


@kernel
def _return_roots(roots: int, work: Work, returned: NDArray[np.float32]) -> None:
    for root in range(roots):
        for hand in range(returned.shape[1]):
            returned[root, hand] = work.value[root, hand]


@kernel
def visit_boards(
    first: int,
    last: int,
    base: int,
    own: int,
    mode: int,
    plays: tuple[Play, Play],
    step: Step,
    seen: int,
    entry_reach: tuple[NDArray[np.float32], NDArray[np.float32]],
    sides: tuple[Side, Side],
    tables: tuple[Tables, Tables],
    work: tuple[Work, Work],
    returned: tuple[NDArray[np.float32], NDArray[np.float32]],
) -> None:
    """Make the whole pass on the boards first .. last - 1 of the last street.

    `returned` receives the own players' values: (board - base, root, hand).
    """
    for board in range(first, last):
        for player in range(2):
            averages = mode == UPDATE and own >> player & 1 != 0
            open_board(
                board,
                averages,
                plays[player],
                step,
                entry_reach[player],
                sides[player],
                tables[player],
                work[player],
            )
        for player in range(2):
            if own >> player & 1:
                side, mine = sides[player], work[player]
                value_ends(board, side, sides[1 - player], mine, work[1 - player])
                close_board(board, mode, step, seen, side, tables[player], mine)
                _return_roots(side.roots, mine, returned[player][board - base])
