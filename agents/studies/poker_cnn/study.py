"""The network beside its baselines on matches held out, and over shares of what is learned from."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.poker_cnn.net import CnnNet
from agents.poker_cnn.shape import initial_weights
from agents.poker_cnn.train.accuracy import MAJORITY, Accuracy, Proportion, judge, share_of
from agents.poker_cnn.train.baselines import (
    LOGISTIC,
    ON_PLANES,
    PERCEPTRON,
    logistic,
    majority_scores,
    perceptron,
    perceptron_on_planes,
)
from agents.poker_cnn.train.descent import load_weights, scores_of
from agents.poker_cnn.train.run import OWN
from agents.poker_cnn.train.splitting import renumbered, share_out
from agents.poker_cnn.train.stage import Task, train_stage

if TYPE_CHECKING:
    from pathlib import Path

    import torch
    from numpy.typing import NDArray
    from torch import nn

    from agents.poker_cnn.train.plan import CnnPlan
    from agents.poker_cnn.train.stage import Told
    from agents.poker_cnn.train.states import States

NETS: Final[dict[str, Callable[[int], nn.Module]]] = {
    OWN: lambda seed: CnnNet(initial_weights(seed)),
    LOGISTIC: logistic,
    PERCEPTRON: perceptron,
    ON_PLANES: perceptron_on_planes,
}
ON_FEATURES: Final = (LOGISTIC, PERCEPTRON)
RATES: Final = {LOGISTIC: 100.0, PERCEPTRON: 3.0}
"""By how much these learn faster than the network: the best of some tried on other splits."""
_ASIDE: Final = 0.1
"""Share of what is learned from by which the best epoch is chosen."""


class CurvePoint(NamedTuple):
    """The network after learning from some hands."""

    hands: int
    decisions: int
    judged: Accuracy


@dataclass(slots=True)
class AccuracyStudy:
    """Trains and judges, and keeps what is trained in a folder, from which it goes on.

    Attributes:
        states: all decisions.
        units: (H,) of hands.
        plan: of all trainings.
        folder: of their checkpoints.
        device: where they run.
        told: after each epoch.
        stop: asked after each epoch whether to end.
    """

    states: States
    units: NDArray[np.int64]
    plan: CnnPlan
    folder: Path
    device: torch.device
    told: Told | None = None
    stop: Callable[[], bool] = lambda: False

    def cross(
        self, learned: NDArray[np.bool_], folds: int, nets: tuple[str, ...]
    ) -> dict[str, NDArray[np.float32]] | None:
        """Return the scores of every decision of some hands by nets that did not see its match.

        (S, 3) for each net and the majority, nan where a hand is not among `learned`; None where
        it was stopped.
        """
        scores = {
            name: np.full((len(self.states), 3), np.nan, np.float32) for name in (*nets, MAJORITY)
        }
        fold_of = np.full(len(self.units), -1)
        own = np.flatnonzero(learned)
        rng = np.random.default_rng(self.plan.seed)
        fold_of[own] = share_out(renumbered(self.units[own]), [1 / folds] * folds, rng)
        for fold in range(folds):
            judged = self._of(fold_of == fold)
            seen = learned & (fold_of != fold)
            for name in nets:
                found = self._train(f"{name}, fold {fold + 1}", name, seen, judged)
                if found is None:
                    return None
                scores[name][judged] = found
            legal = np.isfinite(scores[nets[0]][judged])
            scores[MAJORITY][judged] = majority_scores(self.states.taken[self._of(seen)], legal)
        return scores

    def curve(
        self, held: NDArray[np.bool_], shares: tuple[float, ...], name: str = OWN
    ) -> list[CurvePoint] | None:
        """Return what a net is after learning from shares of the hands that are not held out."""
        learned = np.flatnonzero(~held)
        units = renumbered(self.units[learned])
        judged = self._of(held)
        points = []
        for share in shares:
            seen = np.zeros(len(held), np.bool_)
            rng = np.random.default_rng(self.plan.seed)
            parts = [share, 1 - share] if share < 1 else [1.0]
            seen[learned] = share_out(units, parts, rng) == 0
            found = self._train(f"{name}, {int(seen.sum())} hands", name, seen, judged)
            if found is None:
                return None
            count = int(seen[self.states.records.hands].sum())
            points.append(CurvePoint(int(seen.sum()), count, self.judge(found, judged)))
        return points

    def judge(self, scores: NDArray[np.float32], chosen: NDArray[np.int64]) -> Accuracy:
        """Return how well some decisions are predicted."""
        return judge(
            scores, self.states.taken[chosen], self.states.streets[chosen],
            self.units[self.states.records.hands[chosen]],
        )  # fmt: skip

    def gain(
        self,
        one: NDArray[np.float32],
        other: NDArray[np.float32],
        chosen: NDArray[np.int64],
    ) -> Proportion:
        """Return how much more accurate the first scores are on the same decisions."""
        taken = self.states.taken[chosen]
        right = [(scores.argmax(axis=1) == taken).astype(np.float64) for scores in (one, other)]
        return share_of(right[0] - right[1], self.units[self.states.records.hands[chosen]])

    def _of(self, hands: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the decisions of some hands."""
        return np.flatnonzero(hands[self.states.records.hands])

    def _train(
        self, what: str, name: str, seen: NDArray[np.bool_], judged: NDArray[np.int64]
    ) -> NDArray[np.float32] | None:
        """Train a net on some hands; return its scores of some decisions."""
        states, device = self.states, self.device
        inputs = states.features if name in ON_FEATURES else states.planes
        own = np.flatnonzero(seen)
        rng = np.random.default_rng(self.plan.seed + 1)
        aside = np.zeros(len(seen), np.bool_)
        aside[own] = share_out(renumbered(self.units[own]), [_ASIDE, 1 - _ASIDE], rng) == 0
        net = NETS[name](self.plan.seed).to(device)
        faster = RATES.get(name, 1.0)
        plan = replace(
            self.plan, rate=faster * self.plan.rate, rate_last=faster * self.plan.rate_last
        )
        task = Task(what, net, inputs, states, seen & ~aside, aside, plan, device)
        path = self.folder / f"{what.replace(', ', '-').replace(' ', '-')}.checkpoint"
        found = train_stage(task, path, self.told, self.stop)
        if found is None:
            return None
        load_weights(net, found.best)
        return scores_of(net, inputs, judged, device)


def facts_of_gain(gain: Proportion) -> dict[str, Any]:
    """Return it as plain values."""
    return {
        "points": 100 * gain.value,
        "ci95": 100 * gain.ci95 if math.isfinite(gain.ci95) else None,
    }
