"""Compiled half of `engine.equity.runouts`."""

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel

# Kernels: arguments are trusted, results go to the last arguments.


@kernel
def enumerate_runouts(
    live: NDArray[np.uint8],
    dealt: int,
    swaps: NDArray[np.int64],
    boards: NDArray[np.uint8],
    deals: NDArray[np.int32],
) -> int:
    """Write the run-outs that are kept into boards[:, dealt:]; return how many there are.

    Args:
        live: (L,) cards that may come, ascending.
        dealt: how many cards of each board are there already.
        swaps: (S, 4) the suit that each suit becomes; a group.
        boards: (most, B) the results; B - dealt cards come.
        deals: (most,) run-outs that each of them stands for.
    """
    to_come = boards.shape[1] - dealt
    chosen = np.arange(to_come)  # indices into live, ascending
    lanes = np.zeros(4, np.int64)
    count = 0
    while True:
        lanes[:] = 0
        for i in range(to_come):
            card = np.int64(live[chosen[i]])
            lanes[card & 3] |= 1 << (card >> 2)
        stands_for = _stands_for(lanes, swaps)
        if stands_for > 0:
            for i in range(to_come):
                boards[count, dealt + i] = live[chosen[i]]
            deals[count] = stands_for
            count += 1
        at = to_come - 1
        while at >= 0 and chosen[at] == len(live) - to_come + at:
            at -= 1
        if at < 0:
            return count
        chosen[at] += 1
        for i in range(at + 1, to_come):
            chosen[i] = chosen[i - 1] + 1


@inlined_kernel
def _stands_for(lanes: NDArray[np.int64], swaps: NDArray[np.int64]) -> int:
    """Return how many run-outs this one stands for, 0 if another one stands for it.

    Among the images of a run-out, the one with the largest lanes read as one number stands for
    all.  There are as many as there are exchanges, divided by those that leave it unchanged.
    """
    own = lanes[0] | lanes[1] << 16 | lanes[2] << 32 | lanes[3] << 48
    same = 0
    for swap in range(len(swaps)):
        image = np.int64(0)
        for suit in range(4):
            image |= lanes[suit] << (16 * swaps[swap, suit])
        if image > own:
            return 0
        same += image == own
    return len(swaps) // same
