"""Proximal policy optimization in self-play, and magnetic mirror descent, one term apart.

One actor-critic plays all positions.  After each batch of hands it learns from its decisions by
`agents.training.actor_critic`; a high entropy, which falls with the steps, keeps the policies of
the players from chasing each other.  What is to be played is the running mean of its weights, which
goes through less than the weights themselves.  Sources: see `agents.learners.configuration`.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch

from agents.learners.model import SOFTMAX, LearnedNetworks
from agents.learners.self_play_kernels import gains_of
from agents.learners.train.player_nets import restore_tensors
from agents.training.actor_critic import (
    ActorCritic,
    DescentBatch,
    PpoSettings,
    descend,
    log_probabilities,
)
from engine.networks.dense import legal_probabilities

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from agents.learners.configuration import PolicyGradientSettings
    from agents.learners.learned_game import LearnedGame

_ADAM: Final = ("step", "exp_avg", "exp_avg_sq")


class PolicyGradientLearner:
    """A `agents.learners.train.learner.SelfPlayLearner`."""

    def __init__(
        self, game: LearnedGame, settings: PolicyGradientSettings, rng: np.random.Generator
    ) -> None:
        """Draw a network."""
        self._game: Final = game
        self._settings: Final = settings
        self._rng: Final = rng
        self._features: Final = torch.from_numpy(game.features)
        self._legal: Final = torch.from_numpy(game.legal)
        self._net: Final = ActorCritic(game.features.shape[1], game.legal.shape[1], settings.hidden)
        self._draw()
        self._mean: Final = copy.deepcopy(self._net)
        self._batches = 0
        self._optimizer: Final = torch.optim.Adam(self._net.parameters(), settings.rate)

    def learn(self, done: float, limit: int) -> int:
        """Play a batch of hands and learn from it; see `SelfPlayLearner`."""
        game, settings = self._game, self._settings
        with torch.no_grad():
            scores, values = self._net(self._features)
            logs = log_probabilities(scores, self._legal)
        policy = game.profile(legal_probabilities(scores.numpy(), game.legal))
        chosen = np.zeros((settings.hands, game.players), np.int8)
        decisions = game.play(policy[None], chosen, self._rng, limit)
        values = values.numpy()[decisions.info_set]
        gains = np.empty(len(values))
        gains_of(values, decisions.following, decisions.won / game.scale, settings.lam, gains)
        info_sets = torch.from_numpy(decisions.info_set.astype(np.int64))
        gain = torch.from_numpy(gains.astype(np.float32))
        batch = DescentBatch(
            self._features[info_sets],
            self._legal[info_sets],
            torch.from_numpy(game.columns[decisions.action]),
            logs[info_sets],
            gain,
            torch.from_numpy(values) + gain,
        )
        for group in self._optimizer.param_groups:
            group["lr"] = settings.rate * (1 - done)
        descend(self._net, self._optimizer, batch, self._descent(done), self._rng)
        self._batches += 1
        newest = max(settings.newest, 1 / (self._batches + 1))
        with torch.no_grad():
            for mean, tensor in zip(self._mean.parameters(), self._net.parameters(), strict=True):
                mean.lerp_(tensor, newest)
        return len(values)

    def profile(self) -> NDArray[np.float64]:
        """Return the mean actor's policy, a flat profile."""
        with torch.no_grad():
            scores, _ = self._mean(self._features)
        return self._game.profile(legal_probabilities(scores.numpy(), self._game.legal))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the network, the mean, and the state of the descent."""
        tensors = list(self._net.parameters())
        states = [self._optimizer.state[tensor] for tensor in tensors]
        arrays = {"batches": np.array(self._batches)}
        for name, net in (("net", self._net), ("mean", self._mean)):
            for at, tensor in enumerate(net.parameters()):
                arrays[f"{name}.{at}"] = tensor.detach().numpy().copy()
        for name in _ADAM if all(states) else ():
            arrays |= {f"{name}.{at}": state[name].numpy() for at, state in enumerate(states)}
        return arrays

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take them.  Raises KeyError, ValueError: they are of another learner."""
        tensors = list(self._net.parameters())
        restore_tensors(tensors, "net", arrays)
        restore_tensors(list(self._mean.parameters()), "mean", arrays)
        self._batches = int(arrays["batches"])
        if "step.0" not in arrays:
            return
        for tensor in tensors:
            blank = torch.zeros_like(tensor)
            self._optimizer.state[tensor] = {
                "step": torch.tensor(0.0),
                "exp_avg": blank,
                "exp_avg_sq": blank.clone(),
            }
        for name in _ADAM:
            restore_tensors(
                [self._optimizer.state[tensor][name] for tensor in tensors], name, arrays
            )

    def networks(self) -> LearnedNetworks:
        """Return the mean actor, one for all positions."""
        return LearnedNetworks(SOFTMAX, ((self._mean.policy(),),), (1.0,))

    def _draw(self) -> None:
        """Draw the network by our generator, evenly within 1 / sqrt(inputs) as torch does."""
        with torch.no_grad():
            net = self._net
            for layer in (net.first, net.second, net.actions, net.value):
                bound = layer.in_features**-0.5
                for tensor in (layer.weight, layer.bias):
                    drawn = self._rng.uniform(-bound, bound, tuple(tensor.shape))
                    tensor.copy_(torch.from_numpy(drawn.astype(np.float32)))

    def _descent(self, done: float) -> PpoSettings:
        settings = self._settings
        return PpoSettings(
            steps=0,
            seed=0,
            epochs=settings.epochs,
            part=settings.part,
            clip=settings.clip,
            entropy=settings.entropy + done * (settings.entropy_end - settings.entropy),
            kl=settings.kl,
        )
