"""A dense network, number by number, in double precision."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.networks.dense import DenseNetwork


def dense_scores(network: DenseNetwork, x: Sequence[float]) -> list[float]:
    """Return the scores of one input."""
    numbers = list(map(float, x))
    layers = list(zip(network.weights, network.biases, strict=True))
    for depth, (weights, biases) in enumerate(layers):
        sums = []
        for output, bias in enumerate(biases):
            products = (number * float(weights[i, output]) for i, number in enumerate(numbers))
            sums.append(float(bias) + math.fsum(products))
        hidden = depth < len(layers) - 1
        if hidden and network.activation == "tanh":
            sums = list(map(math.tanh, sums))
        elif hidden:
            sums = [max(number, 0.0) for number in sums]
        numbers = sums
    return numbers
