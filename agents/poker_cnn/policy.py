"""Poker-CNN for bulk matches and for the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from agents.poker_cnn.policy_kernels import (
    GREEDY,
    MEMORY,
    PARAMS,
    SHARPNESS,
    SIZED,
    WEIGHTS_AT,
    decide,
    finish,
    observe,
)
from agents.poker_cnn.shape import WEIGHTS
from engine.play.compiled_policy import CompiledPolicy, Family

if TYPE_CHECKING:
    from numpy.typing import NDArray

FAMILY: Final = Family("cnn", decide, observe, finish, PARAMS, MEMORY)


def cnn_policy(
    weights: NDArray[np.float32],
    *,
    greedy: bool = False,
    sized: bool = True,
    sharpness: float = 1.0,
    seed: int = 0,
) -> CompiledPolicy:
    """Return a player.

    Args:
        weights: (WEIGHTS,) float32, finite.
        greedy: whether it takes the action of the highest score, not one drawn by the softmax.
        sized: whether the network says how much to raise; else raises are of the pot.
        sharpness: inverse temperature: scores are multiplied by it before one is drawn, above 1
            likely actions become likelier.
    """
    row = np.zeros(PARAMS)
    row[GREEDY], row[SIZED], row[SHARPNESS] = greedy, sized, sharpness
    row[WEIGHTS_AT:].view(np.float32)[:WEIGHTS] = weights
    return CompiledPolicy(FAMILY, row, seed)
