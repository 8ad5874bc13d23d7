"""The training loop: Adagrad over batches of whole hands, each taken from its end.

The same plan, records and machine give the same weights, to the bit; so does a training that was
stopped and resumed from its checkpoint.

Source: Duchi, Hazan, Singer, "Adaptive subgradient methods for online learning and stochastic
optimization", JMLR 12, 2011.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import numpy as np
import torch
from torch.nn import functional

from agents.poker_cnn.shape import VALUE
from agents.poker_cnn.train.advantages import chip_weights
from agents.poker_cnn.train.cnn_plan import CHIPS, EVEN

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import nn

    from agents.poker_cnn.train.cnn_plan import CnnPlan
    from agents.poker_cnn.train.states import Batch, States

_ROWS_AT_ONCE: Final = 1024

Inputs = Callable[["NDArray[np.int64]", "np.random.Generator | None"], "Batch"]
"""Turns decisions into a batch: `States.planes` or `States.features`."""


class CnnEpoch(NamedTuple):
    """What came of an epoch."""

    epoch: int
    """1-based."""
    loss: float
    """Mean over the decisions learned from."""
    aside_loss: float
    """Of the decisions aside."""
    aside_accuracy: float
    """Share of them in which the action taken has the highest score."""


@dataclass(slots=True)
class Descent:
    """Where a training stands; all of it is in a checkpoint."""

    weights: dict[str, NDArray[np.float32]]
    """Of the net, by the names of its parameters."""
    sums: dict[str, NDArray[np.float32]] = field(default_factory=dict)
    """Of squared gradients."""
    best: dict[str, NDArray[np.float32]] = field(default_factory=dict)
    """Weights of the best epoch so far."""
    epochs: list[CnnEpoch] = field(default_factory=list)

    @property
    def best_epoch(self) -> int:
        """Number of the epoch with the smallest loss on the decisions aside, 0 before the first.

        The last one, where none are aside.
        """
        done = len(self.epochs)
        if not done or math.isnan(self.epochs[-1].aside_loss):
            return done
        return min(self.epochs, key=lambda epoch: (epoch.aside_loss, epoch.epoch)).epoch


def over(plan: CnnPlan, descent: Descent) -> bool:
    """Return whether a training has come to its end."""
    done = len(descent.epochs)
    return done >= plan.epochs or done - descent.best_epoch >= plan.patience


def train_epoch(
    net: nn.Module,
    inputs: Inputs,
    states: States,
    learned: NDArray[np.bool_],
    aside: NDArray[np.bool_],
    plan: CnnPlan,
    descent: Descent,
    device: torch.device,
) -> None:
    """Train one epoch; the result is in the net and in `descent`, which are changed.

    Args:
        net: gives scores of actions, of raise sizes or None, and what hands are worth or None.
        learned: (H,) training hands.
        aside: (H,) validation hands; none: nothing is measured, and the last epoch is best.
    """
    epoch = len(descent.epochs)
    rng = np.random.default_rng((plan.seed, epoch))
    load_weights(net, descent.weights)
    optimiser = torch.optim.Adagrad(net.parameters(), lr=plan.rate_in(epoch))
    for name, parameter in net.named_parameters():
        if name in descent.sums:
            optimiser.state[parameter]["sum"] = torch.tensor(descent.sums[name], device=device)
            optimiser.state[parameter]["step"] = torch.tensor(1.0)
    total, count = 0.0, 0
    values = targets_of(states, plan, epoch)
    for chosen in _batches(states, learned, plan, rng):
        loss = _loss(
            net, inputs(chosen, rng if plan.turned else None), states, chosen, values, plan, device
        )
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        total += loss.item() * len(chosen)
        count += len(chosen)
    descent.weights = weights_of(net)
    descent.sums = {
        name: optimiser.state[parameter]["sum"].cpu().numpy()
        for name, parameter in net.named_parameters()
        if parameter in optimiser.state
    }
    aside_rows = np.flatnonzero(aside[states.records.hands])
    aside_loss, accuracy = math.nan, math.nan
    if len(aside_rows):
        aside_loss, accuracy = _measure(net, inputs, states, aside_rows, values, plan, device)
    epoch_result = CnnEpoch(epoch + 1, total / max(count, 1), aside_loss, accuracy)
    descent.epochs.append(epoch_result)
    if descent.best_epoch == epoch_result.epoch:
        descent.best = descent.weights


def targets_of(states: States, plan: CnnPlan, epoch: int) -> NDArray[np.float32]:
    """Return (S,) the values of actions taken, or the weights of actions, in an epoch, 0-based."""
    if plan.reading == VALUE or plan.weighting not in (EVEN, CHIPS):
        return (plan.gamma_in(epoch) ** states.left * states.worth).astype(np.float32)
    if plan.weighting == CHIPS:
        return chip_weights(states)
    return np.ones(len(states), np.float32)


def scores_of(
    net: nn.Module, inputs: Inputs, chosen: NDArray[np.int64], device: torch.device
) -> NDArray[np.float32]:
    """Return (N, 3) scores of actions, -inf where they are not legal."""
    parts = []
    with torch.no_grad():
        for rows in _parts(chosen):
            batch = inputs(rows, None)
            scores = net(batch.inputs.to(device))[0]
            parts.append((scores.cpu() + batch.barred).numpy())
    return np.concatenate(parts)


def weights_of(net: nn.Module) -> dict[str, NDArray[np.float32]]:
    """Return copies of all parameters."""
    return {
        name: cast("NDArray[np.float32]", parameter.detach().cpu().numpy().copy())
        for name, parameter in net.named_parameters()
    }


def load_weights(net: nn.Module, weights: dict[str, NDArray[np.float32]]) -> None:
    """Give a net these parameters."""
    with torch.no_grad():
        for name, parameter in net.named_parameters():
            parameter.copy_(torch.tensor(weights[name]))


def _batches(
    states: States, learned: NDArray[np.bool_], plan: CnnPlan, rng: np.random.Generator
) -> Iterator[NDArray[np.int64]]:
    """Yield the decisions of each update, every hand from its end."""
    hands = states.records.hands
    begins = np.searchsorted(hands, np.arange(len(learned)))
    ends = np.searchsorted(hands, np.arange(len(learned)), side="right")
    order = rng.permutation(np.flatnonzero(learned & (ends > begins)))
    for first in range(0, len(order), plan.batch):
        rows = order[first : first + plan.batch]
        longest = int((ends[rows] - begins[rows]).max())
        steps = [
            (ends[rows] - 1 - back)[ends[rows] - 1 - back >= begins[rows]]
            for back in range(longest)
        ]
        if plan.backwards:
            yield from steps
        else:
            yield np.concatenate(steps)


def _parts(chosen: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    return [chosen[first : first + _ROWS_AT_ONCE] for first in range(0, len(chosen), _ROWS_AT_ONCE)]


def _loss(
    net: nn.Module,
    batch: Batch,
    states: States,
    chosen: NDArray[np.int64],
    values: NDArray[np.float32],
    plan: CnnPlan,
    device: torch.device,
) -> torch.Tensor:
    """Return the mean loss of some decisions."""
    scores, sizes, worth = net(batch.inputs.to(device))
    scores = scores + batch.barred.to(device)
    taken = batch.taken.to(device)
    wanted = torch.from_numpy(values[chosen]).to(device)
    if plan.reading == VALUE:
        given = torch.softmax(scores, dim=1).gather(1, taken[:, None])[:, 0]
        loss = (given - wanted).square().mean()
    else:
        each = functional.cross_entropy(scores, taken, reduction="none")
        loss = (each * wanted).mean()
    if sizes is not None and plan.sizes:
        classes = torch.from_numpy(states.sizes[chosen]).to(device)
        if bool((classes >= 0).any()):
            each = functional.cross_entropy(sizes, classes, ignore_index=-1, reduction="none")
            weighed = each if plan.reading == VALUE else each * wanted
            loss = loss + plan.sizes * weighed.mean()
    if worth is not None and plan.values:
        gains = torch.from_numpy(states.gains[chosen]).to(device)
        loss = loss + plan.values * (worth[:, 0] - gains).square().mean()
    return loss


def _measure(
    net: nn.Module,
    inputs: Inputs,
    states: States,
    chosen: NDArray[np.int64],
    values: NDArray[np.float32],
    plan: CnnPlan,
    device: torch.device,
) -> tuple[float, float]:
    """Return the mean loss and the accuracy on some decisions."""
    total, right = 0.0, 0
    with torch.no_grad():
        for rows in _parts(chosen):
            batch = inputs(rows, None)
            total += _loss(net, batch, states, rows, values, plan, device).item() * len(rows)
            scores = net(batch.inputs.to(device))[0]
            right += int(((scores.cpu() + batch.barred).argmax(dim=1) == batch.taken).sum())
    return total / len(chosen), right / len(chosen)
