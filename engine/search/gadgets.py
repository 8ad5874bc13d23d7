"""Gadgets that keep a subgame's new strategy safe; each a `engine.range_solver.root.RootGadget`.

p is the opponent of whoever searches, v[h] what its combo h wins by entering the subgame, in chips
per unit of the searcher's reach, and A[h] its alternative: what it is granted elsewhere.

    ResolveGadget  p is dealt h, then enters or takes A[h].  With K alternatives a combo, chance
                   draws one that p sees: an alternative known only up to an error
    MarginGadget   p picks h, chance deals the rest; everything below pays p A[h] less.  The
                   searcher makes the smallest margin A[h] - v[h] as large as it can

The alternatives make the technique: p's best-response values against the blueprint are Resolve and
Maxmargin as published, the blueprint's own values the Estimate forms, either raised by what p gave
away before the Reach forms, and `normal_alternatives` the distributional form.

Sources: Burch, Johanson, Bowling, "Solving imperfect information games using decomposition", AAAI
2014 (resolve); Moravcik, Schmid, Ha, Hladik, Gaukrodger, "Refining subgames in large imperfect
information games", AAAI 2016 (max-margin); Brown, Sandholm, "Safe and nested subgame solving for
imperfect-information games", NIPS 2017 (reach, estimate, distributional).
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import NormalDist
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.cfr.solver import StrategyKind
from engine.cfr.variants import Step
from engine.search.gadget_kernels import (
    ChoiceTables,
    learn_entries,
    learn_pick,
    match_pick,
    mean_entries,
)

QUANTILE_POINTS: Final = 8
"""The small-game oracle takes as many."""
_LEARNT: Final = ("regret", "matched", "sums")


class _Choice:
    """Regrets of a choice among the rows of some (A, ...) values, and its average."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        """Begin with equal chances for all rows."""
        regret, matched, sums = np.zeros((3, *shape))
        self.tables: Final = ChoiceTables(regret, matched, sums, _shares(matched))

    def chances(self, which: StrategyKind) -> NDArray[np.float64]:
        """Return the probability of each row: not a copy of the current ones."""
        average = which is StrategyKind.AVERAGE and self.tables.sums.any()
        return _shares(self.tables.sums) if average else self.tables.played

    def state(self) -> dict[str, NDArray[Any]]:
        """Return all that is learnt; not copies."""
        return {name: getattr(self.tables, name) for name in _LEARNT}

    def resume(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Take what another choice of the same shape has learnt.

        Raises:
            KeyError, ValueError: it has another shape.
        """
        for name, array in self.state().items():
            if state[name].shape != array.shape:
                raise ValueError(f"{name}: {state[name].shape} where {array.shape} is due")
        for name, array in self.state().items():
            array[:] = state[name]
        self.tables.played[:] = _shares(self.tables.matched)


