"""One training of one net, from its first epoch to its best, with a checkpoint after each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.poker_cnn.train.descent import (
    CnnEpoch,
    Descent,
    Inputs,
    over,
    train_epoch,
    weights_of,
)
from agents.training.run_folder import RunFolder
from engine.storage.artifacts import Kind

if TYPE_CHECKING:
    from pathlib import Path

    import torch
    from numpy.typing import NDArray
    from torch import nn

    from agents.poker_cnn.train.cnn_plan import CnnPlan
    from agents.poker_cnn.train.states import States

KIND: Final = Kind("Poker-CNN training", 2, "remove it, and this training begins anew")
_PARTS: Final = ("weights", "sums", "best")

OnEpoch = Callable[[str, CnnEpoch], None]
"""It gets the name of the training and what came of an epoch."""


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
    on_epoch: OnEpoch | None = None,
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
        if on_epoch is not None:
            on_epoch(task.name, descent.epochs[-1])
    return descent


def _facts(task: Task) -> dict[str, Any]:
    return {
        "name": task.name,
        "plan": task.plan.facts(),
        "learned": int(task.learned.sum()),
        "aside": int(task.aside.sum()),
        "states": len(task.states),
    }


def _folder(path: Path) -> RunFolder:
    return RunFolder(path.parent, KIND, path.name)


def _save(path: Path, task: Task, descent: Descent) -> None:
    arrays = {
        f"{part}.{name}": array for part in _PARTS for name, array in getattr(descent, part).items()
    }
    epochs = [list(epoch) for epoch in descent.epochs]
    _folder(path).save(_facts(task), {"epochs": epochs}, arrays)


def _restore(path: Path, task: Task, descent: Descent) -> None:
    with _folder(path).restoring(_facts(task)) as saved:
        epochs = [CnnEpoch(int(row[0]), *map(float, row[1:])) for row in saved.facts["epochs"]]
        if [epoch.epoch for epoch in epochs] != list(range(1, len(epochs) + 1)):
            raise ValueError("epochs out of order")
        parts: dict[str, dict[str, NDArray[np.float32]]] = {}
        for part in _PARTS:
            parts[part] = {
                name: _checked(np.array(saved.arrays[f"{part}.{name}"]), weights.shape)
                for name, weights in descent.weights.items()
                if part != "sums" or f"sums.{name}" in saved.arrays
            }
    descent.weights, descent.sums, descent.best = (parts[part] for part in _PARTS)
    descent.epochs = epochs


def _checked(array: NDArray[Any], shape: tuple[int, ...]) -> NDArray[np.float32]:
    if array.shape != shape or array.dtype != np.float32 or not np.isfinite(array).all():
        raise ValueError(f"an array of shape {array.shape}, want {shape}, finite")
    return array
