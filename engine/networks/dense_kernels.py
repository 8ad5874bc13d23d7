"""Dense layers for one input at a time; `dense` says how sizes and weights are laid out.

A product is taken row by row of the weights, so that the compiler may vectorise over outputs
without changing the order of any sum; inputs that are 0, half of those behind rectifiers, cost
nothing.  Arguments are trusted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel
from engine.networks.activation_kernels import tanh_of
from engine.networks.dense import ACTIVATION, HIDDEN_LAYERS, TANH, WIDTHS

_ZERO: Any = np.float32(0.0)


@inlined_kernel
def add_product(
    weights: NDArray[np.float32], at: int, x: NDArray[np.float32], y: NDArray[np.float32]
) -> int:
    """Add x W to y; return where W ends.  W (len(x), len(y)) lies in `weights` from `at` on."""
    width = len(y)
    for j in range(len(x)):
        factor = x[j]
        if factor != _ZERO:
            row = weights[at + j * width : at + (j + 1) * width]
            for i in range(width):
                y[i] += factor * row[i]
    return at + len(x) * width


@inlined_kernel
def run_layer(
    weights: NDArray[np.float32], at: int, x: NDArray[np.float32], y: NDArray[np.float32]
) -> int:
    """Write x W + b to y; return where b ends.  W and b lie in `weights` from `at` on."""
    biases = at + len(x) * len(y)
    for i in range(len(y)):
        y[i] = weights[biases + i]
    add_product(weights, at, x, y)
    return biases + len(y)


@inlined_kernel
def rectify(y: NDArray[np.float32]) -> None:
    """Replace what is less than 0 by 0."""
    for i in range(len(y)):
        y[i] = max(y[i], _ZERO)


@kernel
def run_dense(
    sizes: NDArray[np.int64],
    weights: NDArray[np.float32],
    at: int,
    x: NDArray[np.float32],
    work: NDArray[np.float32],
    scores: NDArray[np.float32],
) -> None:
    """Write (A,) the scores of a network for one input.

    Args:
        sizes: (DENSE_SIZES,)
        weights: has the network's packed numbers from `at` on.
        x: (F,)
        work: scratch for all hidden layers.
        scores: gets the result.
    """
    inputs = x
    used = 0
    for layer in range(sizes[HIDDEN_LAYERS]):
        width = sizes[WIDTHS + layer]
        y = work[used : used + width]
        at = run_layer(weights, at, inputs, y)
        if sizes[ACTIVATION] == TANH:
            for i in range(width):
                y[i] = tanh_of(y[i])
        else:
            rectify(y)
        inputs = y
        used += width
    run_layer(weights, at, inputs, scores)
