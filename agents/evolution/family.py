"""A kind of player that evolves: what its network takes in and gives, and how it plays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from agents.recurrent.shape import NetShape
    from engine.play.compiled_policy import CompiledPolicy, Family

EVOLUTION_GAME = "hunl"


@dataclass(frozen=True, slots=True)
class EvolvedFamily:
    """Players whose networks differ in their sizes and weights only."""

    name: str
    summary: str
    """What evolves, after "Evolve "."""
    configs: Path
    """Folder of the configs that come along."""
    opponent_inputs: int
    game_inputs: int
    outputs: int
    activation: str
    """Of hidden layers, one of `engine.networks.dense.ACTIVATIONS`."""
    compiled: Callable[[NetShape], Family]
    """Returns the compiled players with networks of a shape, the same object each time."""

    def fits(self, shape: NetShape) -> bool:
        """Return whether a network has the inputs and outputs of this family's players."""
        family_layout = (self.opponent_inputs, self.game_inputs, self.outputs, self.activation)
        shape_layout = (shape.opponent_inputs, shape.game_inputs, shape.outputs, shape.activation)
        return family_layout == shape_layout

    def policy(
        self, shape: NetShape, genome: NDArray[np.float32], resets: int, seed: int = 0
    ) -> CompiledPolicy:
        """Return a player.

        Args:
            shape: of its network.
            genome: (G,) float32, all weights.
            resets: which stacks begin each hand anew, see `agents.recurrent.shape`; of no effect
                where both begin anew at each decision, as with players that look ahead.
            seed: of its draws, of which some families make no use.

        Raises:
            ValueError: the genome is of another length, or not finite.
        """
        from agents.recurrent.shape import player_row
        from engine.play.compiled_policy import CompiledPolicy

        return CompiledPolicy(self.compiled(shape), player_row(shape, genome, resets), seed)
