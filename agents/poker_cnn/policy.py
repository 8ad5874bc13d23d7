"""Poker-CNN for bulk matches and for the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from agents.poker_cnn.policy_kernels import (
    GREEDY,
    MEMORY,
    PARAMS,
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
    weights: NDArray[np.float32], *, greedy: bool = False, sized: bool = True, seed: int = 0
) -> CompiledPolicy:
    """Return a player.

    Args:
        weights: (WEIGHTS,) float32, finite.
        greedy: whether it takes the action of the highest score, not one drawn by the softmax.
        sized: whether the network says how much to raise; else raises are of the pot.
        seed: of its draws.
    """
    row = np.zeros(PARAMS)
    row[GREEDY], row[SIZED] = greedy, sized
    row[WEIGHTS_AT:].view(np.float32)[:WEIGHTS] = weights
    return CompiledPolicy(FAMILY, row, seed)
