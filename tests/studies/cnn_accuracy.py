"""How well the network that sees hands predicts actions, beside simpler predictors.

    make study NAME="cnn-accuracy runs/deepstack.records --folds 4"
    make study NAME="cnn-accuracy runs/blueprint.records --held-out 0.1667"

Networks and simpler predictors are trained on records of `arena data cnn`, and judged on matches
that they have not seen: by folds, and by hands held out after learning from shares of the others.
An hour of one core or more; whatever is trained stays in the work folder.  Needs PyTorch.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.poker_cnn.cnn_records import CnnRecords
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
from agents.poker_cnn.train.cnn_plan import CnnPlan
from agents.poker_cnn.train.cnn_run import (
    NETWORK_LABEL,
    CnnRunSettings,
    check_split,
    held_out_hands,
)
from agents.poker_cnn.train.descent import load_weights, scores_of
from agents.poker_cnn.train.devices import prepare
from agents.poker_cnn.train.splitting import renumbered, share_out, units_of
from agents.poker_cnn.train.stage import Task, train_stage
from agents.poker_cnn.train.states import States
from agents.training.run_folder import alone_in, machine
from engine.console.arguments import count, real_number, whole_number
from engine.console.progress import RateLimiter
from engine.console.stopping import stop_on_signals
from tests.studies.frame import finite

if TYPE_CHECKING:
    import torch
    from numpy.typing import NDArray
    from torch import nn

    from agents.poker_cnn.train.descent import CnnEpoch
    from agents.poker_cnn.train.stage import OnEpoch

NETS: Final[dict[str, Callable[[int], nn.Module]]] = {
    NETWORK_LABEL: lambda seed: CnnNet(initial_weights(seed)),
    LOGISTIC: logistic,
    PERCEPTRON: perceptron,
    ON_PLANES: perceptron_on_planes,
}
ON_FEATURES: Final = (LOGISTIC, PERCEPTRON)
RATES: Final = {LOGISTIC: 100.0, PERCEPTRON: 3.0}
"""By how much these learn faster than the network: the best of some tried on other splits."""
_ASIDE: Final = 0.1
"""Share of what is learned from by which the best epoch is chosen."""


MOST_FOLDS: Final = 100
SMALL: Final = {"held_out": 0.5, "folds": 2, "shares": [1.0], "epochs": 1}


def add_options(parser: ArgumentParser) -> None:
    """Add the records, how they are cut, and the training."""
    add = parser.add_argument
    plan = CnnPlan()
    add("records", metavar="FILE", type=Path, help="records, as `arena data cnn` makes them")
    add(
        "--folds",
        metavar="K",
        type=whole_number(0, MOST_FOLDS),
        default=0,
        help="cut what is learned from into K parts, and judge each by nets that learned from the "
        "others (%(default)s: do not)",
    )
    add(
        "--held-out",
        metavar="SHARE",
        type=real_number(lambda value: 0 <= value < 1, "{}: want a number from 0 to less than 1"),
        default=0.0,
        help="of the hands, on which all are judged after learning from the others (%(default)s)",
    )
    add(
        "--shares",
        metavar="SHARE",
        nargs="+",
        type=real_number(lambda value: 0 < value <= 1, "{}: want a number above 0, 1 at most"),
        default=[0.25, 0.5, 1.0],
        help="of the other hands that the network learns from, one after the other (%(default)s)",
    )
    add("--epochs", metavar="N", type=count, default=plan.epochs, help="at most (%(default)s)")
    add("--seed", metavar="N", type=whole_number(0, 2**31 - 1), default=1, help="(%(default)s)")
    add("--threads", metavar="N", type=whole_number(1, 1024), default=1, help="(%(default)s)")


def result_name(options: Namespace) -> str:
    """Return the file of cross training, or of learning from more and more."""
    return f"cnn/{'accuracy' if options.folds else 'curve'}-{options.records.stem}.json"


def run(options: Namespace) -> dict[str, Any]:
    """Train what the work folder lacks; return how well each predictor is."""
    if options.folds == 1 or not (options.folds or options.held_out):
        raise ValueError("want --folds of 2 or more, --held-out or both")
    records = CnnRecords.load(options.records)
    begun = time.perf_counter()
    with alone_in(options.work, ()), stop_on_signals() as stop:
        facts = _accuracies(options, records, stop)
    return {
        **facts,
        "command": _command(options),
        "seconds": round(time.perf_counter() - begun),
        "machine": machine(),
        "records": records.made,
    }


def _command(options: Namespace) -> str:
    """Return the command line that does the same."""
    words = ["make study cnn-accuracy", options.records.name]
    if options.folds:
        words += ["--folds", str(options.folds)]
    if options.held_out:
        shares = map(str, options.shares)
        words += ["--held-out", str(options.held_out), "--shares", *shares]
    words += ["--epochs", str(options.epochs), "--seed", str(options.seed)]
    return " ".join([*words, "--threads", str(options.threads)])


def _accuracies(
    options: Namespace, records: CnnRecords, stop: Callable[[], bool]
) -> dict[str, Any]:
    device = prepare(options.threads)
    plan = CnnPlan(epochs=options.epochs, seed=options.seed)
    said = RateLimiter()
    units, states = units_of(records), States(records)
    study = AccuracyStudy(
        states, units, plan, options.work, device,
        lambda name, epoch: said(partial(_line, plan, name, epoch)), stop,
    )  # fmt: skip
    nets = tuple(NETS)
    held = held_out_hands(units, options.held_out)
    check_split(CnnRunSettings(plan, options.held_out, options.folds), units)
    facts: dict[str, Any] = {
        "plan": plan.facts(),
        "matches": len(np.unique(records.sessions)),
        "hands": len(units),
        "held_out_hands": int(held.sum()),
        "decisions": len(states),
    }
    if options.folds:
        scores = study.cross(~held, options.folds, nets)
        if scores is None:
            raise KeyboardInterrupt
        facts["folds"] = options.folds
        facts["cross"] = _cross_facts(study, scores, held)
    if options.held_out:
        for name in nets:
            shares = tuple(sorted(options.shares)) if name == nets[0] else (1.0,)
            points = study.curve(held, shares, name)
            if points is None:
                raise KeyboardInterrupt
            facts.setdefault("curve", {})[name] = [
                {"hands": one.hands, "decisions": one.decisions, **one.judged.facts()}
                for one in points
            ]
    return facts


def _cross_facts(study: AccuracyStudy, scores: dict[str, Any], held: Any) -> dict[str, Any]:
    chosen = np.flatnonzero(~held[study.states.records.hands])
    return {
        name: {
            **study.judge(found[chosen], chosen).facts(),
            "network_is_better": facts_of_gain(
                study.gain(scores[NETWORK_LABEL][chosen], found[chosen], chosen)
            ),
        }
        for name, found in scores.items()
    }


def _line(plan: CnnPlan, name: str, epoch: CnnEpoch) -> str:
    return (
        f"{name}: epoch {epoch.epoch} of {plan.epochs}: loss {epoch.loss:.4f}; aside "
        f"{epoch.aside_loss:.4f}, accuracy {epoch.aside_accuracy:.4f}"
    )


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
    told: OnEpoch | None = None
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
        self, held: NDArray[np.bool_], shares: tuple[float, ...], name: str = NETWORK_LABEL
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
        "ci95": finite(100 * gain.ci95),
    }
