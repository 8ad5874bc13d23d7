"""Vector-form CFR over a few flops of flop hold'em, where each hand is by itself.

Where there are few flops no buckets are needed: what is found is exact, up to the iterations.  The
betting may begin at any decision before the flop, where ranges are known, or behind a gadget.

    regret, strategy_sum          (F, T, L)  float32  by flop, row of `FlopGame` and hand
    preflop_regret, preflop_sum   (H, P)     float64
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.cfr.solver import StrategyKind
from engine.cfr.variants import Step
from engine.flop_holdem.flop_game import FlopGame
from engine.flop_holdem.solver import (
    FlopCFR,
    Profile,
    add_step,
    flop_sums,
    preflop_instants,
    preflop_reach,
    shares_of_sums,
    values_before_flop,
)
from engine.flop_holdem.walk_kernels import EXPECT, learn_hands, match_hands
from engine.hands.cards import COMBOS
from engine.hands.ranges import compatible_reach
from engine.range_solver.root import RootGadget

_ROOT: Final = "root_"


class FlopHandSolver(FlopCFR):
    """Regrets and strategies of one tree."""

    def __init__(
        self,
        game: FlopGame,
        ranges: NDArray[np.float64] | None = None,
        root: RootGadget | None = None,
        *,
        threads: int | None = None,
    ) -> None:
        """Start from uniform strategies.

        Args:
            ranges: (2, 1326) with what reach both come to the root; None: every hand.
            root: how much of that comes; None for all.
            threads: None for one per core; results do not depend on it.
        """
        self.ranges: Final = np.ones((2, COMBOS)) if ranges is None else ranges
        self.root: Final = root
        shape = (len(game.flops.ways), game.row_count, game.flops.live)
        super().__init__(game, shape, np.float32, threads)

    def _update(self, step: Step) -> None:
        for player in (0, 1):
            self._learn(player, step)

    def _learn(self, player: int, step: Step) -> None:
        profile = self.profile(StrategyKind.CURRENT)
        entering = 1.0 if self.root is None else self.root.reach(StrategyKind.CURRENT)
        reach = preflop_reach(self.game, profile.preflop, self.ranges * entering)
        how = (EXPECT, None) if player == 0 else (None, EXPECT)

        def learn(
            _block: int,
            flop: int,
            shares: NDArray[np.float32],
            reach: NDArray[np.float64],
            values: NDArray[np.float64],
        ) -> None:
            tables = self.regret[flop], self.strategy_sum[flop]
            learn_hands(self.game.nodes, player, step, shares, reach, values, *tables)

        roots = flop_sums(self.game, profile.shares, reach, how, self.threads, learn)
        instant, played = preflop_instants(self.game, profile.preflop, reach, roots)
        for actor, first, end in self._preflop_groups:
            if actor == player:
                rows = np.s_[:, first:end]
                tables = self.preflop_regret[rows], self.preflop_sum[rows]
                add_step(*tables, instant[rows], played[rows], step)
        if self.root is not None:
            values = values_before_flop(self.game, profile.preflop, reach, roots, (EXPECT, EXPECT))
            met = compatible_reach(self.ranges[1 - player])
            won = np.divide(values[0, player], met, out=np.zeros(COMBOS), where=met > 0)
            self.root.observe(player, won, step)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return all that is learnt, the root's too, and the number of iterations."""
        root = {} if self.root is None else self.root.state()
        return super().state() | {_ROOT + name: one for name, one in root.items()}

    def resume(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Take up what an equal solver has learnt.

        Raises:
            KeyError, ValueError: it is of another game or another gadget.
        """
        super().resume(state)
        if self.root is not None:
            names = [name for name in state if name.startswith(_ROOT)]
            self.root.resume({name.removeprefix(_ROOT): state[name] for name in names})

    def profile(self, which: StrategyKind) -> Profile:
        """Return one of the two profiles, as it is now."""
        current = which is StrategyKind.CURRENT
        source = self.regret if current else self.strategy_sum
        before = self.preflop_regret if current else self.preflop_sum

        def shares(flop: int) -> NDArray[np.float32]:
            found = np.empty(source.shape[1:], np.float32)
            match_hands(self.game.nodes, source[flop], found)
            return found

        return Profile(shares_of_sums(before, self._preflop_groups), shares)
