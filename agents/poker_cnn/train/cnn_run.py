"""A training run: folds, the final training on all training hands, and the network's file.

checkpoint             what the run is, so that no other one is resumed in its folder
fold-K.checkpoint      the training without fold K, judged on it
all.checkpoint         the training on all folds, for as many epochs as were best for the others
cnn.network            the result
cnn.json               how it was made, and how it does on the hands held out
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.errors import TrainingError
from agents.poker_cnn.model import SUFFIX, CnnModel
from agents.poker_cnn.net import CnnNet
from agents.poker_cnn.shape import initial_weights
from agents.poker_cnn.train.accuracy import MAJORITY, Accuracy, judge
from agents.poker_cnn.train.baselines import majority_scores
from agents.poker_cnn.train.descent import load_weights, scores_of
from agents.poker_cnn.train.splitting import renumbered, share_out, units_of
from agents.poker_cnn.train.stage import OnEpoch, Task, train_stage
from agents.poker_cnn.train.states import States
from agents.training.run_folder import RunFolder, machine
from engine.storage.artifacts import Kind
from engine.storage.atomic import write_whole

if TYPE_CHECKING:
    import torch
    from numpy.typing import NDArray

    from agents.poker_cnn.cnn_records import CnnRecords
    from agents.poker_cnn.train.cnn_plan import CnnPlan

RUN: Final = Kind("Poker-CNN run", 2, "begin it again, in another folder")
NETWORK: Final = f"cnn{SUFFIX}"
NOTE: Final = "cnn.json"
NETWORK_LABEL: Final = "network"
_SPLIT_SEED: Final = 20_171_018
"""All seeds of training hold out the same hands."""


@dataclass(frozen=True, slots=True)
class CnnRunSettings:
    """What a run does."""

    plan: CnnPlan
    held_out: float
    """Share of the hands that is never learned from; 0: none, and nothing is measured."""
    folds: int
    """0: a tenth of what is learned from is set aside once, to choose the number of epochs; 1:
    nothing is; else so many folds, each aside once."""
    begin_from: NDArray[np.float32] | None = None
    """(WEIGHTS,) of another network; None: random ones."""


@dataclass(frozen=True, slots=True)
class CnnResult:
    """What came of a run."""

    model: CnnModel
    accuracies: dict[str, Accuracy]
    """Of the network and the majority on the hands held out."""
    folds: tuple[Accuracy, ...]
    """Of each fold's network on it."""


def check_split(settings: CnnRunSettings, units: NDArray[np.int64]) -> None:
    """Raise TrainingError where there are too few hands to be split like this."""
    held_out, folds = assign_folds(units, settings)
    parts = [folds == fold for fold in range(max(settings.folds, 1))]
    if not settings.folds:
        parts.append(folds == 1)
    if settings.held_out:
        parts.append(held_out)
    if not all(part.any() for part in parts):
        raise TrainingError(
            f"{len(units):,} hands in {len(np.unique(units))} matches, or pieces of some, are too "
            f"few to be split into {len(parts)} parts"
        )