def _shares(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the positive parts as shares of their sums over rows; even ones without any."""
    positive = np.maximum(numbers, 0)
    total = positive.sum(axis=0)
    return np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / len(positive))


class ResolveGadget:
    """Each combo of one player enters the subgame or takes its alternative."""

    def __init__(self, player: int, alternatives: ArrayLike, enters: float = 0.0) -> None:
        """Offer alternatives.

        Args:
            player: 0 or 1, who enters.
            alternatives: (H,) chips, or (K, H): each of K is offered with the same chance.
            enters: how often each combo enters at least.  Where none wants to, the searcher would
                learn nothing, and might fold the best hand to a player who entered all the same.

        Raises:
            ValueError: the player or the shape is another one, a number is not finite, or `enters`
                is no share below 1.
        """
        if not 0 <= enters < 1:
            raise ValueError(f"enters {enters:g}: want 0 to less than 1")
        self.enters: Final = enters
        self.player: Final = _checked_player(player)
        self.alternatives: Final = np.atleast_2d(_finite(alternatives, (1, 2)))
        """(K, H) chips."""
        self._choice: Final = _Choice((2, *self.alternatives.shape))
        self._current = self._factors(StrategyKind.CURRENT)

    def reach(self, which: StrategyKind) -> NDArray[np.float32]:
        """Return (2, H): how often each combo enters, and ones; not to be changed."""
        return self._current if which is StrategyKind.CURRENT else self._factors(which)

    def _factors(self, which: StrategyKind) -> NDArray[np.float32]:
        factors = np.ones((2, self.alternatives.shape[1]), np.float32)
        mean_entries(self._choice.chances(which)[0], self.enters, factors[self.player])
        return factors

    def observe(self, player: int, values: NDArray[np.float64], step: Step) -> None:
        """Add regrets for entering and for staying out.

        Raises:
            ValueError: values of another number of combos.
        """
        if player == self.player:
            _check_values(values, self.alternatives)
            learn_entries(values, self.alternatives, step, self._choice.tables)
            self._current = self._factors(StrategyKind.CURRENT)

    def best_response(
        self,
        player: int,
        values: NDArray[np.float64],
        weights: NDArray[np.float64],
        which: StrategyKind,
    ) -> float:
        """Return what a player wins who alone deviates; see `engine.range_solver.root`."""
        own_weights = weights[self.player]
        if player == self.player:
            better = np.maximum(values, self.alternatives).mean(axis=0)
            return float(own_weights @ (self.enters * values + (1 - self.enters) * better))
        stays = (1 - self.enters) * self._choice.chances(which)[1]
        taken = (stays * self.alternatives).mean(axis=0)
        return float(weights[player] @ values - own_weights @ taken)

    def identity(self) -> dict[str, NDArray[Any]]:
        """Return who enters, and what is offered."""
        return {
            "player": np.array(self.player),
            "alternatives": self.alternatives,
            "enters": np.array(self.enters),
        }

    def state(self) -> dict[str, NDArray[Any]]:
        """Return all that is learnt."""
        return self._choice.state()

    def resume(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Take the state of an equal gadget; errors as in `RootGadget`."""
        self._choice.resume(state)
        self._current = self._factors(StrategyKind.CURRENT)


class MarginGadget:
    """One player picks the combo with which it gains most over its alternative."""

    def __init__(self, player: int, alternatives: ArrayLike, weights: ArrayLike) -> None:
        """Offer all combos that can be dealt.

        Args:
            player: 0 or 1, who picks.
            alternatives: (H,) chips.
            weights: (H,) the probability that the player is dealt each combo when two hands of the
                ranges are that share no card; combos of weight 0 cannot be picked.

        Raises:
            ValueError: the player or a shape is another one, a number is not finite, or no weight
                is positive.
        """
        self.player: Final = _checked_player(player)
        self.alternatives: Final = _finite(alternatives, (1,))
        self.weights: Final = _finite(weights, (1,))
        self._held: Final = np.flatnonzero(self.weights > 0)
        if self.weights.shape != self.alternatives.shape or not len(self._held):
            raise ValueError("weights: want one for each alternative, some of them positive")
        self._choice: Final = _Choice((len(self._held),))
        self._current = self._factors(StrategyKind.CURRENT)

    def reach(self, which: StrategyKind) -> NDArray[np.float32]:
        """Return (2, H): how often each combo is picked, over its weight, and ones; as above."""
        return self._current if which is StrategyKind.CURRENT else self._factors(which)

    def _factors(self, which: StrategyKind) -> NDArray[np.float32]:
        factors = np.ones((2, len(self.weights)), np.float32)
        factors[self.player] = 0
        factors[self.player, self._held] = self._choice.chances(which) / self.weights[self._held]
        return factors

    def observe(self, player: int, values: NDArray[np.float64], step: Step) -> None:
        """Add regrets for having picked other combos; errors as above."""
        if player == self.player:
            _check_values(values, self.alternatives)
            learn_pick(values, self.alternatives, self._held, step, self._choice.tables)
            self._current = self._factors(StrategyKind.CURRENT)

    def best_response(
        self,
        player: int,
        values: NDArray[np.float64],
        weights: NDArray[np.float64],
        which: StrategyKind,
    ) -> float:
        """Return what a player wins who alone deviates; see `engine.range_solver.root`."""
        granted = self.alternatives[self._held]
        if player == self.player:
            return float((values[self._held] - granted).max())
        return float(weights[player] @ values + self._choice.chances(which) @ granted)

    def identity(self) -> dict[str, NDArray[Any]]:
        """Return who picks, and what is granted."""
        return {
            "player": np.array(self.player),
            "alternatives": self.alternatives,
            "weights": self.weights,
        }

    def state(self) -> dict[str, NDArray[Any]]:
        """Return all that is learnt."""
        return self._choice.state()

    def resume(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Take the state of an equal gadget; errors as in `RootGadget`."""
        self._choice.resume(state)
        # sums in the kernel's order, so that what follows is the same to the bit
        match_pick(self._choice.tables.matched, self._choice.tables.played)
        self._current = self._factors(StrategyKind.CURRENT)


def normal_alternatives(
    mean: ArrayLike, spread: ArrayLike, points: int = QUANTILE_POINTS
) -> NDArray[np.float64]:
    """Return alternatives that are normally distributed, for `ResolveGadget`.

    Args:
        mean: (H,) chips.
        spread: (H,) standard deviations in chips, or one for all; 0 for none.
        points: K, the middles of so many quantiles stand for the distribution.

    Returns:
        (K, H) float64 chips.

    Raises:
        ValueError: `points` is not positive, a spread is negative, or a number is not finite.
    """
    if points < 1:
        raise ValueError(f"{points} points: want at least 1")
    means = _finite(mean, (1,))
    spreads = np.broadcast_to(_finite(spread, (0, 1)), means.shape)
    if (spreads < 0).any():
        raise ValueError("a spread is negative")
    normal = NormalDist()
    offsets = np.array([normal.inv_cdf((point + 0.5) / points) for point in range(points)])
    alternatives: NDArray[np.float64] = means + offsets[:, None] * spreads
    return alternatives


def _checked_player(player: int) -> int:
    if player not in (0, 1):
        raise ValueError(f"player {player}: want 0 or 1")
    return player


def _check_values(values: NDArray[np.float64], alternatives: NDArray[np.float64]) -> None:
    if values.shape != alternatives.shape[-1:]:
        raise ValueError(f"values: want {alternatives.shape[-1:]}, got {values.shape}")


def _finite(numbers: ArrayLike, dimensions: tuple[int, ...]) -> NDArray[np.float64]:
    array = np.asarray(numbers, np.float64)
    if array.ndim not in dimensions or not np.isfinite(array).all():
        raise ValueError(f"alternatives, spreads and weights: {array.shape}, or not all finite")
    return array
