"""Compiled half of `engine.equity.equity_tables`: equity against a random hand, as a level.

halves   twice the deals won plus those tied, over all opponents and all boards to come
level    round(65535 * halves / most), 0 to 65535, halves rounded up; `most` is the halves of a
         hand that always wins.  Only whole numbers are used, so every way to compute a level
         gives the same one.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel
from engine.hands.cards import CARDS, COMBO_CARDS, COMBOS
from engine.hands.combo_kernels import MASKS, card_set, combo_at
from engine.hands.isomorphism_kernels import SCRATCH, IndexTables, class_of_cards
from engine.showdown.board_kernels import fill_ranks

TOP: Final = 65535
"""The level of an equity of 1."""
KNOTS: Final = 1025
"""Equities, 0 to 1 at equal distances, at which the percentile is known."""

_OPPONENTS: Final = 990
"""Hands that two hole cards and a complete board leave."""
RIVER_HALVES: Final = 2 * _OPPONENTS
"""Halves of a hand that always wins, on a complete board."""
_TURN: Final = 46 * RIVER_HALVES
_FLOP: Final = 1081 * RIVER_HALVES
_DEAD_COMBOS: Final = COMBOS - 47 * 46 // 2
"""Combos blocked by a complete board; their rank is 0."""
_DEAD_TWICE: Final = 2 * 5
"""The blocked combos that hold one of two other cards."""
_int: Any = np.int64
_HIGH: Any = COMBO_CARDS[:, 0].astype(np.int64)
_LOW: Any = COMBO_CARDS[:, 1].astype(np.int64)


def _combos_with() -> NDArray[np.int16]:
    """Return (52, 51) the combos with each card."""
    holders = [np.flatnonzero(np.isin(COMBO_CARDS, card).any(axis=1)) for card in range(CARDS)]
    return np.array(holders, np.int16)


_COMBOS_WITH: Any = _combos_with()


class EquityTables(NamedTuple):
    """Levels of all hands up to the turn, and the percentiles of equities."""

    preflop: NDArray[np.uint16]
    """(1326,) by combo."""
    flop_index: IndexTables
    """Of the grouping (2, 3)."""
    flop: NDArray[np.uint16]
    """(1286792,) by class."""
    turn_index: IndexTables
    """Of the grouping (2, 4)."""
    turn: NDArray[np.uint16]
    """(13960050,)"""
    percentiles: NDArray[np.float64]
    """(4, 1025) share of the hands and boards of a street with an equity below k / 1024."""


# Kernels: arguments are trusted, results go to the last argument.


@inlined_kernel
def level_of(halves: int, most: int) -> int:
    """Return the level (int64) of a number of halves."""
    return (2 * TOP * halves + most) // (2 * most)


@kernel
def river_halves(ranks: NDArray[np.uint16], first: int, second: int) -> int:
    """Return the halves (int64) of two hole cards, of 1980, with the ranks of all combos.

    All 1326 combos are counted first, one pass over two kilobytes whose sum stays below 2**16.
    Then the combos that the board or the own cards block are taken away again.  Those of the board
    have rank 0 and are beaten, ten of them hold an own card too; the own combo ties with itself.
    """
    own = ranks[combo_at(first, second)]
    beaten = np.uint16(0)
    for combo in range(COMBOS):
        below = np.uint16(ranks[combo] < own) + np.uint16(ranks[combo] <= own)
        beaten = np.uint16(beaten + below)
    halves: int = _int(beaten) - 2 * _DEAD_COMBOS + 2 * _DEAD_TWICE + 1
    for i in range(CARDS - 1):
        one, other = ranks[_COMBOS_WITH[first, i]], ranks[_COMBOS_WITH[second, i]]
        halves -= _int(one < own) + _int(one <= own) + _int(other < own) + _int(other <= own)
    return halves


@kernel
def exact_level(
    first: int, second: int, board: NDArray[np.uint8], dealt: int, ranks: NDArray[np.uint16]
) -> int:
    """Return the level (int64) of two hole cards after the flop, turn or river.

    board (5,) uint8, of which `dealt` cards are known, the others are overwritten; ranks (1326,) is
    written on.  About a microsecond for each board of five cards.
    """
    dead = card_set(board[:dealt]) | MASKS[combo_at(first, second)]
    halves = 0
    if dealt == 5:
        fill_ranks(board, ranks)
        return level_of(river_halves(ranks, first, second), RIVER_HALVES)
    for turn in range(CARDS if dealt == 3 else 1):
        if dealt == 3:
            if dead >> turn & 1:
                continue
            board[3] = turn
        for river in range(turn + 1 if dealt == 3 else 0, CARDS):
            if dead >> river & 1:
                continue
            board[4] = river
            fill_ranks(board, ranks)
            halves += river_halves(ranks, first, second)
    return level_of(halves, _FLOP if dealt == 3 else _TURN)


@kernel
def levels_of_board(
    board: NDArray[np.uint8],
    index: IndexTables,
    sums: NDArray[np.int64],
    levels: NDArray[np.uint16],
) -> None:
    """Enter the levels of all hands on a board into the table of its street.

    board (3,) or (4,) uint8; index of the grouping (2, 3) or (2, 4); sums (1326,) int64 halves of
    each combo over all boards to come; levels (classes,) uint16.
    """
    suits = np.empty(SCRATCH, np.int64)
    cards = np.empty(2 + len(board), np.uint8)
    cards[2:] = board
    dead = card_set(board)
    most = _FLOP if len(board) == 3 else _TURN
    for combo in range(COMBOS):
        if not dead & MASKS[combo]:
            cards[0] = _HIGH[combo]
            cards[1] = _LOW[combo]
            levels[class_of_cards(index, suits, cards)] = level_of(sums[combo], most)


@inlined_kernel
def percentile_of(percentiles: NDArray[np.float64], street: int, level: int) -> float:
    """Return the share of hands and boards below a level, linear between two knots."""
    place = level * (KNOTS - 1) / TOP
    knot = min(int(place), KNOTS - 2)
    below = percentiles[street, knot]
    share: float = below + (percentiles[street, knot + 1] - below) * (place - knot)
    return share
