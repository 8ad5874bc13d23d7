"""A small example: PPO learns in our Gymnasium environment to beat a bot of ours.

Sources: Schulman, Wolski, Dhariwal, Radford, Klimov, "Proximal policy optimization algorithms",
2017; for advantages, Schulman, Moritz, Levine, Jordan, Abbeel, "High-dimensional continuous control
using generalized advantage estimation", 2016.  An episode is a hand, its only reward at the end, so
nothing is discounted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import torch
from torch import nn

from agents.bridges.gymnasium_env import PokerEnv
from agents.bridges.ppo_bot import ToyPolicy
from engine.networks.dense import DenseNetwork
from engine.play.environment import POTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from protocol.gamedef import GameDef

HIDDEN: Final = 64


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
    unit: float = 10.0
    """Big blinds that count as 1 in the value's error."""


class Net(nn.Module):
    """Scores of actions, and the value of a hand for the player."""

    def __init__(self, width: int, actions: int) -> None:
        super().__init__()
        self.first = nn.Linear(width, HIDDEN)
        self.second = nn.Linear(HIDDEN, HIDDEN)
        self.actions = nn.Linear(HIDDEN, actions)
        self.value = nn.Linear(HIDDEN, 1)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (N, A) scores and (N,) values of (N, width) observations."""
        x = torch.relu(self.second(torch.relu(self.first(x))))
        return self.actions(x), self.value(x)[:, 0]

    def policy(self) -> DenseNetwork:
        """Return a copy as `ToyPolicy` has it, the value left out."""
        layers = self.first, self.second, self.actions
        weights = [np.ascontiguousarray(layer.weight.detach().numpy().T) for layer in layers]
        biases = [layer.bias.detach().numpy().copy() for layer in layers]
        return DenseNetwork(tuple(weights), tuple(biases), "rectified")


class PpoBatch(NamedTuple):
    """N decisions."""

    seen: torch.Tensor
    """(N, width)"""
    masks: torch.Tensor
    """(N, A) bool"""
    taken: torch.Tensor
    """(N,) int64"""
    log_odds: torch.Tensor
    """(N,) of what was taken, when it was."""
    ends: NDArray[np.bool_]
    """(N,) whether the hand ended with it."""
    won: NDArray[np.float64]
    """(N,) big blinds, at the ends of hands."""


def train_ppo(
    game: GameDef,
    bot: str,
    settings: PpoSettings,
    told: Callable[[int, float], None] = lambda steps, won: None,
) -> ToyPolicy:
    """Learn to play a game for two against a bot.

    Args:
        bot: as `arena agent` takes it.
        told: gets decisions made and big blinds won per hand since it was last told.

    Raises:
        AgentError: there is no such bot, or it does not play the game.
        ValueError: the game is not for two.
    """
    torch.manual_seed(settings.seed)
    rng = np.random.default_rng(settings.seed)
    env = PokerEnv(game, [bot])
    net = Net(env.episodes.table.width, env.episodes.table.actions)
    optimizer = torch.optim.Adam(net.parameters(), settings.rate)
    facts = {"against": bot, "steps": settings.steps, "seed": settings.seed}
    pots = POTS if game.no_limit else ()
    policy = ToyPolicy(game, pots, net.policy(), facts)
    shown, _ = env.reset(seed=settings.seed)
    for begun in range(0, settings.steps, settings.batch):
        size = min(settings.batch, settings.steps - begun)
        batch, shown = _play(env, policy, shown, size, rng)
        for group in optimizer.param_groups:
            group["lr"] = settings.rate * (1 - begun / settings.steps)
        _improve(net, optimizer, batch, settings, rng)
        policy = ToyPolicy(game, pots, net.policy(), facts)
        told(begun + size, batch.won.sum() / max(batch.ends.sum(), 1))
    return policy


def _play(
    env: PokerEnv, policy: ToyPolicy, shown: dict[str, Any], size: int, rng: np.random.Generator
) -> tuple[PpoBatch, dict[str, Any]]:
    """Make so many decisions; return them, and what is seen next."""
    table = env.episodes.table
    seen = np.zeros((size, table.width), np.float32)
    masks = np.zeros((size, table.actions), np.bool_)
    taken = np.zeros(size, np.int64)
    log_odds = np.zeros(size, np.float32)
    ends = np.zeros(size, np.bool_)
    won = np.zeros(size)
    for i in range(size):
        seen[i], masks[i] = shown["observation"], shown["action_mask"]
        odds = policy.probabilities(seen[i], masks[i])
        taken[i] = rng.choice(table.actions, p=odds)
        log_odds[i] = np.log(odds[taken[i]])
        shown, won[i], ends[i], _, _ = env.step(int(taken[i]))
        if ends[i]:
            shown, _ = env.reset()
    seen_then, mask_then, action, logs = map(torch.from_numpy, (seen, masks, taken, log_odds))
    return PpoBatch(seen_then, mask_then, action, logs, ends, won), shown


def _advantages(
    values: NDArray[np.float32], batch: PpoBatch, settings: PpoSettings
) -> NDArray[np.float32]:
    """Return (N,) how much better than expected each decision turned out; of whole hands only.

    What follows the last decision is not known if its hand went on; it counts as expected.
    """
    found = np.zeros(len(values), np.float32)
    later, gain = values[-1], 0.0
    for i in reversed(range(len(values))):
        if batch.ends[i]:
            later, gain = np.float32(batch.won[i] / settings.unit), 0.0
        gain = later - values[i] + settings.lam * gain
        found[i] = gain
        later = values[i]
    return found


def _improve(
    net: Net,
    optimizer: torch.optim.Optimizer,
    batch: PpoBatch,
    settings: PpoSettings,
    rng: np.random.Generator,
) -> None:
    """Take the steps of descent of a batch."""
    with torch.no_grad():
        values = net(batch.seen)[1]
    gains = torch.from_numpy(_advantages(values.numpy(), batch, settings))
    targets = values + gains
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    for _ in range(settings.epochs):
        order = torch.from_numpy(rng.permutation(len(gains)))
        for at in torch.split(order, settings.part):
            scores, value = net(batch.seen[at])
            logs = torch.log_softmax(scores.masked_fill(~batch.masks[at], -1e9), 1)
            ratio = torch.exp(logs.gather(1, batch.taken[at, None])[:, 0] - batch.log_odds[at])
            clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            gain = torch.minimum(ratio * gains[at], clipped * gains[at]).mean()
            entropy = -(logs.exp() * logs).sum(1).mean()
            error = (value - targets[at]).square().mean()
            optimizer.zero_grad()
            (0.5 * error - gain - settings.entropy * entropy).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()
