"""ASHE 2.0 for bulk matches and for the table, and as it evolves."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.ashe.second.memory import FOLD_INPUTS, OUTPUTS, WIN_INPUTS, memory_size
from agents.ashe.second.policy_kernels import decide, finish, observe
from agents.evolution.family import EvolvedFamily
from agents.recurrent.player_row import player_row, row_size
from engine.play.compiled_policy import CompiledPolicy, Family

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agents.recurrent.shape import NetShape


@cache
def family_of(shape: NetShape) -> Family:
    """Return the family of players with networks of a shape."""
    return Family("ashe-2", decide, observe, finish, row_size(shape), memory_size(shape))


def second_policy(
    shape: NetShape, genome: NDArray[np.float32], resets: int, seed: int = 0
) -> CompiledPolicy:
    """Return a player.

    Args:
        shape: of its network.
        genome: (G,) float32, all weights.
        resets: of no effect: both stacks begin anew at each decision.
        seed: of its draws.

    Raises:
        ValueError: the genome is of another length, or not finite.
    """
    return CompiledPolicy(family_of(shape), player_row(shape, genome, resets), seed)


ASHE_2: Final = EvolvedFamily(
    name="ashe-2",
    summary="two estimators, of wins and of folds, for ASHE 2.0",
    configs=Path(__file__).with_name("configs"),
    opponent_inputs=WIN_INPUTS,
    game_inputs=FOLD_INPUTS,
    outputs=OUTPUTS,
    activation="tanh",
    policy=second_policy,
)
