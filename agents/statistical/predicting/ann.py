"""A small neural network that predicts actions: playing with it takes numpy, training it torch.

    hidden = tanh(x W1 + b1)          x (N, F) contexts, W1 (F, H), b1 (H,)
    scores = hidden W2 + b2           W2 (H, 3), b2 (3,)
    probabilities = softmax of the scores of legal actions

The patent's network (see `agents.statistical`) is `NetworkConfig(hidden=4)`: three layers, inputs
scaled to 0..1, four hidden units and three outputs for fold, call and raise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

import numpy as np

from agents.statistical.counting.situations import ACTIONS
from agents.statistical.predicting.contexts import (
    FEATURE_COUNT,
    FEATURES,
    check_contexts,
    legal_in_contexts,
)
from agents.statistical.predicting.trained import REMEDY, TrainedModel, check_array
from engine.networks.dense import DenseNetwork, check_weights, legal_probabilities
from engine.storage.artifacts import Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_HIDDEN: Final = 1024


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """How a network is trained."""

    hidden: int = 48
    """Hidden units; the patent has 4."""
    epochs: int = 40
    """Most times that all decisions are looked at."""
    patience: int = 6
    """Training ends after so many epochs without a better loss on the hands set aside."""
    batch: int = 256
    """Decisions per step."""
    rate: float = 3e-3
    """Learning rate of Adam at first; it falls to 0 along a quarter of a cosine's period."""
    decay: float = 1e-5
    """Weight decay."""

    def __post_init__(self) -> None:
        if not 1 <= self.hidden <= MOST_HIDDEN:
            raise ValueError(f"{self.hidden} hidden units: want 1 to {MOST_HIDDEN}")


class Epoch(NamedTuple):
    """How far training is."""

    number: int
    """Of this epoch, from 1."""
    loss: float
    """Log-loss on the decisions learned from, nats."""
    aside: float
    """On those set aside."""


@dataclass(eq=False)
class Network(TrainedModel):
    """A trained network."""

    hidden: NDArray[np.float32]
    """(F + 1, H) the weights into the hidden units, the last row their biases."""
    output: NDArray[np.float32]
    """(H + 1, 3) those into the outputs, likewise."""

    KIND: ClassVar = Kind("network of actions", 1, REMEDY)
    ARRAYS: ClassVar = ("hidden", "output")
    MADE_FOR: ClassVar = {"features": list(FEATURES)}

    def __post_init__(self) -> None:
        units = self.hidden.shape[-1] if self.hidden.ndim else 0
        check_array("hidden", self.hidden, "float32", (FEATURE_COUNT + 1, units))
        check_array("output", self.output, "float32", (units + 1, ACTIONS))
        check_weights(self.hidden, self.output)
        self._layers = DenseNetwork(
            (self.hidden[:-1], self.output[:-1]), (self.hidden[-1], self.output[-1]), "tanh"
        )

    def probabilities(self, contexts: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return (N, 3), how likely FOLD, CALL and RAISE are; illegal actions have 0.

        Raises:
            ValueError: not (N, F) contexts.
        """
        return self.probabilities_among(legal_in_contexts(contexts), contexts)

    def probabilities_among(
        self, legal: NDArray[np.bool_], contexts: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        """Return (N, 3) probabilities of the legal ones of actions, whatever contexts say is legal.

        Args:
            legal: (N, 3) a call always is.
            contexts: (N, F) as the network sees them.

        Raises:
            ValueError: not (N, F) contexts.
        """
        check_contexts(contexts)
        return legal_probabilities(self._layers.scores(contexts), legal)
