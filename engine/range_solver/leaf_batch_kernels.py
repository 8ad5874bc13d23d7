"""Compiled half of `engine.range_solver.leaf_batch`: between a board's hands and all hands."""

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel

# Kernels: arguments are trusted, nothing is allocated, results go to the last argument.


@kernel
def copy_ranges(
    reach: NDArray[np.float32],
    leaf_rows: NDArray[np.int32],
    combo: NDArray[np.int32],
    weight: NDArray[np.float32],
    count: int,
    arrived: NDArray[np.float32],
) -> None:
    """Write the ranges at K leaves of a board, (K, hands of the game).

    Args:
        reach: (rows, hands of the board) of the street, without beliefs.
        leaf_rows: (K,) of the leaves.
        combo: (hands of the board,) their numbers.
        weight: (hands of the board,) beliefs.
        count: hands of the board.
    """
    for leaf in range(len(leaf_rows)):
        row, target = reach[leaf_rows[leaf]], arrived[leaf]
        for hand in range(count):
            target[combo[hand]] = row[hand] * weight[hand]


@kernel
def place_answers(
    answers: NDArray[np.float32],
    met: NDArray[np.bool_],
    boards: NDArray[np.intp],
    combo: NDArray[np.int32],
    counts: NDArray[np.int32],
    values: NDArray[np.float32],
) -> bool:
    """Write values of the K leaves on some boards; return whether all are finite.

    Args:
        answers: (N K, hands of the game), board by board.
        met: (N K,) whether an opposing hand is possible; elsewhere values are 0.
        boards: (N,) which of the B boards these are.
        combo: (B, H) hands by their number.
        counts: (B,) hands of each board; the others are padding.
        values: (B, K, H); the padding is 0 and stays so.
    """
    finite = True
    leaves = values.shape[1]
    for number in range(len(boards)):
        board = boards[number]
        for leaf in range(leaves):
            row, target = answers[number * leaves + leaf], values[board, leaf]
            if not met[number * leaves + leaf]:
                target[:] = 0
                continue
            for hand in range(counts[board]):
                told = row[combo[board, hand]]
                finite &= np.isfinite(told)
                target[hand] = told
    return finite


@kernel
def add_weighted(
    rows: NDArray[np.intp],
    new: NDArray[np.float32],
    keep: float,
    weight: float,
    sums: NDArray[np.float32],
) -> None:
    """Add numbers (N, H) to N of the sums (L, H), which fade before."""
    for number in range(len(rows)):
        total, row = sums[rows[number]], new[number]
        for hand in range(len(total)):
            total[hand] = np.float32(keep) * total[hand] + np.float32(weight) * row[hand]
