"""Tables of numbers in 16 bits: square roots, each row with its own step.

    packed   (T, H)  int16     -32767 .. 32767
    scale    (T,)    float32   the value of one step squared; 0 for a row of zeros
    rows     (T, H)  float32   packed * |packed| * scale

Half the memory.  Hands of one row differ by orders of magnitude in large pots, and what a hand
plays depends on its own numbers only: square roots keep the small ones.  The error of a number is
at most 1 / 32767 of the root of its product with the largest one of its row.  That is 3e-5 of the
largest itself, and 0.3 % of a number 10 000 times smaller, where even steps would have 15 %.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import raw_kernel

_LARGEST: Final = np.float32(32767**2)
_NOTHING: Final = np.float32(1e-28)
"""Rows no larger than this are stored as zeros; the inverse of their scale would overflow."""

# Kernels: arguments are trusted, nothing is allocated, results go to the last argument.


@raw_kernel
def unpack_rows(
    packed: NDArray[np.int16], scale: NDArray[np.float32], rows: NDArray[np.float32]
) -> None:
    """Write packed * |packed| * scale."""
    count, hands = rows.shape
    for row in range(count):
        source = packed[row]
        target = rows[row]
        step = scale[row]
        for hand in range(hands):
            root = np.float32(source[hand])
            target[hand] = root * abs(root) * step


@raw_kernel
def pack_rows(
    rows: NDArray[np.float32], scale: NDArray[np.float32], packed: NDArray[np.int16]
) -> None:
    """Find each row's scale and round the roots of its entries to the nearest step."""
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
        scale[row] = largest / _LARGEST
        steps = _LARGEST / largest if largest > _NOTHING else np.float32(0)
        for hand in range(hands):
            root = np.int32(np.sqrt(abs(source[hand]) * steps) + np.float32(0.5))
            target[hand] = np.int16(root if source[hand] > 0 else -root)
