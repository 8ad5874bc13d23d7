"""The wealth of gamblers who stake fixed shares on every sample, compiled; see `betting`."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel

_AT_ONCE: Final = 64
"""Factors, each 0.1 to 1 + 0.9 most won / most lost, between two logarithms."""


@kernel
def log_wealths(
    samples: NDArray[np.float64], scale: float, shares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return (S,) the logarithm of the product of 1 + share x scale, over (N,) samples x.

    A product is not below 0.1 of a factor: rounding may carry a sample beyond its bound.
    """
    total = np.zeros(len(shares))
    for first in range(0, len(samples), _AT_ONCE):
        wealth = np.ones(len(shares))
        for at in range(first, min(first + _AT_ONCE, len(samples))):
            won = max(samples[at] * scale, -1.0)
            for one in range(len(shares)):
                wealth[one] *= 1.0 + shares[one] * won
        total += np.log(wealth)
    return total
