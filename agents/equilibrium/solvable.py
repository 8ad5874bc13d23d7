"""What a run solves: a game, its solver, and the model that is made of an average strategy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from agents.equilibrium.model import EquilibriumModel
from engine.small_games.many_player_form import many_player_form
from engine.small_games.many_player_values import expected_values, gains
from engine.small_games.poker_tree import poker_tree
from engine.small_games.table_solver import random_profile
from engine.small_games.tabular import solver_for

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.small_games.game_tree import GameTree
    from engine.small_games.table_solver import TableSolver
    from protocol.gamedef import GameDef


class SavedModel(Protocol):
    """A model that has a file."""

    @property
    def provenance(self) -> dict[str, Any]:
        """How it was made, as plain values."""

    def save(self, path: Path) -> None:
        """Write it.  Raises OSError."""


class Solvable(Protocol):
    """A game to be solved."""

    @property
    def model_name(self) -> str:
        """File of its models."""

    @property
    def bot(self) -> str:
        """Name of the bot that plays them."""

    @property
    def nodes(self) -> int:
        """How large it is."""

    @property
    def info_sets(self) -> int:
        """Number of information sets."""

    def solver(self, *, alternating: bool, rng: np.random.Generator | None) -> TableSolver:
        """Return a solver before its first iteration; with `rng` from a random profile."""

    def model(self, average: NDArray[np.float64], provenance: Mapping[str, Any]) -> SavedModel:
        """Return a profile as a model, rounded as in a file and measured so.

        Its provenance has "exploitability" and "values", what each position wins, in chips.
        """


class WrittenOut:
    """Any small game, all of it as a tree."""

    model_name: Final = "model.equilibrium"
    bot: Final = "equilibrium"

    def __init__(self, game: GameDef) -> None:
        """Write the game out.  Raises InvalidGame where it is too large for that."""
        self._game: Final = game
        self.tree: Final[GameTree] = poker_tree(game)

    @property
    def nodes(self) -> int:
        """How large it is."""
        return self.tree.nodes

    @property
    def info_sets(self) -> int:
        """Number of information sets."""
        return self.tree.info_sets

    def solver(self, *, alternating: bool, rng: np.random.Generator | None) -> TableSolver:
        """Return a solver before its first iteration; see `Solvable`.

        Raises:
            InvalidGame: nobody has a decision.
        """
        start = None if rng is None else random_profile(self.tree, rng)
        return solver_for(self.tree, alternating=alternating, start=start)

    def model(
        self, average: NDArray[np.float64], provenance: Mapping[str, Any]
    ) -> EquilibriumModel:
        """Return a profile as a model; see `Solvable`."""
        bare = EquilibriumModel.of_profile(self._game, self.tree, average, {})
        exploitability, values = measured(self.tree, bare.profile(self.tree))
        facts = {**provenance, "exploitability": exploitability, "values": values}
        return EquilibriumModel.of_profile(self._game, self.tree, average, facts)


def measured(tree: GameTree, profile: NDArray[np.float64]) -> tuple[float, list[float]]:
    """Return a profile's exploitability, exactly, and what each position wins with it; chips."""
    form = many_player_form(tree)
    return float(gains(form, profile).mean()), expected_values(form, profile).tolist()
