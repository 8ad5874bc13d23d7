"""Rows of a decision made fewer and coarser where that hardly matters: the kernel.

shares    (B, A) uint8     k1 ... kA of each bucket, that add to a whole n
weights   (B,) float64     what it costs if a row plays altogether differently
steps     (K,) int64       shares may be multiples of them, the largest first, 1 the last
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import as_int, inlined_kernel, kernel


@kernel
def compact_rows(
    shares: NDArray[np.uint8],
    weights: NDArray[np.float64],
    limit: float,
    steps: NDArray[np.int64],
    compacted: NDArray[np.uint8],
) -> None:
    """Write rows of which none costs more than a limit.

    A row is that of the bucket before wherever that costs no more than the limit. Otherwise it is
    its own, in the largest steps that cost no more.

    Args:
        weights: see the module's table; a row costs its weight times the probability that is moved.
        limit: in the same unit.
        steps: see there.
        compacted: (B, A) gets the rows.
    """
    before = _first_that_matters(weights, limit)
    _coarsen(shares, before, weights, limit, steps, compacted[0])
    for bucket in range(len(shares)):
        if bucket:
            compacted[bucket] = compacted[bucket - 1]
        if weights[bucket] * _moved(shares[bucket], compacted[bucket]) > limit:
            _coarsen(shares, bucket, weights, limit, steps, compacted[bucket])


@inlined_kernel
def _first_that_matters(weights: NDArray[np.float64], limit: float) -> int:
    """Return the first bucket that may cost more than the limit, or that which costs the most."""
    for bucket in range(len(weights)):
        if weights[bucket] > limit:
            return bucket
    return int(np.argmax(weights))


@inlined_kernel
def _coarsen(
    shares: NDArray[np.uint8],
    bucket: int,
    weights: NDArray[np.float64],
    limit: float,
    steps: NDArray[np.int64],
    compacted: NDArray[np.uint8],
) -> None:
    for step in steps:
        _round(shares[bucket], step, compacted)
        if weights[bucket] * _moved(shares[bucket], compacted) <= limit:
            return


@inlined_kernel
def _round(row: NDArray[np.uint8], step: int, compacted: NDArray[np.uint8]) -> None:
    """Write the nearest row of multiples of a step; what is left goes to the largest remainders."""
    left = 0
    for action in range(len(row)):
        compacted[action] = row[action] // step * step
        left += row[action] % step
    for _ in range(left // step):
        largest = 0
        for action in range(len(row)):
            rest = as_int(row[action]) - as_int(compacted[action])
            if rest > as_int(row[largest]) - as_int(compacted[largest]):
                largest = action
        compacted[largest] += step


@inlined_kernel
def _moved(row: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """Return how much probability has to move from action to action to make one of the other."""
    whole = moved = 0
    for action in range(len(row)):
        whole += as_int(row[action])
        moved += abs(as_int(row[action]) - as_int(other[action]))
    return moved / (2 * whole)
