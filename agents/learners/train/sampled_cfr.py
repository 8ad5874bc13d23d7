"""Single deep CFR: networks that predict advantages, which external sampling measures.

An iteration t traverses the game often for each player against the policies that match the
positive scores of all networks.  Each advantage joins a reservoir with the weight t, and the
networks are drawn anew and fitted to it,

    loss = mean over rows of t / T times the sum over legal a of (V(s, a) - advantage(s, a))^2

A step of descent takes the whole reservoir.  Its rows are joined to their weighted mean at each
information set, which leaves the gradient as it is and makes a batch of I rows at most.  Of more
than `MOST_ROWS` of a player a step takes so many, drawn by their weights.

What is played is the average of all iterations, t as weight: a hand draws an iteration and plays
its networks throughout.  The average's flat profile is summed exactly on the way, by the reach of
each player.  With a table in the networks' part, which adds up advantages, this is
external-sampling CFR with linear weights.  Sources: see `agents.learners.configuration`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch

from agents.learners.memories import ReservoirMemory, advantage_row
from agents.learners.model import REGRETS, LearnedNetworks, match_scores
from agents.learners.train.player_nets import PlayerNets, SeatScores

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from agents.learners.configuration import SampledCfrSettings
    from agents.learners.learned_game import LearnedGame, SampledAdvantages

MOST_ROWS: Final = 1 << 14
"""Information sets of a player in a step of descent."""
_JOINED_AT_ONCE: Final = 1 << 20
"""Rows of a reservoir; they take twice their own memory."""
_FIRST_ITERATIONS: Final = 64
"""Whose networks there is place for at first."""


def advantage_loss(
    nets: PlayerNets,
    x: torch.Tensor,
    legal: torch.Tensor,
    wanted: torch.Tensor,
    weights: torch.Tensor,
) -> torch.Tensor:
    """Return (P,) the weighted mean squared error of each player's batch.

    Args:
        x: (P, B, F)
        legal: (P, B, A)
        wanted: (P, B, A), 0 where an action is not legal.
        weights: (P, B), 1 in all for each player.
    """
    errors = (nets.scores(x) * legal - wanted).square().sum(2)
    return (weights * errors).sum(1)


def joined_rows(
    rows: NDArray[Any], numbers: NDArray[np.int64], size: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return what a player remembers, its rows joined at each of its information sets.

    Args:
        rows: as of `agents.learners.memories.advantage_row`.
        numbers: (I,) number of each information set among those of its owner.
        size: M, rows of the result.

    Returns:
        (M, A) weighted means of advantages, (M,) shares of the weight: 0 where nothing was met.
    """
    totals, sums = np.zeros(size), np.zeros((size, rows["advantages"].shape[1]))
    for first in range(0, len(rows), _JOINED_AT_ONCE):
        part = rows[first : first + _JOINED_AT_ONCE]
        at, weights = numbers[part["info_set"]], part["weight"].astype(np.float64)
        totals += np.bincount(at, weights, size)
        columns = part["advantages"].T * weights
        sums += np.stack([np.bincount(at, column, size) for column in columns], axis=1)
    means = sums / np.where(totals > 0, totals, 1.0)[:, None]
    return means.astype(np.float32), (totals / max(totals.sum(), 1e-9)).astype(np.float32)


