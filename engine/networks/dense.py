"""Dense networks: every number of a layer goes to every number of the next, in float32.

    x        (..., F) float32              inputs
    weights  a layer's (inputs, outputs)   float32
    biases   a layer's (outputs,)          float32
    scores   (..., A) float32              x W + b of the last layer; all layers before it are
                                           hidden and pass an activation

`DenseNetwork.scores` takes many inputs at once, by matrix products.  Kernels take one input at a
time with `dense_kernels.run_dense`, whose arguments are

    sizes    (DENSE_SIZES,) int64          number of hidden layers, their widths, from OUTPUTS on
                                           the number of outputs and the activation
    packed   (G,) float32                  layer by layer the weights, then the biases
    work     (`work`,) float32             scratch
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MOST_HIDDEN: Final = 8
HIDDEN_LAYERS: Final = 0
WIDTHS: Final = 1
OUTPUTS: Final = WIDTHS + MOST_HIDDEN
ACTIVATION: Final = OUTPUTS + 1
DENSE_SIZES: Final = ACTIVATION + 1

RECTIFIED: Final = 0
TANH: Final = 1
LARGEST_WEIGHT: Final = 1e4
"""Of a network in a file; those of the shipped ones are below 12."""
ACTIVATIONS: Final = {"rectified": RECTIFIED, "tanh": TANH}


def dense_sizes(hidden: Sequence[int], outputs: int, activation: str) -> NDArray[np.int64]:
    """Return (DENSE_SIZES,) the row of sizes that kernels take.

    Args:
        hidden: widths of the hidden layers.
        activation: of the hidden layers, one of `ACTIVATIONS`.

    Raises:
        ValueError: a layer is empty, there are too many, or nobody knows the activation.
    """
    if min((*hidden, outputs)) < 1:
        raise ValueError(f"layers of {(*hidden, outputs)}: want none empty")
    if len(hidden) > MOST_HIDDEN:
        raise ValueError(f"{len(hidden)} hidden layers: want at most {MOST_HIDDEN}")
    if activation not in ACTIVATIONS:
        raise ValueError(f"activation {activation!r}: want {' or '.join(ACTIVATIONS)}")
    sizes = np.zeros(DENSE_SIZES, np.int64)
    sizes[HIDDEN_LAYERS] = len(hidden)
    sizes[WIDTHS : WIDTHS + len(hidden)] = hidden
    sizes[OUTPUTS] = outputs
    sizes[ACTIVATION] = ACTIVATIONS[activation]
    return sizes


@dataclass(frozen=True, slots=True, eq=False)
class DenseNetwork:
    """Layers, checked to fit each other.  Raises ValueError: they do not."""

    weights: tuple[NDArray[np.float32], ...]
    """(inputs, outputs) of each layer."""
    biases: tuple[NDArray[np.float32], ...]
    """(outputs,) of each layer."""
    activation: str
    """Of the hidden layers, one of `ACTIVATIONS`."""

    def __post_init__(self) -> None:
        if not self.weights or len(self.weights) != len(self.biases):
            raise ValueError(f"{len(self.weights)} weights, {len(self.biases)} biases")
        inputs = self.weights[0].shape[0] if self.weights[0].ndim else 0
        for number, (weights, biases) in enumerate(zip(self.weights, self.biases, strict=True)):
            if weights.dtype != np.float32 or biases.dtype != np.float32:
                raise ValueError(f"layer {number}: {weights.dtype}, {biases.dtype}: want float32")
            if weights.shape != (inputs, *biases.shape) or biases.ndim != 1:
                raise ValueError(
                    f"layer {number}: weights {weights.shape}, biases {biases.shape}: "
                    f"want ({inputs}, outputs) and (outputs,)"
                )
            inputs = len(biases)
        self.sizes()

    @property
    def inputs(self) -> int:
        """F"""
        return len(self.weights[0])

    @property
    def work(self) -> int:
        """Numbers of scratch that a kernel takes."""
        return sum(map(len, self.biases[:-1]))

    def scores(self, x: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return (..., A) float32 scores of (..., F) float32 inputs.  Raises ValueError."""
        if x.dtype != np.float32 or x.shape[-1:] != (self.inputs,):
            raise ValueError(f"inputs {x.dtype} {x.shape}: want float32 (..., {self.inputs})")
        for weights, biases in zip(self.weights[:-1], self.biases[:-1], strict=True):
            x = x @ weights + biases
            x = np.tanh(x) if self.activation == "tanh" else np.maximum(x, 0)
        scores: NDArray[np.float32] = x @ self.weights[-1] + self.biases[-1]
        return scores

    def sizes(self) -> NDArray[np.int64]:
        """Return (DENSE_SIZES,) for kernels."""
        *hidden, outputs = map(len, self.biases)
        return dense_sizes(hidden, outputs, self.activation)

    def packed(self) -> NDArray[np.float32]:
        """Return (G,) all numbers for kernels."""
        layers = zip(self.weights, self.biases, strict=True)
        return np.concatenate([part.ravel() for layer in layers for part in layer])


def check_weights(*parts: NDArray[np.float32]) -> None:
    """Check weights that were read from a file.

    Raises:
        ValueError: one is not finite, or so far beyond what training comes to that scores overflow.
    """
    if not all((np.abs(part) <= LARGEST_WEIGHT).all() for part in parts):  # nan is not less
        raise ValueError("a weight is not finite, or far too large")


def legal_probabilities(scores: NDArray[np.float32], legal: NDArray[Any]) -> NDArray[np.float64]:
    """Return (..., A) float64, the softmax of scores over legal actions; others have 0.

    Args:
        scores: (..., A).
        legal: (..., A), true where an action is legal; one at least in each row.
    """
    exact = np.where(legal, scores.astype(np.float64), -np.inf)
    odds = np.exp(exact - exact.max(axis=-1, keepdims=True))
    chances: NDArray[np.float64] = odds / odds.sum(axis=-1, keepdims=True)
    return chances
