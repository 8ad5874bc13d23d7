"""One training of one net, from its first epoch to its best, with a checkpoint after each."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.errors import TrainingError
from agents.poker_cnn.train.descent import (
    CnnEpoch,
    Descent,
    Inputs,
    over,
    train_epoch,
    weights_of,
)
from engine.errors import ArtifactMismatch
from engine.storage.artifacts import Kind, load_artifact, save_artifact

if TYPE_CHECKING:
    from pathlib import Path

    import torch
    from numpy.typing import NDArray
    from torch import nn

    from agents.poker_cnn.train.plan import CnnPlan
    from agents.poker_cnn.train.states import States

KIND: Final = Kind("Poker-CNN training", 1, "remove it, and this training begins anew")
_PARTS: Final = ("weights", "sums", "best")

Told = Callable[[str, CnnEpoch], None]
"""Told the name of the training, and what came of an epoch."""


class Task(NamedTuple):
    """A training."""

    name: str
    net: nn.Module
    """With its first weights, on its device."""
    inputs: Inputs
    states: States
    learned: NDArray[np.bool_]
    """(H,) hands that are learned from."""
    aside: NDArray[np.bool_]
    """(H,) hands by which the best epoch is chosen; none: it is the last."""
    plan: CnnPlan
    device: torch.device


def train_stage(
    task: Task,
    path: Path | None,
    told: Told | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Descent | None:
    """Train a net to its end; None where it was stopped.

    Args:
        path: of the checkpoint, written after each epoch; training resumes from it where it exists.
            None: none is kept.
        stop: called after each epoch; returns whether to end.

    Raises:
        OSError: the checkpoint cannot be written.
        TrainingError: it is damaged, or of another training.
    """
    descent = Descent(weights_of(task.net))
    if path is not None and path.exists():
        _restore(path, task, descent)
    while not over(task.plan, descent):
        if stop():
            return None
        train_epoch(
            task.net, task.inputs, task.states, task.learned, task.aside, task.plan, descent,
            task.device,
        )  # fmt: skip
        if path is not None:
            _save(path, task, descent)
        if told is not None:
            told(task.name, descent.epochs[-1])
    return descent


def _facts(task: Task) -> dict[str, Any]:
    return {
        "name": task.name,
        "plan": task.plan.facts(),
        "learned": int(task.learned.sum()),
        "aside": int(task.aside.sum()),
        "states": len(task.states),
    }


def _save(path: Path, task: Task, descent: Descent) -> None:
    arrays = {
        f"{part}.{name}": one for part in _PARTS for name, one in getattr(descent, part).items()
    }
    epochs = [list(one) for one in descent.epochs]
    save_artifact(path, KIND, {"task": _facts(task), "epochs": epochs}, arrays)


def _restore(path: Path, task: Task, descent: Descent) -> None:
    try:
        found = load_artifact(path, KIND)
        if found.facts["task"] != json.loads(json.dumps(_facts(task))):
            raise TrainingError(f"{path} is of another training: another plan, or other hands")
        epochs = [CnnEpoch(int(one[0]), *map(float, one[1:])) for one in found.facts["epochs"]]
        if [one.epoch for one in epochs] != list(range(1, len(epochs) + 1)):
            raise ValueError("epochs out of order")
        parts: dict[str, dict[str, NDArray[np.float32]]] = {}
        for part in _PARTS:
            parts[part] = {
                name: _checked(np.array(found.arrays[f"{part}.{name}"]), own.shape)
                for name, own in descent.weights.items()
                if part != "sums" or f"sums.{name}" in found.arrays
            }
    except ArtifactMismatch as error:
        raise TrainingError(f"cannot resume: {error}") from error
    except (LookupError, TypeError, ValueError) as error:
        raise TrainingError(f"cannot resume: {path} is damaged: {error}; {KIND.remedy}") from error
    descent.weights, descent.sums, descent.best = (parts[part] for part in _PARTS)
    descent.epochs = epochs


def _checked(array: NDArray[Any], shape: tuple[int, ...]) -> NDArray[np.float32]:
    if array.shape != shape or array.dtype != np.float32 or not np.isfinite(array).all():
        raise ValueError(f"an array of shape {array.shape}, want {shape}, finite")
    return array