def run_training(
    records: CnnRecords,
    settings: CnnRunSettings,
    folder: Path,
    device: torch.device,
    *,
    resume: bool = False,
    command: str = "",
    on_epoch: OnEpoch | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> CnnResult | None:
    """Begin or resume a run, and take it to its end; None where it was stopped.

    Args:
        folder: of the run; made if it is not there.
        device: where the network is trained.
        resume: whether to resume the run in it.
        command: the command line, for the note.
        stop: returns whether to end.

    Raises:
        OSError: a file cannot be written.
        TrainingError: the folder holds another run, or none to resume, or there are too few hands.
    """
    units = units_of(records)
    check_split(settings, units)
    RunFolder(folder, RUN).claim(_facts(records, settings), resume=resume)
    states = States(records)
    held_out, folds = assign_folds(units, settings)
    plans = _Trainings(states, settings, device, folder, on_epoch, stop)
    judged: list[Accuracy] = []
    epochs: list[int] = []
    count = 0 if settings.folds == 1 else max(settings.folds, 1)
    for fold in range(count):
        name = f"fold {fold + 1}" if settings.folds else "probe"
        aside = folds == fold
        trained = plans.train(name, ~held_out & ~aside, aside, settings.plan)
        if trained is None:
            return None
        weights, best = trained
        epochs.append(best)
        chosen = np.flatnonzero(aside[records.hands])
        scores = scores_of(CnnNet(weights).to(device), states.planes, chosen, device)
        judged.append(
            judge(
                scores, states.taken[chosen], states.streets[chosen], units[records.hands[chosen]]
            )
        )
    nobody = np.zeros(len(units), np.bool_)
    plan = settings.plan
    if epochs:
        plan = replace(plan, epochs=max(round(float(np.mean(epochs))), 1))
    trained = plans.train("all", ~held_out, nobody, plan)
    if trained is None:
        return None
    made = {
        **_facts(records, settings),
        "best_epochs": epochs,
        "folds": [accuracy.facts() for accuracy in judged],
        "machine": machine(),
        "device": str(device),
        "command": command,
    }
    accuracies = _accuracies(CnnNet(trained[0]).to(device), states, held_out, units, device)
    made["held_out"] = {name: accuracy.facts() for name, accuracy in accuracies.items()}
    model = CnnModel(trained[0], settings.plan.reading, {})
    made["weights_sha256"] = hashlib.sha256(model.weights.tobytes()).hexdigest()
    small = {key: made[key] for key in ("plan", "records", "command", "weights_sha256")}
    model = replace(model, made=small)
    model.save(folder / NETWORK)
    write_whole(folder / NOTE, json.dumps(made, indent=1) + "\n")
    return CnnResult(model, accuracies, tuple(judged))


def assign_folds(
    units: NDArray[np.int64], settings: CnnRunSettings
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return (H,) whether a hand is held out, and (H,) its fold, -1 where it has none.

    Without folds, fold 0 is what is set aside.
    """
    held_out = held_out_hands(units, settings.held_out)
    rng = np.random.default_rng(_SPLIT_SEED + 1)
    learned = np.flatnonzero(~held_out)
    shares = [1 / settings.folds] * settings.folds if settings.folds else [0.1, 0.9]
    folds = np.full(len(units), -1)
    folds[learned] = share_out(renumbered(units[learned]), shares, rng)
    return held_out, folds


def held_out_hands(units: NDArray[np.int64], share: float) -> NDArray[np.bool_]:
    """Return (H,) whether a hand is held out: whole units, the same for all trainings."""
    if not share:
        return np.zeros(len(units), np.bool_)
    rng = np.random.default_rng(_SPLIT_SEED)
    held_out: NDArray[np.bool_] = share_out(units, [1 - share, share], rng) == 1
    return held_out


@dataclass(frozen=True, slots=True)
class _Trainings:
    states: States
    settings: CnnRunSettings
    device: torch.device
    folder: Path
    on_epoch: OnEpoch | None
    stop: Callable[[], bool]

    def train(
        self,
        name: str,
        learned: NDArray[np.bool_],
        aside: NDArray[np.bool_],
        plan: CnnPlan,
    ) -> tuple[NDArray[np.float32], int] | None:
        """Return the best weights and their epoch; None where it was stopped."""
        first = self.settings.begin_from
        row = initial_weights(plan.seed) if first is None else first
        net = CnnNet(row).to(self.device)
        task = Task(name, net, self.states.planes, self.states, learned, aside, plan, self.device)
        path = self.folder / f"{name.replace(' ', '-')}.checkpoint"
        descent = train_stage(task, path, self.on_epoch, self.stop)
        if descent is None:
            return None
        load_weights(net, descent.best)
        return net.row(), descent.best_epoch


def _accuracies(
    net: CnnNet,
    states: States,
    held_out: NDArray[np.bool_],
    units: NDArray[np.int64],
    device: torch.device,
) -> dict[str, Accuracy]:
    """Return the accuracy of a net and of the majority on the hands held out; none without any."""
    hands = states.records.hands
    chosen = np.flatnonzero(held_out[hands])
    if not len(chosen):
        return {}
    scores = scores_of(net, states.planes, chosen, device)
    commonest = majority_scores(states.taken[~held_out[hands]], np.isfinite(scores))
    where = (states.taken[chosen], states.streets[chosen], units[hands[chosen]])
    return {NETWORK_LABEL: judge(scores, *where), MAJORITY: judge(commonest, *where)}


def _facts(records: CnnRecords, settings: CnnRunSettings) -> dict[str, Any]:
    begun = settings.begin_from
    return {
        "plan": settings.plan.facts(),
        "held_out_share": settings.held_out,
        "fold_count": settings.folds,
        "begun_from": None if begun is None else hashlib.sha256(begun.tobytes()).hexdigest(),
        "records": records.made,
        "hands": len(records.ends),
        "decisions": len(records),
        "levels_sha256": hashlib.sha256(records.levels.tobytes()).hexdigest(),
    }
