"""What is done with whole tables of MCCFR between traversals: scaling, measuring, merging.

A table is laid out as `engine.betting.info_sets` says; regrets are float32 or int32, strategy sums
float32 in the same memory.  A `Block` has the rows of one player on one street:

    offset, actions   (R,) int64   first cell and actions of each row, within the cells of a bucket
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.betting.info_sets import MAX_STREETS, InfoSets
from engine.compiled import rows
from engine.compiled.jit import raw_kernel

_float: Any = np.float32


class Block(NamedTuple):
    """Rows of one player on one street; see the module's text."""

    start: int
    width: int
    buckets: int
    offset: NDArray[np.int64]
    actions: NDArray[np.int64]


def blocks_of(info_sets: InfoSets) -> tuple[Block, ...]:
    """Return the blocks that have rows."""
    tree, offset = info_sets.tree, info_sets.offset
    blocks = []
    for player in range(2):
        for street in range(MAX_STREETS):
            here = np.flatnonzero((offset >= 0) & (tree.kind == player) & (tree.street == street))
            if len(here):
                here = here[np.argsort(offset[here])]
                blocks.append(
                    Block(
                        int(info_sets.start[player, street]),
                        int(info_sets.width[player, street]),
                        info_sets.buckets[street],
                        offset[here],
                        tree.child_count[here].astype(np.int64),
                    )
                )
    return tuple(blocks)


# Kernels: arguments are trusted, nothing is allocated.


@raw_kernel
def scale_rows(
    block: Block,
    first: int,
    last: int,
    regret: NDArray[Any],
    strategy_sum: NDArray[np.float32],
    factors: tuple[float, float, float],
) -> None:
    """Multiply the rows of buckets first..last-1 by three float32 factors.

    In order: for positive regrets, for negative ones and for strategy sums.
    """
    positive = rows.spread(factors[0] - _float(1))
    negative = rows.spread(factors[1] - _float(1))
    keep = rows.spread(factors[2])
    low, high = _float(-np.inf), _float(np.inf)
    for bucket in range(first, last):
        for row in range(len(block.actions)):
            count = block.actions[row]
            cell = block.start + bucket * block.width + block.offset[row]
            every = (1 << count) - 1
            old = rows.load(regret, cell, every)
            above = rows.positive(old)
            change = above * positive + (old - above) * negative
            rows.grow(regret, cell, change, low, high, every)
            sums = rows.load(strategy_sum, cell + count, every)
            rows.store(strategy_sum, cell + count, sums * keep, every)


@raw_kernel
def positive_regrets(block: Block, first: int, last: int, regret: NDArray[Any]) -> float:
    """Return the sum of the positive regrets in buckets first..last-1, a float64."""
    found = 0.0
    for bucket in range(first, last):
        for row in range(len(block.actions)):
            cell = block.start + bucket * block.width + block.offset[row]
            every = (1 << block.actions[row]) - 1
            found += rows.total(rows.positive(rows.load(regret, cell, every)))
    return found


@raw_kernel
def merge_parts(
    base: NDArray[np.float32], parts: NDArray[np.float32], first: int, last: int, floor: float
) -> None:
    """Add to cells first..last-1 the mean gain of P tables (P, C) since all were equal.

    All become the result, which is not below `floor` (float32).
    """
    share = _float(1) / _float(len(parts))
    for cell in range(first, last):
        old = base[cell]
        gained = _float(0)
        for part in range(len(parts)):
            gained += parts[part, cell] - old
        new = max(old + gained * share, floor)
        base[cell] = new
        for part in range(len(parts)):
            parts[part, cell] = new
