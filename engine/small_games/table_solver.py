"""What the solvers of small games share: float64 tables and the profiles they hold."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.cfr.solver import StrategyKind
from engine.cfr.variants import Step
from engine.errors import InvalidGame
from engine.small_games.game_tree import InformationSets
from engine.small_games.sequence_form import Pairs, PlayerSequences
from engine.small_games.tabular_kernels import SolverTables, update_average, update_regrets
from engine.small_games.tree_values import check_profile

_NEVER_NEGATIVE: Final = ("plan", "strategy_sum", "reach", "scatter")


class TableSolver(ABC):
    """Regrets and strategies of all information sets; an `engine.cfr.solver.Solver`.

    `game` has them; `tables` is the whole state, as in `engine.small_games.tabular_kernels`.
    """

    def __init__(
        self,
        game: InformationSets,
        plan: NDArray[np.float64],
        start: NDArray[np.float64],
        reach: NDArray[np.float64],
        alternating: bool,
    ) -> None:
        """Start from a profile and its plan.

        Args:
            reach: (I,) largest counterfactual reach of each information set.

        Raises:
            InvalidGame: no player has a decision.
            ValueError: the profile does not fit the game.
        """
        if not game.info_sets:
            raise InvalidGame("a game without decisions: nothing to solve")
        check_profile(game, start)
        self.game = game
        self.alternating = alternating
        self._iterations = 0
        self._spread = game.spread
        self.tables = SolverTables(
            plan=plan,
            value=np.zeros(len(plan)),
            strategy=np.array(start),
            regret=np.zeros(game.flat_actions),
            strategy_sum=np.zeros(game.flat_actions),
            reach=reach,
            mean=np.zeros(game.info_sets),
            scatter=np.zeros(game.info_sets),
        )

    @property
    def iterations(self) -> int:
        """How often `iterate` was called."""
        return self._iterations

    @property
    def spread(self) -> float:
        """Largest payoff of the game less the smallest, in chips; 1 where all are the same."""
        return self._spread

    @abstractmethod
    def iterate(self, step: Step) -> None:
        """Run one iteration for all players."""

    @abstractmethod
    def exploitability(self, which: StrategyKind) -> float:
        """Return the gain of a best response to a profile, mean over the players, in chips."""

    def profile(self, which: StrategyKind) -> NDArray[np.float64]:
        """Return one of the two profiles."""
        return self.current() if which is StrategyKind.CURRENT else self.average()

    def current(self) -> NDArray[np.float64]:
        """Return the profile that the next iteration plays."""
        return self.tables.strategy.copy()

    def average(self) -> NDArray[np.float64]:
        """Return the normalised strategy sum, uniform where nothing was added yet."""
        game, sums = self.game, self.tables.strategy_sum
        totals = np.repeat(np.add.reduceat(sums, game.first_action), game.action_count)
        played = totals > 0
        return np.where(played, sums / np.where(played, totals, 1.0), game.uniform())

    def restore(self, iterations: int, tables: Mapping[str, NDArray[Any]]) -> None:
        """Set the state of another solver of the game, given its iterations and tables.

        Raises:
            KeyError: a table is missing.
            ValueError: a table has another size or impossible values, or the iterations are
                negative.
        """
        if iterations < 0:
            raise ValueError(f"{iterations} iterations")
        for name, table in self.tables._asdict().items():
            array = tables[name]
            if array.shape != table.shape or array.dtype != table.dtype:
                raise ValueError(f"{name} is {array.dtype} {array.shape}, want {table.shape}")
            if not np.isfinite(array).all() or (name in _NEVER_NEGATIVE and (array < 0).any()):
                raise ValueError(f"{name} holds numbers that no solver has")
        check_profile(self.game, np.asarray(tables["strategy"]))
        for name, table in self.tables._asdict().items():
            table[:] = tables[name]
        self._iterations = iterations


class SweepSolver(TableSolver):
    """A solver that writes all values behind a player's sequences, then sweeps its regrets."""

    sides: tuple[PlayerSequences, ...]
    """One for each player."""
    no_pairs: Pairs
    """An empty list."""

    @abstractmethod
    def write_values(self, player: int) -> None:
        """Write into `tables.value` what a player wins behind its sequences against the plan."""

    def iterate(self, step: Step) -> None:
        """Run one iteration for all players."""
        self._iterations += 1
        tables = self.tables
        for player, side in enumerate(self.sides):
            self.write_values(player)
            update_regrets(side, self.no_pairs, tables, step, self._iterations)
            if self.alternating:
                update_average(side, tables, step)
        if not self.alternating:
            for side in self.sides:
                update_average(side, tables, step)


def random_profile(game: InformationSets, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return a profile drawn uniformly from the simplex of each information set."""
    weights = rng.exponential(size=game.flat_actions)
    totals = np.add.reduceat(weights, game.first_action)
    drawn: NDArray[np.float64] = weights / np.repeat(totals, game.action_count)
    return drawn
