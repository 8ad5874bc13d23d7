"""Training of networks that say what hands win: PyTorch; the result plays without it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
import torch
from torch import nn

from engine.networks.dense import DenseNetwork
from engine.networks.range_values import RangeValueNetwork

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


class Situations(NamedTuple):
    """What is learnt from, as `engine.networks.range_values` has it."""

    features: NDArray[np.float32]
    """(N, F)"""
    weights: NDArray[np.float32]
    """(N, 2, B)"""
    values: NDArray[np.float32]
    """(N, 2, B) to be learnt."""
    counts: NDArray[np.float32]
    """(N, 2, B) hands that stand behind a number of `values`; 0 where there are none."""

    def rows(self, numbers: NDArray[np.integer]) -> Situations:
        """Return some of them."""
        return Situations(*(array[numbers] for array in self))


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How a network is trained."""

    hidden: tuple[int, ...] = (512, 512, 512)
    epochs: int = 30
    batch: int = 256
    rate: float = 1e-3
    """Of Adam at first; it falls to 0 by a cosine."""
    delta: float = 0.1
    """Where Huber's loss becomes linear, in the unit of values."""
    seed: int = 1


class RangeNet(nn.Module):
    """Dense layers with rectifiers, and the layer that makes values add up to 0."""

    def __init__(self, inputs: int, hidden: tuple[int, ...], outputs: int) -> None:
        """Draw weights from torch's generator."""
        super().__init__()
        sizes = (inputs, *hidden, outputs)
        self.layers = nn.ModuleList(nn.Linear(wide, narrow) for wide, narrow in pairwise(sizes))

    def forward(self, features: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        """Return (N, 2, B) values."""
        *hidden, last = self._linear()
        x = features
        for layer in hidden:
            x = torch.relu(layer(x))
        values = last(x).reshape(weights.shape)
        total = (values * weights).sum((1, 2)) / weights.sum((1, 2)).clamp_min(1e-12)
        moved: torch.Tensor = values - total[:, None, None]
        return moved

    def network(self) -> RangeValueNetwork:
        """Return the same network without torch."""
        arrays = [
            (layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy().copy())
            for layer in self._linear()
        ]
        weights, biases = zip(*arrays, strict=True)
        return RangeValueNetwork(DenseNetwork(weights, biases, "rectified"))

    def _linear(self) -> list[nn.Linear]:
        return [cast("nn.Linear", layer) for layer in self.layers]


def train(
    situations: Situations,
    plan: TrainingPlan,
    *,
    on_epoch: Callable[[int, float], None] | None = None,
) -> RangeValueNetwork:
    """Return a network that has learnt from solved situations.

    Args:
        on_epoch: is told the epoch, from 1, and its mean loss.
    """
    torch.manual_seed(plan.seed)
    rng = np.random.default_rng(plan.seed)
    count, outputs = len(situations.features), situations.values[0].size
    net = RangeNet(situations.features.shape[1], plan.hidden, outputs)
    optimiser = torch.optim.Adam(net.parameters(), plan.rate)
    batches = -(-count // plan.batch)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, plan.epochs * batches)
    for epoch in range(1, plan.epochs + 1):
        losses = 0.0
        for numbers in np.array_split(rng.permutation(count), batches):
            batch = situations.rows(numbers)
            loss = _loss(net, batch, plan.delta)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
            losses += loss.item() * len(numbers)
        if on_epoch is not None:
            on_epoch(epoch, losses / count)
    return net.network()


def _loss(net: RangeNet, batch: Situations, delta: float) -> torch.Tensor:
    """Return Huber's loss, a mean over all hands that can be held."""
    features, weights, values, counts = map(torch.from_numpy, batch)
    losses = nn.functional.huber_loss(net(features, weights), values, reduction="none", delta=delta)
    mean: torch.Tensor = (losses * counts).sum() / counts.sum()
    return mean
