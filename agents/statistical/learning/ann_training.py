"""The training loop of `ann`, in torch: cross-entropy over legal actions, Adam, early stopping."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from agents.statistical.counting.situations import ACTIONS
from agents.statistical.predicting.ann import Epoch, Network, NetworkConfig
from agents.statistical.predicting.contexts import FEATURE_COUNT, legal_in_contexts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.statistical.learning.dataset import DecisionTable

_ROWS_AT_ONCE: Final = 1 << 16


def train_network(
    learned: DecisionTable,
    aside: DecisionTable,
    seed: int,
    config: NetworkConfig | None = None,
    on_epoch: Callable[[Epoch], None] | None = None,
) -> Network:
    """Train a network; the same arguments give the same bits on the same machine.

    One thread is used, which for networks of this size is the fastest as well.

    Args:
        learned: decisions, one at least.
        aside: validation decisions: the epoch with the lowest loss on them is kept (early
            stopping).
        seed: of the first weights and the order of decisions.
        config: None for the default.
        on_epoch: called after each epoch; it may raise KeyboardInterrupt.

    Raises:
        KeyboardInterrupt: Ctrl-C.
    """
    config = config or NetworkConfig()
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        hidden, output, epoch = _train(learned, aside, seed, config, on_epoch)
    finally:
        torch.set_num_threads(threads)
    return Network(
        hidden, output, provenance={"config": asdict(config), "seed": seed, "epoch": epoch}
    )


def _train(
    learned: DecisionTable,
    aside: DecisionTable,
    seed: int,
    config: NetworkConfig,
    on_epoch: Callable[[Epoch], None] | None,
) -> tuple[NDArray[np.float32], NDArray[np.float32], int]:
    """Return the weights of both layers as `ann.Network` has them, and the epoch they are from."""
    draws = torch.Generator().manual_seed(seed)
    data, others = _tensors(learned), _tensors(aside)
    model = _Model(config.hidden, draws)
    descent = torch.optim.Adam(model.parameters(), lr=config.rate, weight_decay=config.decay)
    best, best_loss, best_epoch = _weights(model), math.inf, 0
    parts = torch.split(torch.arange(len(aside)), _ROWS_AT_ONCE)
    for number in range(1, config.epochs + 1):
        rate = config.rate * math.cos(0.5 * math.pi * (number - 1) / config.epochs)
        for group in descent.param_groups:
            group["lr"] = rate
        order = torch.randperm(len(learned), generator=draws)
        total = 0.0
        for rows in torch.split(order, config.batch):
            loss = _loss(model, data, rows)
            descent.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            descent.step()
            total += loss.item() * len(rows)
        with torch.no_grad():
            on_others = sum(_loss(model, others, part).item() * len(part) for part in parts)
        aside_loss = on_others / len(aside)
        if aside_loss < best_loss:
            best, best_loss, best_epoch = _weights(model), aside_loss, number
        if on_epoch is not None:
            on_epoch(Epoch(number, total / len(learned), aside_loss))
        if number - best_epoch >= config.patience:
            break
    return (*best, best_epoch)


def _tensors(decisions: DecisionTable) -> tuple[torch.Tensor, ...]:
    """Return contexts, what bars illegal actions, and actions."""
    barred = np.where(legal_in_contexts(decisions.contexts), 0.0, -np.inf).astype(np.float32)
    arrays = (decisions.contexts, barred, decisions.actions.astype(np.int64))
    return tuple(map(torch.from_numpy, arrays))


class _Model(nn.Module):
    """The network, with first weights from `draws` alone."""

    def __init__(self, hidden: int, draws: torch.Generator) -> None:
        super().__init__()
        self.hidden = nn.Linear(FEATURE_COUNT, hidden)
        self.output = nn.Linear(hidden, ACTIONS)
        with torch.no_grad():
            for layer in (self.hidden, self.output):
                nn.init.xavier_uniform_(layer.weight, generator=draws)
                layer.bias.zero_()

    def forward(self, contexts: torch.Tensor) -> torch.Tensor:
        """Return (N, 3) scores."""
        scores: torch.Tensor = self.output(torch.tanh(self.hidden(contexts)))
        return scores


def _loss(model: _Model, data: tuple[torch.Tensor, ...], rows: torch.Tensor) -> torch.Tensor:
    contexts, barred, actions = data
    return functional.cross_entropy(model(contexts[rows]) + barred[rows], actions[rows])


def _weights(model: _Model) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return both layers as arrays of inputs by outputs, the biases in the last row."""
    hidden, output = (
        np.ascontiguousarray(
            np.vstack((layer.weight.detach().numpy().T, layer.bias.detach().numpy()))
        )
        for layer in (model.hidden, model.output)
    )
    return hidden, output