class SampledCfrLearner:
    """A `agents.learners.train.learner.SelfPlayLearner`."""

    def __init__(
        self, game: LearnedGame, settings: SampledCfrSettings, rng: np.random.Generator
    ) -> None:
        """Draw networks; nothing is remembered yet."""
        self._game: Final = game
        self._settings: Final = settings
        self._rng: Final = rng
        self._players: Final = game.players
        self._row: Final = advantage_row(game.legal.shape[1])
        self._memories: Final = [
            ReservoirMemory(settings.reservoir, self._row) for _ in range(game.players)
        ]
        self._seats: Final = SeatScores(game)
        self._features: Final = torch.from_numpy(game.features)
        self._legal: Final = torch.from_numpy(game.legal)
        self._widths: Final = (game.features.shape[1], *settings.hidden, game.legal.shape[1])
        self._nets = PlayerNets.drawn(game.players, self._widths, rng)
        self._table: Final = np.zeros(game.legal.shape)
        self._sums: Final = np.zeros(game.flat_actions)
        shapes = [tuple(tensor.shape) for tensor in self._nets.parameters]
        ends = np.cumsum([math.prod(shape) for shape in shapes]).tolist()
        self._layers: Final = [
            (slice(first, end), shape)
            for first, end, shape in zip((0, *ends[:-1]), ends, shapes, strict=True)
        ]
        # A row of all numbers for each, in one block: small tensors that stay came to lie between
        # the large ones of descent, and the process grew by 22 MB an iteration.
        self._iterations = np.zeros((_FIRST_ITERATIONS, ends[-1]), np.float32)
        self._count = 0

    def learn(self, done: float, limit: int) -> int:
        """Run an iteration."""
        self._count += 1
        policy = self._game.profile(self._matched())
        self._sums[:] += self._count * self._game.reaches(policy)
        met = 0
        for player in range(self._players):
            sampled = self._game.traverse(policy, player, self._settings.traversals, self._rng)
            met += sampled.decisions
            if self._settings.tabular:
                np.add.at(self._table, sampled.info_sets, self._count * sampled.advantages)
            else:
                self._remember(player, sampled)
        if not self._settings.tabular:
            self._reserve(self._count)
            numbers = [tensor.detach().numpy().ravel() for tensor in self._nets.parameters]
            self._iterations[self._count - 1] = np.concatenate(numbers)
            self._fit()
        return met

    def profile(self) -> NDArray[np.float64]:
        """Return the average of all iterations, a flat profile."""
        return self._game.normalized(self._sums)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return sums, tables, memories, and the networks of all iterations."""
        arrays: dict[str, NDArray[Any]] = {
            "count": np.array(self._count),
            "table": self._table.copy(),
            "sums": self._sums.copy(),
            **self._nets.arrays("nets"),
        }
        for player, memory in enumerate(self._memories):
            arrays |= memory.arrays(f"reservoir{player}")
        stored = [] if self._settings.tabular or not self._count else self._layers
        for at, (part, shape) in enumerate(stored):
            rows = self._iterations[: self._count, part]
            arrays[f"iterations.{at}"] = rows.reshape(self._count, *shape)
        return arrays

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take them.  Raises KeyError, ValueError: they are of another learner."""
        for name, array in (("table", self._table), ("sums", self._sums)):
            if arrays[name].shape != array.shape or not np.isfinite(arrays[name]).all():
                raise ValueError(f"{name} of another learner")
            array[:] = arrays[name]
        self._nets.restore("nets", arrays)
        for player, memory in enumerate(self._memories):
            memory.restore(f"reservoir{player}", arrays)
        self._count = int(arrays["count"])
        if self._settings.tabular:
            return
        for at, (part, shape) in enumerate(self._layers if self._count else ()):
            layers = arrays[f"iterations.{at}"]
            if layers.shape != (self._count, *shape) or not np.isfinite(layers).all():
                raise ValueError(f"iterations.{at} is no layer of this network")
            self._reserve(self._count)
            self._iterations[: self._count, part] = layers.reshape(self._count, -1)

    def networks(self) -> LearnedNetworks | None:
        """Return the networks of all iterations, those of later ones with more weight."""
        if self._settings.tabular:
            return None
        policies = tuple(
            tuple(nets.dense(player) for player in range(self._players))
            for nets in map(self._networks_of, self._iterations[: self._count])
        )
        return LearnedNetworks(REGRETS, policies, tuple(range(1, len(policies) + 1)))

    def _networks_of(self, row: NDArray[np.float32]) -> PlayerNets:
        return PlayerNets(
            [torch.from_numpy(row[part].reshape(shape)) for part, shape in self._layers]
        )

    def _reserve(self, iterations: int) -> None:
        """Make place for the networks of so many iterations, at least."""
        stored = self._iterations
        if iterations > len(stored):
            rows = max(iterations, 2 * len(stored))
            self._iterations = np.zeros((rows, stored.shape[1]), np.float32)
            self._iterations[: len(stored)] = stored

    def _matched(self) -> NDArray[np.float64]:
        """Return (I, A) the policy of this iteration."""
        scores = self._table if self._settings.tabular else self._seats.scores(self._nets)
        return match_scores(scores, self._game.legal)

    def _remember(self, player: int, sampled: SampledAdvantages) -> None:
        rows = np.zeros(len(sampled.info_sets), self._row)
        rows["info_set"] = sampled.info_sets
        rows["weight"] = self._count
        rows["advantages"] = sampled.advantages / self._game.scale
        self._memories[player].add(rows, self._rng)

    def _fit(self) -> None:
        """Fit networks to what is remembered."""
        seats = self._seats
        joined = [
            joined_rows(memory.rows, seats.numbers, seats.features.shape[1])
            for memory in self._memories
        ]
        wanted, weights = (torch.from_numpy(np.stack(parts)) for parts in zip(*joined, strict=True))
        self._nets = PlayerNets.drawn(self._players, self._widths, self._rng)
        optimizer = torch.optim.Adam(self._nets.parameters, self._settings.rate)
        for _ in range(self._settings.steps):
            optimizer.zero_grad()
            x, legal, means, shares = seats.features, seats.legal, wanted, weights
            if weights.shape[1] > MOST_ROWS:
                at = self._drawn(weights)
                x, legal, means = (_taken(part, at) for part in (x, legal, means))
                shares = weights.sum(1, keepdim=True).expand(at.shape) / MOST_ROWS
            losses = advantage_loss(self._nets, x, legal, means, shares)
            torch.autograd.backward(losses.sum())
            optimizer.step()

    def _drawn(self, weights: torch.Tensor) -> torch.Tensor:
        """Return (P, MOST_ROWS) int64 information sets of each player, drawn by their weights."""
        drawn = []
        for shares in weights.numpy():
            sums = np.cumsum(shares, dtype=np.float64)
            at = np.searchsorted(sums, self._rng.random(MOST_ROWS) * sums[-1], side="right")
            drawn.append(np.minimum(at, len(sums) - 1))
        return torch.from_numpy(np.stack(drawn))


def _taken(rows: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
    """Return (P, B, ...) rows (P, M, ...) at (P, B) numbers."""
    return rows[torch.arange(len(rows))[:, None], at]
