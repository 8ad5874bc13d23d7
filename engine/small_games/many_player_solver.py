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
from engine.small_games import many_player_kernels as kernels
from engine.small_games.game_tree import GameTree
from engine.small_games.largest_reach import largest_cf_reach
from engine.small_games.many_player_form import many_player_form
from engine.small_games.many_player_values import mean_gain, plan_for_all
from engine.small_games.table_solver import SweepSolver


class ManyPlayerSolver(SweepSolver):
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
        self.sides, self.no_pairs = self.form.sides, self.form.no_pairs
        first = tree.uniform() if start is None else start
        plan = plan_for_all(self.form, first)
        super().__init__(tree, plan, first, largest_cf_reach(tree), alternating)

    def write_values(self, player: int) -> None:
        """Write into `tables.value` what a player wins behind its sequences against the plan."""
        tables = self.tables
        kernels.counterfactual_values(player, self.form.ends, tables.plan, tables.value)

    def exploitability(self, which: StrategyKind) -> float:
        """Return the gain of a best response to a profile, mean over the players, in chips."""
        return mean_gain(self.form, self.profile(which))
