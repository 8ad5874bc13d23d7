"""Networks that say what each hand of two players wins at a public state.

    features   (N, F) float32      of N states; what they are is up to their maker
    weights    (N, 2, B) float32   how likely each hand or bucket of a player is, when two hands of
                                   the ranges are dealt that share no card; each player's sum to 1
    values     (N, 2, B) float32   chips or pots that it wins, a mean over what it can meet

What both win adds up to 0, so what a dense network says is moved by as much for all hands as that
takes.  Values are expected ones, not counterfactual ones: who knows the ranges multiplies.

Source: Moravcik et al., "DeepStack: expert-level artificial intelligence in heads-up no-limit
poker", Science 356, 2017, for the last layer; Wolosiuk, Swiechowski, Mandziuk, "Counterfactual
values prediction", AAAI 2023, for expected values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.networks.dense import DenseNetwork


@dataclass(frozen=True, slots=True, eq=False)
class RangeValueNetwork:
    """A dense network of (N, F) to (N, 2 B).  Raises ValueError: its outputs are no pairs."""

    dense: DenseNetwork

    def __post_init__(self) -> None:
        if len(self.dense.biases[-1]) % 2:
            raise ValueError(f"{len(self.dense.biases[-1])} outputs: want as many for each player")

    def values(
        self, features: NDArray[np.float32], weights: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return (N, 2, B) values.  Raises ValueError: other shapes or dtypes."""
        scores = self.dense.scores(features)
        if weights.shape != (len(features), 2, scores.shape[1] // 2):
            raise ValueError(f"weights {weights.shape} for scores {scores.shape}")
        return zero_sum(scores.reshape(weights.shape), weights)


def zero_sum(values: NDArray[np.float32], weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (N, 2, B) values moved so that both players' weighted ones add up to 0."""
    total = np.einsum("npb,npb->n", values, weights)
    mass = np.maximum(weights.sum(axis=(1, 2)), np.float32(1e-12))
    moved: NDArray[np.float32] = values - (total / mass)[:, None, None]
    return moved
