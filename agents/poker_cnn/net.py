"""The network in PyTorch, for many states at once; its weights are a row, see `shape`."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from agents.poker_cnn.shape import CONVOLUTION_STRIDES, LAYERS, WEIGHTS, Layer

if TYPE_CHECKING:
    from numpy.typing import NDArray


class CnnNet(nn.Module):
    """The network."""

    def __init__(self, row: NDArray[np.float32]) -> None:
        """Take the weights.

        Raises:
            ValueError: there are not (WEIGHTS,) of them.
        """
        super().__init__()
        if row.shape != (WEIGHTS,):
            raise ValueError(f"{row.shape} weights: want ({WEIGHTS},)")
        self.weights = nn.ParameterDict()
        self.biases = nn.ParameterDict()
        for layer in LAYERS:
            part = row[layer.first : layer.biases].reshape(layer.shape)
            self.weights[layer.name] = nn.Parameter(torch.tensor(_turned(part, layer)))
            self.biases[layer.name] = nn.Parameter(torch.tensor(row[layer.biases : layer.end]))

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return (N, 3) scores of actions, (N, SIZES) of raise sizes, and (N, 1) worths of hands.

        Scores are those before any softmax.

        Args:
            planes: (N, 16, 17, 17).
        """
        x = planes
        for layer, stride in zip(LAYERS, CONVOLUTION_STRIDES, strict=False):
            x = torch.relu(
                functional.conv2d(x, self.weights[layer.name], self.biases[layer.name], stride)
            )
        x = torch.relu(self._full("full", x.flatten(1)))
        return self._full("actions", x), self._full("sizes", x), self._full("worth", x)

    def _full(self, name: str, x: torch.Tensor) -> torch.Tensor:
        return functional.linear(x, self.weights[name], self.biases[name])

    def row(self) -> NDArray[np.float32]:
        """Return (WEIGHTS,) the weights."""
        row = np.empty(WEIGHTS, np.float32)
        for layer in LAYERS:
            part = cast("NDArray[np.float32]", self.weights[layer.name].detach().cpu().numpy())
            row[layer.first : layer.biases] = _turned_back(part, layer).ravel()
            row[layer.biases : layer.end] = self.biases[layer.name].detach().cpu().numpy()
        return row


_PICTURE_SHAPE = (64, 2, 2)


def _turned(part: NDArray[np.float32], layer: Layer) -> NDArray[np.float32]:
    """Return weights in torch's order: outputs first; the inputs of `full` channel by channel."""
    if len(layer.shape) == 4:
        return np.ascontiguousarray(part.transpose(3, 0, 1, 2))
    if layer.name == "full":
        channels, rows, columns = _PICTURE_SHAPE
        part = part.reshape(rows, columns, channels, -1).transpose(2, 0, 1, 3).reshape(part.shape)
    return np.ascontiguousarray(part.T)


def _turned_back(part: NDArray[np.float32], layer: Layer) -> NDArray[np.float32]:
    if len(layer.shape) == 4:
        return part.transpose(1, 2, 3, 0)
    part = part.T
    if layer.name == "full":
        channels, rows, columns = _PICTURE_SHAPE
        part = part.reshape(channels, rows, columns, -1).transpose(1, 2, 0, 3)
    return part.reshape(layer.shape)
