"""An evolved player for bulk matches and for the table."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from agents.astar.play.memory import memory_size
from agents.astar.play.policy_kernels import GENOME, RESETS, decide
from agents.astar.play.senses_kernels import finish, observe
from agents.recurrent.sizes import SIZES
from engine.play.compiled_policy import CompiledPolicy, Family

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.recurrent.shape import NetShape


@cache
def family_of(shape: NetShape) -> Family:
    """Return the family of players with networks of a shape."""
    params = GENOME + (shape.genome + 1) // 2
    return Family("evolved", decide, observe, finish, params, memory_size(shape))


def evolved_policy(
    shape: NetShape, genome: NDArray[np.float32], resets: int, seed: int = 0
) -> CompiledPolicy:
    """Return a player.

    Args:
        shape: of its network.
        genome: (G,) float32, all weights.
        resets: which stacks begin each hand anew, see `agents.recurrent.sizes`.
        seed: of its draws.

    Raises:
        ValueError: the genome is of another length, or not finite.
    """
    if genome.shape != (shape.genome,):
        raise ValueError(f"a genome of {genome.shape}: want ({shape.genome},)")
    if not np.isfinite(genome).all():
        raise ValueError("a genome with numbers that are none")
    family = family_of(shape)
    row = np.zeros(family.params)
    row[:SIZES] = shape.sizes.view(np.float64)
    row[RESETS] = resets
    row[GENOME:].view(np.float32)[: shape.genome] = genome
    return CompiledPolicy(family, row, seed)
