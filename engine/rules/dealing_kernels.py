"""Compiled half of `engine.rules.dealing`, apart from it so that a dealer never loads numba."""

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel

# Kernels: arguments are trusted, nothing is allocated, results go to the last argument.


@inlined_kernel
def deal_hand(
    outputs: NDArray[np.uint32],
    fresh: NDArray[np.uint8],
    deck: NDArray[np.uint8],
    out: NDArray[np.uint8],
) -> None:
    """Deal one hand from a fresh deck.

    outputs (n,) uint32 raw generator outputs; fresh (D,) uint8 deck order; deck (D,) uint8 is for
    the kernel to work on; out (n,) uint8.
    """
    left = len(fresh)
    for i in range(left):
        deck[i] = fresh[i]
    for draw in range(len(out)):
        index = outputs[draw] % np.uint32(left)
        left -= 1
        out[draw] = deck[index]
        deck[index] = deck[left]


@kernel
def deal_hands(
    outputs: NDArray[np.uint32],
    fresh: NDArray[np.uint8],
    deck: NDArray[np.uint8],
    out: NDArray[np.uint8],
) -> None:
    """Deal H hands: outputs (H * n,), out (H, n), the rest as for `deal_hand`."""
    hands, draws = out.shape
    for hand in range(hands):
        deal_hand(outputs[hand * draws : (hand + 1) * draws], fresh, deck, out[hand])
