"""CFR on an abstract game of hold'em whose hands remember: every member of `engine.cfr.variants`.

Values of ends come from products with the tables of chance; the rest is the sweep of small games.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.cfr.solver import StrategyKind
from engine.small_games.bucket_game import BucketGame
from engine.small_games.table_solver import SweepSolver
from engine.small_games.tabular_kernels import best_response, make_plan
from engine.small_games.tree_values import check_profile


class BucketSolver(SweepSolver):
    """Solves an abstract game for two, in which one wins what the other one loses."""

    def __init__(
        self,
        game: BucketGame,
        *,
        alternating: bool = True,
        start: NDArray[np.float64] | None = None,
    ) -> None:
        """Set up the tables.

        Args:
            alternating: whether player 1 is updated against player 0's new strategy.
            start: what the first iteration plays; None: uniform.

        Raises:
            ValueError: `start` is not a profile of the game.
        """
        self.buckets = game
        self.sides, self.no_pairs = game.sides, game.no_pairs
        first = game.uniform() if start is None else start
        super().__init__(game, plan_of(game, first), first, game.largest_reach, alternating)

    def write_values(self, player: int) -> None:
        """Write into `tables.value` what a player wins behind its sequences against the plan."""
        self.buckets.values(player, self.tables.plan, self.tables.value)

    def exploitability(self, which: StrategyKind) -> float:
        """Return the mean of both players' best-response values against a profile, in chips."""
        return exploitability(self.buckets, self.profile(which))


def exploitability(game: BucketGame, profile: NDArray[np.float64]) -> float:
    """Return the mean of both players' best-response values against a profile, in chips.

    Raises:
        ValueError: the profile does not fit the game.
    """
    plan, won = plan_of(game, profile), 0.0
    for player, side in enumerate(game.sides):
        value = game.values(player, plan, np.empty(game.sequences))
        without_acting = float(value[side.root])
        choice = np.empty(len(side.parent), np.int32)
        won += without_acting + best_response(side, game.no_pairs, plan, value, choice)
    return won / 2


def expected_value(game: BucketGame, profile: NDArray[np.float64]) -> float:
    """Return what player 0 wins when both play a profile, in chips.

    Raises:
        ValueError: the profile does not fit the game.
    """
    plan = plan_of(game, profile)
    return float(plan @ game.values(0, plan, np.empty(game.sequences)))  # 0 behind others' acts


def plan_of(game: BucketGame, profile: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (S,) the reach of each sequence by its owner alone.

    Raises:
        ValueError: the profile does not fit the game.
    """
    check_profile(game, profile)
    plan = np.empty(game.sequences)
    for side in game.sides:
        make_plan(side, np.ascontiguousarray(profile), plan)
    return plan
