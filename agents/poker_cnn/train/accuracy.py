"""How well actions are predicted on hands held out: accuracy, log-loss, calibration.

Decisions of a match are dependent, so intervals are over matches, by the ratio estimator.  With N
decisions in U matches, of which the u-th has n and adds x, the mean m is the sum of x by N.  Its
95 % interval is that of U samples (x - m n) U / N.
Source: Cochran, "Sampling techniques", 3rd edition, 1977, chapter 6.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from engine.estimates.winrate import half_interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_UNITS: Final = 5
"""Fewer matches, or pieces of some, tell nothing of how sure a mean is."""
LEAST_CHANCE: Final = 1e-6
BINS: Final = 20
MAJORITY: Final = "majority"
ACTION_NAMES: Final = ("fold", "call", "raise")
STREET_NAMES: Final = ("preflop", "flop", "turn", "river")


class Proportion(NamedTuple):
    """A mean with its 95 % interval."""

    value: float
    ci95: float
    decisions: int


class Accuracy(NamedTuple):
    """A predictor on some decisions."""

    accuracy: Proportion
    log_loss: Proportion
    """Nats."""
    by_street: tuple[Proportion, ...]
    """Accuracy."""
    by_action: tuple[Proportion, ...]
    """Share of each action that was predicted."""
    reliability: tuple[tuple[float, float, int], ...]
    """Mean chance, share that happened, and count of each bin of chances that is filled."""

    def facts(self) -> dict[str, Any]:
        """Return it as plain values; None for an interval of too few matches."""
        return {
            "accuracy": _plain(self.accuracy),
            "log_loss": _plain(self.log_loss),
            "by_street": {
                name: _plain(accuracy) for name, accuracy in _named(STREET_NAMES, self.by_street)
            },
            "by_action": {
                name: _plain(accuracy) for name, accuracy in _named(ACTION_NAMES, self.by_action)
            },
            "reliability": [list(reliability_bin) for reliability_bin in self.reliability],
        }


def _plain(share: Proportion) -> list[float | None]:
    return [number if math.isfinite(number) else None for number in share]


def _named(names: tuple[str, ...], shares: tuple[Proportion, ...]) -> list[tuple[str, Proportion]]:
    return list(zip(names, shares, strict=True))


def judge(
    scores: NDArray[np.float32],
    taken: NDArray[np.int64],
    streets: NDArray[np.int64],
    units: NDArray[np.int64],
) -> Accuracy:
    """Return how well N decisions are predicted.

    Args:
        scores: (N, 3), -inf where an action is not legal.
        taken: (N,) codes of what was done.
        streets: (N,)
        units: (N,) the match, or piece of one, of each.
    """
    exact = scores.astype(np.float64)
    chances = np.exp(exact - exact.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    right = (exact.argmax(axis=1) == taken).astype(np.float64)
    nats = -np.log(np.maximum(chances[np.arange(len(taken)), taken], LEAST_CHANCE))
    return Accuracy(
        share_of(right, units),
        share_of(nats, units),
        tuple(share_of(right[streets == at], units[streets == at]) for at in range(4)),
        tuple(share_of(right[taken == at], units[taken == at]) for at in range(3)),
        _reliability(chances, taken, np.isfinite(scores)),
    )


def share_of(values: NDArray[np.float64], units: NDArray[np.int64]) -> Proportion:
    """Return the mean of some values and its interval over units; nan for none."""
    count = len(values)
    if not count:
        return Proportion(math.nan, math.inf, 0)
    mean = float(values.mean())
    _, numbers = np.unique(units, return_inverse=True)
    sums, sizes = np.bincount(numbers, weights=values), np.bincount(numbers)
    samples = (sums - mean * sizes) * len(sizes) / count
    if len(samples) < LEAST_UNITS:
        return Proportion(mean, math.inf, count)
    return Proportion(mean, half_interval(float(samples.std(ddof=1)), len(samples)), count)


def _reliability(
    chances: NDArray[np.float64], taken: NDArray[np.int64], legal: NDArray[np.bool_]
) -> tuple[tuple[float, float, int], ...]:
    happened = np.arange(chances.shape[1]) == taken[:, None]
    given, done = chances[legal], happened[legal]
    bins = np.minimum((given * BINS).astype(int), BINS - 1)
    return tuple(
        (float(given[bins == at].mean()), float(done[bins == at].mean()), int((bins == at).sum()))
        for at in range(BINS)
        if (bins == at).any()
    )
