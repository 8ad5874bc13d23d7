"""Compiled half of `engine.rules.dealing`, apart from it so that a dealer never loads numba."""

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel

# Kernels: arguments are trusted, nothing is allocated, results go to the last argument.


@kernel
def deal_hands(
    outputs: NDArray[np.uint32],
    fresh: NDArray[np.uint8],
    deck: NDArray[np.uint8],
    out: NDArray[np.uint8],
) -> None:
    """Deal H hands, each from a fresh deck.

    outputs (H * n,) uint32 raw generator outputs; fresh (D,) uint8 deck order; deck (D,) uint8 is
    for the kernel to work on; out (H, n) uint8.
    """
    hands, draws = out.shape
    used = 0
    for hand in range(hands):
        left = len(fresh)
        for i in range(left):
            deck[i] = fresh[i]
        for draw in range(draws):
            index = outputs[used] % np.uint32(left)
            used += 1
            left -= 1
            out[hand, draw] = deck[index]
            deck[index] = deck[left]
