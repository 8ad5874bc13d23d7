"""One pass over one board, compiled: down with both players' strategies, up with the values.

A pass enters a board with the reach of both players at the street's roots and plays their
strategies down the forest.  It comes back up with counterfactual values for its `own` players.
Between the two lie the boards of the next street; on the last street, where there are none,
`visit_boards` does whole ranges of boards.  Records as in `engine.range_solver.records`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import always_inline, raw_kernel
from engine.range_solver.play import add_to_average, play_forward
from engine.range_solver.records import (
    MATCHED,
    REGRETS,
    STRATEGY_SUM,
    UPDATE,
    BothPlayers,
    Pass,
    RangeTables,
    StrategyRule,
    StreetPlayer,
)
from engine.range_solver.storage import pack_rows, unpack_rows
from engine.range_solver.values import end_values, values_backward


class NextCards(NamedTuple):
    """The C cards that may follow on a board, from one player's side."""

    stands_for: NDArray[np.int32]
    """(C,) for each card, which of the boards below stands for it."""
    place: NDArray[np.int32]
    """(C, H) where each hand is found there."""
    chance: float
    """Probability of each card."""


def table_rows(which: int, board: int, tables: RangeTables) -> NDArray[np.float32]:
    """Return the (T, H) rows of a table on a board."""
    rows: NDArray[np.float32]
    if len(tables.packed):
        rows = np.empty(tables.packed.shape[2:], np.float32)
        unpack_rows(tables.packed[which, board], tables.scale[which, board], rows)
    else:
        rows = (tables.regret, tables.strategy_sum, tables.matched)[which][board]
    return rows


# Kernels: arguments are trusted, nothing is allocated, results go to the last argument.


@always_inline
def _table(
    which: int, board: int, tables: RangeTables, unpacked: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the (T, H) rows of a table on a board, unpacked where necessary."""
    rows: NDArray[np.float32] = unpacked[which] if len(tables.packed) else tables.regret[board]
    if len(tables.packed):
        unpack_rows(tables.packed[which, board], tables.scale[which, board], rows)
    elif which == MATCHED:
        rows = tables.matched[board]
    elif which == STRATEGY_SUM:
        rows = tables.strategy_sum[board]
    return rows


@always_inline
def _keep_table(which: int, board: int, tables: RangeTables, unpacked: NDArray[np.float32]) -> None:
    """Pack a table that was changed; without packing it was changed in place."""
    if len(tables.packed):
        pack_rows(unpacked[which], tables.scale[which, board], tables.packed[which, board])


@always_inline
def open_board(
    board: int,
    averages: bool,
    rule: StrategyRule,
    wanted: Pass,
    entry_reach: NDArray[np.float32],
    player: StreetPlayer,
) -> None:
    """Play one player's strategy down the forest of a board.

    Args:
        board: its number on the street.
        averages: whether what is played is added to the strategy sum.
        wanted: the pass, for the factors of the sum.
        entry_reach: the player's reach rows on the board before.
        player: its scratch receives reach and strategy.
    """
    side, reach = player.side, player.scratch.reach
    above = side.hands.above[board]
    for root in range(side.roots):
        entry = entry_reach[side.entry_rows[root]]
        row = reach[root]
        for hand in range(row.shape[0]):
            row[hand] = entry[np.uint32(above[hand])]  # unsigned: no check for wrapping around
    source = _table(rule.source, board, player.tables, player.scratch.tables)
    play_forward(board, rule, player, source)
    step = wanted.step
    if averages and step.weight > 0:
        strategy_sum = _table(STRATEGY_SUM, board, player.tables, player.scratch.tables)
        add_to_average(side.roots, reach, step.keep, step.weight, strategy_sum)
        _keep_table(STRATEGY_SUM, board, player.tables, player.scratch.tables)


@raw_kernel
def add_deals(
    first: int,
    last: int,
    cards: NextCards,
    returned: NDArray[np.float32],
    player: StreetPlayer,
    total: NDArray[np.float64],
) -> None:
    """Average what the boards of the next street returned, into the rows of deals first..last-1.

    Args:
        cards: what may be dealt.
        returned: (B, K, H') root values of all K deals on B boards.
        player: its scratch receives the values.
        total: (H,) scratch.
    """
    value, deal_rows = player.scratch.value, player.side.deal_rows
    hands = value.shape[1]
    for deal in range(first, last):
        for hand in range(hands):
            total[hand] = 0.0
        for card in range(len(cards.stands_for)):
            there = returned[cards.stands_for[card], deal]
            at = cards.place[card]
            for hand in range(hands):
                total[hand] += there[np.uint32(at[hand])]  # unsigned: no check for wrapping around
        row = value[deal_rows[deal]]
        for hand in range(hands):
            row[hand] += np.float32(cards.chance * total[hand])


@always_inline
def value_ends(board: int, player: StreetPlayer, rival: StreetPlayer) -> None:
    """Write the values of leaves and ends, given the other player's reach on the board."""
    end_values(board, player, rival)
    rows = player.side.leaf_rows
    for leaf in range(len(rows)):
        told = player.leaf_values[board, leaf]
        row = player.scratch.value[rows[leaf]]
        for hand in range(len(told)):
            row[hand] += told[hand]


@always_inline
def close_board(board: int, wanted: Pass, player: StreetPlayer) -> None:
    """Go up the forest with the values of its ends, and update the regrets in mode UPDATE."""
    tables, scratch = player.tables, player.scratch
    predicts = wanted.step.prediction > 0
    regret = matched = scratch.strategy  # not to be touched
    if wanted.mode == UPDATE:
        regret = _table(REGRETS, board, tables, scratch.tables)
        if predicts:
            matched = scratch.tables[MATCHED] if len(tables.packed) else tables.matched[board]
    values_backward(board, wanted, player, regret, matched)
    if wanted.mode == UPDATE:
        _keep_table(REGRETS, board, tables, scratch.tables)
        if predicts:
            _keep_table(MATCHED, board, tables, scratch.tables)


@raw_kernel
def visit_boards(
    boards: NDArray[np.intp],
    wanted: Pass,
    players: BothPlayers,
    entry_reach: tuple[NDArray[np.float32], NDArray[np.float32]],
    returned: tuple[NDArray[np.float32], NDArray[np.float32]],
) -> None:
    """Make the whole pass on some boards (N,) of the last street.

    `returned` receives the own players' values: (its place among the N, root, hand).
    """
    for number in range(len(boards)):
        board = boards[number]
        for player in range(2):
            averages = wanted.mode == UPDATE and wanted.own >> player & 1 != 0
            rule = wanted.rules[player]
            open_board(board, averages, rule, wanted, entry_reach[player], players[player])
        for player in range(2):
            if wanted.own >> player & 1:
                value_ends(board, players[player], players[1 - player])
                close_board(board, wanted, players[player])
                _return_roots(players[player], returned[player][number])


@always_inline
def _return_roots(player: StreetPlayer, returned: NDArray[np.float32]) -> None:
    value = player.scratch.value
    for root in range(player.side.roots):
        for hand in range(returned.shape[1]):
            returned[root, hand] = value[root, hand]
