"""CFR over the whole of flop hold'em, with the flop's hands in buckets.

Both players learn from the same walk of an iteration.

    buckets               (F, 1176)  uint16   of the hands in the order of `FlopTables.combo`
    regret, strategy_sum  (B, T)     float64  by bucket and row of `FlopGame`
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.cfr.solver import StrategyKind
from engine.cfr.variants import Step
from engine.flop_holdem.bucket_kernels import add_instants, gather_shares, learn_buckets
from engine.flop_holdem.flop_game import FlopGame
from engine.flop_holdem.solver import (
    BLOCKS,
    FlopCFR,
    Profile,
    add_step,
    flop_sums,
    preflop_instants,
    preflop_reach,
    shares_of_sums,
)
from engine.flop_holdem.walk_kernels import EXPECT
from engine.parallel.threads import run_blocks

_BUCKETS_AT_ONCE: Final = 2000


class FlopHoldemSolver(FlopCFR):
    """Regrets and strategies of one tree and abstraction."""

    def __init__(
        self, game: FlopGame, buckets: NDArray[np.uint16], *, threads: int | None = None
    ) -> None:
        """Start from uniform strategies.

        Args:
            buckets: see the module's table.
            threads: None for one per core.

        Raises:
            ValueError: buckets of another shape.
        """
        if buckets.shape != game.flops.combo.shape or buckets.dtype != np.uint16:
            raise ValueError(f"buckets: want {game.flops.combo.shape} uint16")
        self.buckets: Final = buckets
        shape = (int(buckets.max()) + 1, game.row_count)
        super().__init__(game, shape, np.float64, threads)
        self._groups = game.flop_groups()
        self._instants = np.empty((2, BLOCKS, *self.regret.shape))

    def _update(self, step: Step) -> None:
        profile = self.profile(StrategyKind.CURRENT)
        reach = preflop_reach(self.game, profile.preflop)
        self._instants[:] = 0.0

        def learn(
            block: int,
            flop: int,
            shares: NDArray[np.float32],
            reach: NDArray[np.float64],
            values: NDArray[np.float64],
        ) -> None:
            ways, into = float(self.game.flops.ways[flop]), self._instants[:, block]
            add_instants(self.game.nodes, self.buckets[flop], shares, reach, values, ways, *into)

        def settle(first: int, end: int) -> None:
            learn_buckets(first, end, self._instants, step, self.regret, self.strategy_sum)

        roots = flop_sums(self.game, profile.shares, reach, (EXPECT, EXPECT), self.threads, learn)
        instant, before = preflop_instants(self.game, profile.preflop, reach, roots)
        run_blocks(settle, len(self.regret), _BUCKETS_AT_ONCE, threads=self.threads)
        add_step(self.preflop_regret, self.preflop_sum, instant, before, step)

    def profile(self, which: StrategyKind) -> Profile:
        """Return one of the two profiles, as it is now."""
        current = which is StrategyKind.CURRENT
        source, before = (
            (self.regret, self.preflop_regret) if current else (self.strategy_sum, self.preflop_sum)
        )
        strategy = shares_of_sums(source, self._groups)
        game, buckets = self.game, self.buckets

        def shares(flop: int) -> NDArray[np.float32]:
            found = np.empty((game.row_count, game.flops.live), np.float32)
            gather_shares(strategy, buckets[flop], found)
            return found

        return Profile(shares_of_sums(before, self._preflop_groups), shares)
