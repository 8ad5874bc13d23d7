"""What the actions at one place win if both players then play a fixed strategy: sampled values.

Each deal is played out once behind each action of the first decision, so all of them meet the same
cards.  The fixed strategy stands in a table of MCCFR in place of regrets: matching such "regrets"
gives the probabilities themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.betting.info_sets import (
    ACTION_BITS,
    CHILD_SHIFT,
    CHIPS_SHIFT,
    MAX_STREETS,
    PLACE_BITS,
    STREET_SHIFT,
    InfoSets,
)
from engine.compiled import rows
from engine.compiled.jit import raw_kernel
from engine.compiled.lanes import aligned_zeros
from engine.compiled.splitmix import random_word
from engine.mccfr.kernels import row_of
from engine.mccfr.opponent_kernels import uniform
from engine.mccfr.records import DealBatch, MccfrTables
from engine.mccfr.sample_deals import DealSource

BATCH: Final = 4096
"""Deals that are made and played at once."""

_float: Any = np.float32


class Playouts(NamedTuple):
    """What was won so far, by the actor's B buckets of the first street and the A actions."""

    won: NDArray[np.float64]
    """(B, A) chips, sums over deals."""
    squares: NDArray[np.float64]
    """(B, A) the sums of their squares."""
    deals: NDArray[np.int64]
    """(B,) how often each bucket was dealt."""

    @property
    def mean(self) -> NDArray[np.float64]:
        """(B, A) chips a deal; 0 for buckets that were never dealt."""
        return self.won / np.maximum(self.deals, 1)[:, None]

    @property
    def error(self) -> NDArray[np.float64]:
        """(B, A) standard errors of the mean, chips."""
        count = np.maximum(self.deals, 1)[:, None]
        return np.sqrt(np.maximum(self.squares / count - self.mean**2, 0) / count)


def play_out(
    info_sets: InfoSets,
    strategy: Callable[[int], NDArray[np.float32]],
    source: DealSource,
    deals: int,
    generator: np.random.Generator,
) -> Iterator[Playouts]:
    """Play deals out behind each action of the tree's first decision; yield after each batch.

    Args:
        info_sets: of a tree whose first street is that of the first decision.
        strategy: (B, A) probabilities by decision of at least two actions.
    """
    tree = info_sets.tree
    cells = aligned_zeros(info_sets.cells, np.float32)
    for node in np.flatnonzero(info_sets.offset >= 0).tolist():
        actions = int(tree.child_count[node])
        info_sets.rows_of(cells, node)[:, :actions] = strategy(node)
    tables = MccfrTables(info_sets.walk, info_sets.start, info_sets.width, cells, cells)
    player, actions = int(tree.kind[0]), int(tree.child_count[0])
    buckets = info_sets.buckets[0]
    found = Playouts(
        np.zeros((buckets, actions)), np.zeros((buckets, actions)), np.zeros(buckets, np.int64)
    )
    first, ends = np.zeros(2 * MAX_STREETS, np.int64), np.zeros(4, np.float32)
    for begin in range(0, deals, BATCH):
        count = min(BATCH, deals - begin)
        batch = source.deal(generator.integers(0, 1 << 64, count, np.uint64))
        won = np.empty((count, actions), np.float32)
        _play_batch(tables, batch, first, ends, won)
        exact = won.astype(np.float64) * (1 if player == 0 else -1)
        held = batch.bucket[:, player, 0]
        np.add.at(found.won, held, exact)
        np.add.at(found.squares, held, exact**2)
        np.add.at(found.deals, held, 1)
        yield found


# Kernels: arguments are trusted, results go to the last argument.


@raw_kernel
def _play_batch(
    tables: MccfrTables,
    deals: DealBatch,
    first: NDArray[np.int64],
    ends: NDArray[np.float32],
    won: NDArray[np.float32],
) -> None:
    """Write (K, A) float32 what player 0 wins behind each action of the first decision."""
    walk = tables.walk
    for deal in range(len(deals.key)):
        for player in range(2):
            for street in range(deals.bucket.shape[2]):
                first[player * MAX_STREETS + street] = (
                    tables.start[player, street]
                    + deals.bucket[deal, player, street] * tables.width[player, street]
                )
        ends[0] = _float(1)
        ends[1] = _float(deals.result[deal])
        begin = walk[0] >> CHILD_SHIFT & PLACE_BITS
        for i in range(walk[0] & ACTION_BITS):
            step = walk[begin + i]
            while step & ACTION_BITS != 0:
                every = (1 << (step & ACTION_BITS)) - 1
                child = step >> CHILD_SHIFT & PLACE_BITS
                share = rows.load(tables.regret, row_of(step, first), every)
                at = uniform(random_word(deals.key[deal], child)) * rows.total(share)
                step = walk[child + rows.reached(rows.running(share), at, every >> 1)]
            won[deal, i] = ends[step >> STREET_SHIFT & 1] * _float(step >> CHIPS_SHIFT)
