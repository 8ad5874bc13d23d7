"""What the network is compared with: the commonest action, features in a line, and plain layers."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from torch import nn

from agents.poker_cnn.features_kernels import FEATURES
from agents.poker_cnn.planes import PLANES, SIDE
from agents.poker_cnn.shape import ACTIONS

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOGISTIC: Final = "logistic regression on features"
PERCEPTRON: Final = "multilayer perceptron on features"
ON_PLANES: Final = "multilayer perceptron on planes"
HIDDEN_UNITS: Final = 256


class PlainNet(nn.Module):
    """Full layers, the hidden ones rectified, with first weights from `seed` alone."""

    def __init__(self, widths: tuple[int, ...], seed: int) -> None:
        super().__init__()
        draws = torch.Generator().manual_seed(seed)
        layers: list[nn.Module] = [nn.Flatten()]
        for number, (inputs, outputs) in enumerate(pairwise(widths)):
            layers += [nn.ReLU()] * (number > 0)
            layer = nn.Linear(inputs, outputs)
            with torch.no_grad():
                layer.weight.normal_(0.0, (2.0 / inputs) ** 0.5, generator=draws)
                layer.bias.zero_()
            layers.append(layer)
        self.layers = nn.Sequential(*layers)

    def forward(self, inputs: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        """Return (N, 3) scores of actions; neither sizes nor what hands are worth."""
        return self.layers(inputs), None, None


def logistic(seed: int) -> PlainNet:
    """Return a logistic regression on the features."""
    return PlainNet((FEATURES, ACTIONS), seed)


def perceptron(seed: int) -> PlainNet:
    """Return a multilayer perceptron on the features."""
    return PlainNet((FEATURES, HIDDEN_UNITS, HIDDEN_UNITS, ACTIONS), seed)


def perceptron_on_planes(seed: int) -> PlainNet:
    """Return a multilayer perceptron that sees all cells of all planes."""
    return PlainNet((PLANES * SIDE * SIDE, HIDDEN_UNITS, HIDDEN_UNITS, ACTIONS), seed)


def majority_scores(learned: NDArray[np.int64], legal: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return (N, 3) scores: logs of frequencies of actions, -inf where (N, 3) `legal` is false."""
    counts = np.bincount(learned, minlength=ACTIONS).astype(np.float32) + 1
    return np.where(legal, np.log(counts / counts.sum()), -np.inf).astype(np.float32)
