"""CFR on a small game for any number of players: every member of `engine.cfr.variants`.

Each player's regrets are those against chance and all others together.  Updates are simultaneous or
alternate, where a player meets the new strategies of those before it.  With three players and more
average strategies have no guarantee to approach an equilibrium;
`engine.small_games.many_player_values` measures them and says what the measure means.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.cfr.solver import StrategyKind
from engine.cfr.variants import Step
from engine.small_games import many_player_kernels as kernels
from engine.small_games.game_tree import GameTree
from engine.small_games.many_player_form import many_player_form
from engine.small_games.many_player_values import mean_gain, plan_for_all
from engine.small_games.table_solver import TableSolver
from engine.small_games.tabular_kernels import update_average, update_regrets


class ManyPlayerSolver(TableSolver):
    """Solves a game for any number of players; `form` is the game."""

    def __init__(
        self,
        tree: GameTree,
        *,
        alternating: bool = True,
        start: NDArray[np.float64] | None = None,
    ) -> None:
        """Set up the tables.

        Args:
            alternating: whether players are updated against the new strategies of those before.
            start: what the first iteration plays; None: uniform.

        Raises:
            InvalidGame: no player has a decision.
            ValueError: `start` is not a profile of the game.
        """
        self.form = many_player_form(tree)
        first = tree.uniform() if start is None else start
        super().__init__(tree, plan_for_all(self.form, first), first, alternating)

    def iterate(self, step: Step) -> None:
        """Run one iteration for all players."""
        self._iterations += 1
        form, sides, tables = self.form, self.form.sides, self.tables
        for player, side in enumerate(sides):
            kernels.counterfactual_values(player, form.ends, tables.plan, tables.value)
            update_regrets(side, form.no_pairs, tables, step, self._iterations)
            if self.alternating:
                update_average(side, tables, step)
        if not self.alternating:
            for side in sides:
                update_average(side, tables, step)

    def exploitability(self, which: StrategyKind) -> float:
        """Return the gain of a best response to a profile, mean over the players, in chips."""
        return mean_gain(self.form, self.profile(which))
