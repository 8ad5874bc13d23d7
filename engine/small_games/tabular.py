"""CFR on a small game for two: every member of `engine.cfr.variants`, in float64.

One iteration goes through the information sets of each player twice on the sequence form of the
tree: deepest first to update regrets and top down to update plans.  Updates alternate - player 1
already meets the new strategy of player 0 - or are simultaneous, as in the original algorithm.

Hedge's rate counts regrets per unit of the largest counterfactual reach of an information set.
Where the step has a variance rate, that is divided by the standard deviation of the set's
counterfactual values so far instead.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.cfr.solver import StrategyKind
from engine.cfr.variants import Step
from engine.small_games import tabular_kernels as kernels
from engine.small_games.best_response import exploitability, realization_plan
from engine.small_games.game_tree import GameTree
from engine.small_games.largest_reach import largest_cf_reach
from engine.small_games.many_player_solver import ManyPlayerSolver
from engine.small_games.sequence_form import sequence_form
from engine.small_games.table_solver import TableSolver


class TabularSolver(TableSolver):
    """Solves a game for two in which one wins what the other one loses; `form` is the game."""

    def __init__(
        self,
        tree: GameTree,
        *,
        alternating: bool = True,
        start: NDArray[np.float64] | None = None,
    ) -> None:
        """Set up the tables.

        Args:
            alternating: whether player 1 is updated against player 0's new strategy.
            start: what the first iteration plays; None: uniform.

        Raises:
            InvalidGame: no player has a decision, or the game is not zero-sum for two.
            ValueError: `start` is not a profile of the game.
        """
        self.form = sequence_form(tree)
        first = tree.uniform() if start is None else start
        plan = realization_plan(self.form, first)
        super().__init__(tree, plan, first, largest_cf_reach(tree), alternating)

    def iterate(self, step: Step) -> None:
        """Run one iteration for both players."""
        self._iterations += 1
        kernels.iterate(
            self.form.sides,
            self.form.pairs,
            self.tables,
            step,
            self._iterations,
            self.alternating,
        )

    def exploitability(self, which: StrategyKind) -> float:
        """Return the mean of both players' best-response values against a profile, in chips."""
        return exploitability(self.form, self.profile(which))


def solver_for(
    tree: GameTree,
    *,
    alternating: bool = True,
    start: NDArray[np.float64] | None = None,
) -> TableSolver:
    """Return the fastest solver for a game; arguments and errors as for `TabularSolver`."""
    kind = TabularSolver if tree.is_two_player_zero_sum else ManyPlayerSolver
    return kind(tree, alternating=alternating, start=start)
