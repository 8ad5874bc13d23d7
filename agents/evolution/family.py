"""A kind of player that evolves: what its network takes in and gives, and how it plays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from agents.recurrent.shape import NetShape

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
    policy: Callable[..., Any]
    """From shape, genome, resets and the seed of the draws to the compiled policy."""

    def fits(self, shape: NetShape) -> bool:
        """Return whether a network has the inputs and outputs of this family's players."""
        family_layout = (self.opponent_inputs, self.game_inputs, self.outputs, self.activation)
        shape_layout = (shape.opponent_inputs, shape.game_inputs, shape.outputs, shape.activation)
        return family_layout == shape_layout
