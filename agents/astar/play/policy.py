"""An evolved player for bulk matches and for the table."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from agents.astar.play.memory import memory_size
from agents.astar.play.policy_kernels import decide
from agents.astar.play.senses_kernels import finish, observe
from agents.recurrent.shape import player_row, row_size
from engine.play.compiled_policy import CompiledPolicy, Family

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agents.recurrent.shape import NetShape


@cache
def family_of(shape: NetShape) -> Family:
    """Return the family of players with networks of a shape."""
    return Family("evolved", decide, observe, finish, row_size(shape), memory_size(shape))


def evolved_policy(
    shape: NetShape, genome: NDArray[np.float32], resets: int, seed: int = 0
) -> CompiledPolicy:
    """Return a player.

    Args:
        shape: of its network.
        genome: (G,) float32, all weights.
        resets: which stacks begin each hand anew, see `agents.recurrent.shape`.

    Raises:
        ValueError: the genome is of another length, or not finite.
    """
    return CompiledPolicy(family_of(shape), player_row(shape, genome, resets), seed)
