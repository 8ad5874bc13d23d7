"""CFR on a small game: every member of `engine.cfr.variants`, in double precision.

One iteration goes through the information sets of each player twice, deepest first to update
regrets and top down to update plans, on the sequence form of the tree.  Updates alternate - player
1 already meets the new strategy of player 0 - or are simultaneous, as in the original algorithm.

Hedge's rate counts regrets per unit of the largest counterfactual reach of an information set;
where the step has a variance rate, it is divided by the standard deviation that the set's
counterfactual value has shown so far instead.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.cfr.solver import Which
from engine.cfr.variants import Step
from engine.errors import InvalidGame
from engine.small_games import tabular_kernels as kernels
from engine.small_games.best_response import exploitability, plan_of
from engine.small_games.game_tree import TERMINAL, GameTree
from engine.small_games.sequence_form import largest_cf_reach, sequence_form


class TabularSolver:
    """Regrets and strategies of all information sets; an `engine.cfr.solver.Solver`.

    `form` is the game, `tables` all that is remembered, as in `engine.small_games.tabular_kernels`.
    """

    def __init__(self, tree: GameTree, *, alternating: bool = True) -> None:
        """Start from uniform strategies.

        Args:
            tree: the game.
            alternating: whether player 1 is updated against player 0's new strategy.

        Raises:
            InvalidGame: nobody has anything to decide.
        """
        if not tree.info_sets:
            raise InvalidGame("a game without decisions: nothing to solve")
        self.form = sequence_form(tree)
        self.alternating = alternating
        self._iterations = 0
        payoffs = tree.payoff[tree.player == TERMINAL]
        self._spread = float(payoffs.max() - payoffs.min()) or 1.0
        self.tables = kernels.SolverTables(
            plan=plan_of(self.form, tree.uniform()),
            value=np.zeros(self.form.sequences),
            strategy=tree.uniform(),
            regret=np.zeros(tree.flat_actions),
            strategy_sum=np.zeros(tree.flat_actions),
            reach=largest_cf_reach(tree),
            mean=np.zeros(tree.info_sets),
            scatter=np.zeros(tree.info_sets),
        )

    @property
    def iterations(self) -> int:
        """How often `iterate` was called."""
        return self._iterations

    @property
    def spread(self) -> float:
        """Largest payoff of the game less the smallest, in chips; 1 where all are the same."""
        return self._spread

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

    def current(self) -> NDArray[np.float64]:
        """Return the profile that the next iteration plays."""
        return self.tables.strategy.copy()

    def average(self) -> NDArray[np.float64]:
        """Return the normalised strategy sum, uniform where nothing was added yet."""
        tree = self.form.tree
        totals = np.repeat(
            np.add.reduceat(self.tables.strategy_sum, tree.first_action), tree.action_count
        )
        played = totals > 0
        return np.where(
            played, self.tables.strategy_sum / np.where(played, totals, 1.0), tree.uniform()
        )

    def exploitability(self, which: Which) -> float:
        """Return the mean of both players' best-response values against a profile, in chips."""
        profile = self.current() if which is Which.CURRENT else self.average()
        return exploitability(self.form, profile)
