"""ASHE for bulk matches and for the table, and as it evolves."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.ashe.policy_kernels import GENOME, INPUTS, NET, RESETS, decide, finish, observe
from agents.evolution.family import EvolvedFamily
from agents.recurrent.sizes import SIZES
from engine.play.compiled_policy import CompiledPolicy, Family

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.recurrent.shape import NetShape


@cache
def family_of(shape: NetShape) -> Family:
    """Return the family of players with networks of a shape."""
    params = GENOME + (shape.genome + 1) // 2
    memory = NET + (INPUTS + shape.state + shape.work + 1) // 2
    return Family("ashe", decide, observe, finish, params, memory)


def ashe_policy(
    shape: NetShape, genome: NDArray[np.float32], resets: int, seed: int = 0
) -> CompiledPolicy:
    """Return a player.

    Args:
        shape: of its network.
        genome: (G,) float32, all weights.
        resets: which stacks begin each hand anew, see `agents.recurrent.sizes`.
        seed: of its draws, of which it makes no use.

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


ASHE: Final = EvolvedFamily(
    name="ashe",
    summary="a network that says how many chips a hand is worth",
    configs=Path(__file__).with_name("configs"),
    opponent_inputs=INPUTS,
    game_inputs=INPUTS,
    outputs=1,
    activation="tanh",
    policy=ashe_policy,
)
