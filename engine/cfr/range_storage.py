"""Tables of numbers in 16 bits: each row keeps its largest magnitude, the rest in steps of it.

    packed   (T, H)  int16     -32767 .. 32767
    scale    (T,)    float32   the value of one step; 0 for a row of zeros
    rows     (T, H)  float32   packed * scale

Half the memory for an error of at most 1 / 65534 of the largest entry of the row.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine._jit import raw_kernel

_STEPS: Final = np.float32(32767)
_NOTHING: Final = np.float32(1e-30)
"""Rows no larger than this are stored as zeros; the inverse of their scale would overflow."""

# Kernels: arguments are trusted, nothing is allocated, results go to the last argument.


@raw_kernel
def unpack_rows(
    packed: NDArray[np.int16], scale: NDArray[np.float32], rows: NDArray[np.float32]
) -> None:
    """Write packed * scale."""
    count, hands = rows.shape
    for row in range(count):
        source = packed[row]
        target = rows[row]
        step = scale[row]
        for hand in range(hands):
            target[hand] = np.float32(source[hand]) * step


@raw_kernel
def pack_rows(
    rows: NDArray[np.float32], scale: NDArray[np.float32], packed: NDArray[np.int16]
) -> None:
    """Find each row's scale and round its entries to the nearest step."""
    count, hands = rows.shape
    for row in range(count):
        source = rows[row]
        target = packed[row]
        largest = np.float32(0)
        smallest = np.float32(0)
        for hand in range(hands):
            largest = max(largest, source[hand])
            smallest = min(smallest, source[hand])
        largest = max(largest, -smallest)
        scale[row] = largest / _STEPS
        steps = _STEPS / largest if largest > _NOTHING else np.float32(0)
        for hand in range(hands):
            scaled = source[hand] * steps
            half = np.float32(0.5) if scaled > 0 else np.float32(-0.5)
            target[hand] = np.int16(np.int32(scaled + half))
