"""Compiled half of `engine.networks.board_network`: what numpy would need many passes for."""

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel

MOST_DENSITY = 20.0
HANDS_ON_A_TURN = 1128.0


# Kernels: arguments are trusted, nothing is allocated, results go to the last argument.


@kernel
def fill_bucket_inputs(
    shares: NDArray[np.float32],
    equity: NDArray[np.float32],
    hands: NDArray[np.float32],
    moments: NDArray[np.float32],
    inputs: NDArray[np.float32],
) -> None:
    """Write (N, B, 11) inputs; shapes as in `bucket_inputs`, `hands` and `moments` with N rows."""
    buckets = shares.shape[2]
    for row in range(len(shares)):
        for player in range(2):
            weaker = 0.0
            for bucket in range(buckets):
                share, into = shares[row, player, bucket], inputs[row, bucket]
                density = share * buckets
                into[player] = min(density, MOST_DENSITY)
                into[2 + player] = np.log1p(density)
                into[4 + player] = 2 * weaker + share - 1
                into[6 + player] = 2 * equity[row, player, bucket]
                weaker += share
        for bucket in range(buckets):
            into = inputs[row, bucket]
            into[8] = hands[row, bucket] * (buckets / HANDS_ON_A_TURN)
            into[9] = 2 * moments[row, 0, bucket] - 1
            into[10] = 4 * moments[row, 1, bucket] - 1


@kernel
def rectify(bias: NDArray[np.float32], hidden: NDArray[np.float32]) -> None:
    """Add biases (N, H) to (N, B, H), and cut off what is negative."""
    for row in range(len(hidden)):
        for bucket in range(hidden.shape[1]):
            numbers = hidden[row, bucket]
            for unit in range(len(numbers)):
                numbers[unit] = max(numbers[unit] + bias[row, unit], np.float32(0))


@kernel
def add_rectified(
    moved: NDArray[np.float32], bias: NDArray[np.float32], hidden: NDArray[np.float32]
) -> None:
    """Add what is positive of `moved` (M, H) plus biases (H,) to (M, H)."""
    for row in range(len(hidden)):
        numbers, more = hidden[row], moved[row]
        for unit in range(len(numbers)):
            numbers[unit] += max(more[unit] + bias[unit], np.float32(0))
