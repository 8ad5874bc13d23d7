"""A network for each player, all of one shape: their layers are stacked, so a step takes all.

P players, B rows a player, F inputs, A actions:

    weights  a layer's (P, inputs, outputs) float32
    biases   a layer's (P, 1, outputs)      float32

Hidden layers are rectified.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch

from engine.networks.dense import DenseNetwork, legal_probabilities

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from agents.learners.learned_game import LearnedGame


class PlayerNets:
    """The networks of all players, and their descent.

    Attributes:
        parameters: weights and biases of all layers in turn.
    """

    def __init__(self, parameters: Sequence[torch.Tensor]) -> None:
        """Take the numbers."""
        self.parameters: Final = [tensor.requires_grad_() for tensor in parameters]

    @classmethod
    def drawn(cls, players: int, widths: Sequence[int], rng: np.random.Generator) -> PlayerNets:
        """Draw weights and biases evenly within 1 / sqrt(inputs).

        Args:
            widths: of inputs, hidden layers and outputs.
        """
        parameters = []
        for inputs, outputs in pairwise(widths):
            for rows in (inputs, 1):
                numbers = rng.uniform(-1, 1, (players, rows, outputs)) / np.sqrt(inputs)
                parameters.append(torch.from_numpy(numbers.astype(np.float32)))
        return cls(parameters)

    def copy(self) -> PlayerNets:
        """Return networks with the same numbers."""
        return PlayerNets([tensor.detach().clone() for tensor in self.parameters])

    def scores(self, x: torch.Tensor) -> torch.Tensor:
        """Return (P, B, A) scores of (P, B, F) inputs."""
        *hidden, (weights, biases) = zip(self.parameters[::2], self.parameters[1::2], strict=True)
        for layer, bias in hidden:
            x = torch.relu(torch.baddbmm(bias, x, layer))
        return torch.baddbmm(biases, x, weights)

    def copy_from(self, nets: PlayerNets) -> None:
        """Take the numbers of networks of the same shape."""
        with torch.no_grad():
            for mine, theirs in zip(self.parameters, nets.parameters, strict=True):
                mine.copy_(theirs)

    def dense(self, player: int) -> DenseNetwork:
        """Return a copy of a player's network."""
        numbers = [np.array(tensor.detach()[player].numpy()) for tensor in self.parameters]
        return DenseNetwork(
            tuple(numbers[::2]), tuple(bias[0] for bias in numbers[1::2]), "rectified"
        )

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """Return all numbers, as arrays whose names begin so."""
        return {
            f"{name}.{at}": tensor.detach().numpy().copy()
            for at, tensor in enumerate(self.parameters)
        }

    def restore(self, name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take what `arrays` returned.

        Raises:
            KeyError: an array is missing.
            ValueError: one is of another size, or holds what is no number.
        """
        restore_tensors(self.parameters, name, arrays)


def restore_tensors(
    tensors: Sequence[torch.Tensor], name: str, arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Fill tensors with the arrays NAME.0, NAME.1, ...; errors as for `PlayerNets.restore`."""
    with torch.no_grad():
        for at, tensor in enumerate(tensors):
            array = arrays[f"{name}.{at}"]
            if array.shape != tuple(tensor.shape) or not np.isfinite(array).all():
                raise ValueError(f"{name}.{at} is no layer of this network")
            tensor.copy_(torch.from_numpy(np.array(array, np.float32)))


def descend(loss: torch.Tensor, parameters: Sequence[torch.Tensor], rate: float) -> None:
    """Take a plain step down the gradient."""
    gradients = torch.autograd.grad(loss, parameters)
    with torch.no_grad():
        for tensor, gradient in zip(parameters, gradients, strict=True):
            tensor.sub_(gradient, alpha=rate)


class SeatScores:
    """What the players' networks say at all information sets of a game, each at its owner's.

    M information sets of the player who has most, in the game's order; what is behind a player's
    last is 0.

    Attributes:
        features: (P, M, F) float32.
        legal: (P, M, A) bool.
        numbers: (I,) int64, number of an information set among those of its owner.
    """

    def __init__(self, game: LearnedGame) -> None:
        """Gather what each player sees."""
        self._legal: Final = game.legal
        self._owner: Final = game.owner
        players = game.players
        mine = self._owner[None] == np.arange(players)[:, None]
        self.numbers: Final = (np.cumsum(mine, axis=1) - 1)[
            self._owner, np.arange(len(self._owner))
        ]
        size = players, int(mine.sum(axis=1).max())
        seen = np.zeros((*size, game.features.shape[1]), np.float32)
        seen[self._owner, self.numbers] = game.features
        legal = np.zeros((*size, game.legal.shape[1]), np.bool_)
        legal[self._owner, self.numbers] = game.legal
        self.features: Final = torch.from_numpy(seen)
        self.legal: Final = torch.from_numpy(legal)

    def scores(self, nets: PlayerNets) -> NDArray[np.float32]:
        """Return (I, A) float32."""
        with torch.no_grad():
            stacked: NDArray[np.float32] = nets.scores(self.features).numpy()
        scores: NDArray[np.float32] = stacked[self._owner, self.numbers]
        return scores

    def softmax(self, nets: PlayerNets) -> NDArray[np.float64]:
        """Return (I, A) float64 probabilities."""
        return legal_probabilities(self.scores(nets), self._legal)

    def greedy(self, nets: PlayerNets, explored: float) -> NDArray[np.float64]:
        """Return (I, A) float64 probabilities: the best action, but for a share of random ones."""
        best = np.where(self._legal, self.scores(nets), -np.inf).argmax(axis=1)
        policy: NDArray[np.float64] = (
            explored * self._legal / self._legal.sum(axis=1, keepdims=True)
        )
        policy[np.arange(len(best)), best] += 1 - explored
        return policy
