"""ASHE for bulk matches and for the table, and as it evolves."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.ashe.policy_kernels import INPUTS, NET, decide, finish, observe
from agents.evolution.family import EvolvedFamily
from agents.recurrent.shape import player_row, row_size
from engine.play.compiled_policy import CompiledPolicy, Family

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agents.recurrent.shape import NetShape


@cache
def family_of(shape: NetShape) -> Family:
    """Return the family of players with networks of a shape."""
    memory = NET + (INPUTS + shape.state + shape.work + 1) // 2
    return Family("ashe", decide, observe, finish, row_size(shape), memory)


def ashe_policy(
    shape: NetShape, genome: NDArray[np.float32], resets: int, seed: int = 0
) -> CompiledPolicy:
    """Return a player.

    Args:
        shape: of its network.
        genome: (G,) float32, all weights.
        resets: which stacks begin each hand anew, see `agents.recurrent.shape`.
        seed: of its draws, of which it makes no use.

    Raises:
        ValueError: the genome is of another length, or not finite.
    """
    return CompiledPolicy(family_of(shape), player_row(shape, genome, resets), seed)


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
