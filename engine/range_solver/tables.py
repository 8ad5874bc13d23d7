"""What the vector solver learns, and the memory it takes.

tables     per street and player: regrets and strategy sums, 4 bytes an entry, or 2 and a scale per
           row.  Two more kinds are added when an algorithm first needs them: regrets to match for
           prediction, mean and scatter for variances
scratch    for one board per street, thread and player
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from engine.compiled.lanes import LANES, aligned_zeros
from engine.errors import OutOfMemory
from engine.hands.cards import CARDS
from engine.range_solver.game import RangeGame
from engine.range_solver.records import MATCHED, REGRETS, RangeTables, Scratch

FLOAT32: Final = "float32"
INT16: Final = "int16"

Level = tuple[RangeTables, RangeTables]
Space = tuple[Scratch, Scratch]


class AuxTables(NamedTuple):
    """Which tables are kept beyond regrets and strategy sums."""

    matched: bool = False
    """Regrets to match."""
    spread: bool = False
    """Mean and scatter of values."""


class Memory(NamedTuple):
    """Bytes that a solver holds."""

    tables: int
    boards: int
    work: int

    @property
    def total(self) -> int:
        """The sum of all fields."""
        return sum(self)


def allocate(game: RangeGame, storage: str) -> list[Level]:
    """Return tables of zeros for every street, of `FLOAT32` or `INT16`."""
    levels = []
    for level in range(game.levels):
        first, second = (_tables(_shape(game, level, player), storage) for player in (0, 1))
        levels.append((first, second))
    return levels


def with_matched(tables: RangeTables) -> RangeTables:
    """Return tables with room for regrets to match, which begin as copies of the regrets."""
    if len(tables.packed):
        packed = aligned_zeros((MATCHED + 1, *tables.packed.shape[1:]), np.int16)
        scale = aligned_zeros((MATCHED + 1, *tables.scale.shape[1:]), np.float32)
        packed[:MATCHED], packed[MATCHED] = tables.packed, tables.packed[REGRETS]
        scale[:MATCHED], scale[MATCHED] = tables.scale, tables.scale[REGRETS]
        return tables._replace(packed=packed, scale=scale)
    matched = aligned_zeros(tables.regret.shape, np.float32)
    matched[:] = tables.regret
    return tables._replace(matched=matched)


def with_spread(tables: RangeTables, decisions: int) -> RangeTables:
    """Return tables with room for mean and scatter of the values of that many decisions."""
    shape = tables.packed.shape[1:] if len(tables.packed) else tables.regret.shape
    mean, scatter = (aligned_zeros((shape[0], decisions, shape[2]), np.float32) for _ in range(2))
    return tables._replace(mean=mean, scatter=scatter)


def workspace(game: RangeGame, level: int, storage: str) -> Space:
    """Return scratch for one board of a street."""
    first, second = (_scratch(game, level, player, storage) for player in (0, 1))
    return first, second


def memory_needed(game: RangeGame, storage: str, threads: int, aux: AuxTables) -> Memory:
    """Return the memory that a solver takes, before anything is allocated."""
    tables = work = 0
    entry, scale, unpacked = (4, 0, 0) if storage == FLOAT32 else (2, 4, 3)
    kinds = 3 if aux.matched else 2
    for level in range(game.levels):
        street = game.streets[level]
        spaces = threads if level else 1
        for player in (0, 1):
            boards, rows, hands = _shape(game, level, player)
            tables += kinds * boards * rows * (hands * entry + scale)
            if aux.spread:
                tables += 8 * boards * len(street.decisions[player].node) * hands
            per_hand = (3 + unpacked) * rows + 2 * (street.roots + 1) + 4 * LANES + 1
            work += 4 * hands * (per_hand * spaces + boards * len(street.leaf_nodes))
            if level:
                most = game.most_boards_below(level - 1)
                work += 4 * hands * most * street.roots * (threads if level > 1 else 1)
    work += 2 * 4 * game.hands.count * len(game.leaves)
    return Memory(tables, sum(boards.nbytes for boards in game.boards), work)


def check_memory(needed: Memory, limit: int | None) -> None:
    """Raise OutOfMemory, whose message says how much is needed, above the limit."""
    if limit is not None and needed.total > limit:
        raise OutOfMemory(
            f"this subgame needs {needed.total / 2**20:.0f} MiB of memory, "
            f"{limit / 2**20:.0f} MiB are allowed: fewer bet sizes or 16-bit storage take less"
        )


def _shape(game: RangeGame, level: int, player: int) -> tuple[int, int, int]:
    """Return boards B, rows T and padded hands H of a player on a street."""
    street = game.streets[level]
    hands = game.boards[level].hands[player]
    return len(hands.combo), street.rows[player] - street.roots, hands.width


def _tables(shape: tuple[int, int, int], storage: str) -> RangeTables:
    is_packed = storage == INT16
    nothing = aligned_zeros((0, 0, 0), np.float32)
    unknown = aligned_zeros((shape[0], 1, 0), np.float32)
    return RangeTables(
        regret=nothing if is_packed else aligned_zeros(shape, np.float32),
        matched=nothing,
        strategy_sum=nothing if is_packed else aligned_zeros(shape, np.float32),
        packed=aligned_zeros((MATCHED, *shape) if is_packed else (0, 0, 0, 0), np.int16),
        scale=aligned_zeros((MATCHED, *shape[:2]) if is_packed else (0, 0, 0), np.float32),
        mean=unknown,
        scatter=unknown,
    )


def _scratch(game: RangeGame, level: int, player: int, storage: str) -> Scratch:
    _, rows, hands = _shape(game, level, player)
    every = rows + game.streets[level].roots + 1
    return Scratch(
        strategy=aligned_zeros((rows, hands), np.float32),
        reach=aligned_zeros((every, hands), np.float32),
        value=aligned_zeros((every, hands), np.float32),
        total=aligned_zeros(hands, np.float32),
        lanes=aligned_zeros((2, hands, LANES), np.float32),
        sums=aligned_zeros((CARDS, LANES), np.float64),
        below=aligned_zeros((hands, LANES), np.float64),
        tables=aligned_zeros((3 if storage == INT16 else 0, rows, hands), np.float32),
    )
