"""An actor and a critic that learn together, by proximal policy optimization.

Sources: Schulman, Wolski, Dhariwal, Radford, Klimov, "Proximal policy optimization algorithms",
2017; for advantages, Schulman, Moritz, Levine, Jordan, Abbeel, "High-dimensional continuous control
using generalized advantage estimation", 2016.  An episode is a hand, its only reward at the end, so
nothing is discounted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import torch
from torch import nn

from engine.networks.dense import DenseNetwork

if TYPE_CHECKING:
    from numpy.typing import NDArray

HIDDEN: Final = 64
_IMPOSSIBLE: Final = -1e9


@dataclass(frozen=True, slots=True)
class PpoSettings:
    """How long and how it learns."""

    steps: int
    """Decisions in all."""
    seed: int
    batch: int = 4096
    """Decisions between two changes of the policy."""
    epochs: int = 4
    part: int = 512
    """Decisions of a step of descent."""
    rate: float = 1e-3
    """Of Adam; falls to 0 in a line."""
    clip: float = 0.2
    lam: float = 0.95
    entropy: float = 0.01
    kl: float = 0.0
    """Weight of the divergence of the new policy from the one before the batch, which makes it
    magnetic mirror descent."""
    unit: float = 10.0
    """Big blinds that count as 1 in the value's error."""


class ActorCritic(nn.Module):
    """Scores of actions, and the value of a hand for the player."""

    def __init__(self, width: int, actions: int, hidden: int = HIDDEN) -> None:
        super().__init__()
        self.first = nn.Linear(width, hidden)
        self.second = nn.Linear(hidden, hidden)
        self.actions = nn.Linear(hidden, actions)
        self.value = nn.Linear(hidden, 1)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (N, A) scores and (N,) values of (N, width) observations."""
        x = torch.relu(self.second(torch.relu(self.first(x))))
        return self.actions(x), self.value(x)[:, 0]

    def policy(self) -> DenseNetwork:
        """Return a copy of the actor, the value left out."""
        layers = self.first, self.second, self.actions
        weights = [np.ascontiguousarray(layer.weight.detach().numpy().T) for layer in layers]
        biases = [layer.bias.detach().numpy().copy() for layer in layers]
        return DenseNetwork(tuple(weights), tuple(biases), "rectified")


class Decisions(NamedTuple):
    """N decisions."""

    observations: torch.Tensor
    """(N, width)"""
    masks: torch.Tensor
    """(N, A) bool"""
    taken: torch.Tensor
    """(N,) int64"""
    ends: NDArray[np.bool_]
    """(N,) whether the hand ended with it."""
    won: NDArray[np.float64]
    """(N,) big blinds, at the ends of hands."""


def advantages(
    values: NDArray[np.float32], batch: Decisions, settings: PpoSettings
) -> NDArray[np.float32]:
    """Return (N,) how much better than expected each decision turned out; of whole hands only.

    What follows the last decision is not known if its hand went on; it counts as expected.
    """
    gains = np.zeros(len(values), np.float32)
    later, gain = values[-1], 0.0
    for i in reversed(range(len(values))):
        if batch.ends[i]:
            later, gain = np.float32(batch.won[i] / settings.unit), 0.0
        gain = later - values[i] + settings.lam * gain
        gains[i] = gain
        later = values[i]
    return gains


class DescentBatch(NamedTuple):
    """N decisions that are learned from, with what they turned out to be worth."""

    observations: torch.Tensor
    """(N, width)"""
    masks: torch.Tensor
    """(N, A) bool"""
    taken: torch.Tensor
    """(N,) int64"""
    log_odds: torch.Tensor
    """(N, A) of all actions, when they were taken; of illegal ones any large negative number."""
    gains: torch.Tensor
    """(N,) how much better than expected a decision turned out."""
    targets: torch.Tensor
    """(N,) what the critic should have said."""


def update_by_ppo(
    net: ActorCritic,
    optimizer: torch.optim.Optimizer,
    decisions: Decisions,
    settings: PpoSettings,
    rng: np.random.Generator,
) -> None:
    """Take the steps of descent of a batch."""
    observations, masks, taken = decisions[:3]
    with torch.no_grad():
        scores, values = net(observations)
    gains = torch.from_numpy(advantages(values.numpy(), decisions, settings))
    log_odds = log_probabilities(scores, masks)
    descend(
        net,
        optimizer,
        DescentBatch(observations, masks, taken, log_odds, gains, values + gains),
        settings,
        rng,
    )


def log_probabilities(scores: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Return (N, A) logarithms of the chances of actions."""
    return torch.log_softmax(scores.masked_fill(~masks, _IMPOSSIBLE), 1)


def ppo_loss(net: ActorCritic, batch: DescentBatch, settings: PpoSettings) -> torch.Tensor:
    """Return the loss of decisions whose gains are already as they are to count."""
    scores, values = net(batch.observations)
    logs = log_probabilities(scores, batch.masks)
    before = batch.log_odds.gather(1, batch.taken[:, None])[:, 0]
    ratio = torch.exp(logs.gather(1, batch.taken[:, None])[:, 0] - before)
    clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
    gain = torch.minimum(ratio * batch.gains, clipped * batch.gains).mean()
    chances = logs.exp()
    entropy = -(chances * logs).sum(1).mean()
    error = (values - batch.targets).square().mean()
    loss: torch.Tensor = 0.5 * error - gain - settings.entropy * entropy
    if settings.kl:
        loss = loss + settings.kl * (chances * (logs - batch.log_odds)).sum(1).mean()
    return loss


def descend(
    net: ActorCritic,
    optimizer: torch.optim.Optimizer,
    batch: DescentBatch,
    settings: PpoSettings,
    rng: np.random.Generator,
) -> None:
    """Take the steps of descent of a batch."""
    gains = batch.gains
    spread = gains.std() if len(gains) > 1 else 0.0  # that of one number would be nan
    batch = batch._replace(gains=(gains - gains.mean()) / (spread + 1e-8))
    for _ in range(settings.epochs):
        order = torch.from_numpy(rng.permutation(len(gains)))
        for at in torch.split(order, settings.part):
            optimizer.zero_grad()
            loss = ppo_loss(net, DescentBatch(*(part[at] for part in batch)), settings)
            torch.autograd.backward(loss)
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()
