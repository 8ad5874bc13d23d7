"""Decisions out of logged hands: what everybody saw, what was done, and with what.

N decisions, in the order of the logs:

    contexts   (N, F) float32   as in `contexts`
    actions    (N,)   int8      FOLD, CALL or RAISE
    cells      (N,)   int8      situation of the counters, 0..11
    strengths  (N,)   float32   effective strength of the actor's hand, nan where it is not known
    shown      (N,)   bool      the actor's hand was shown at the end: what its opponents learn
    raises     (N,)   float32   size of a raise, as a share of the pot after a call; 0 for others
    stacks     (N,)   float32   chips behind, as a share of what the hand could cost
    hands      (N,)   int32     number of the hand, through all logs
    players    (N,)   int32     index into `names`

`log_decisions` makes them of logs.  A file of them is an artifact: it says of which logs it was
made, and is made anew when these change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.statistical.counting.situations import ACTIONS, CELLS
from agents.statistical.predicting.contexts import FEATURE_COUNT, FEATURES
from agents.statistical.predicting.trained import check_array
from engine.errors import ArtifactMismatch
from engine.storage.artifacts import Kind, load_artifact, save_artifact

if TYPE_CHECKING:
    from numpy.typing import NDArray

KIND: Final = Kind("decisions of logged hands", 2, "remove the file, and it is made anew")


@dataclass(frozen=True, slots=True, eq=False)
class DecisionTable:
    """The arrays of the module's table, and the names of the players."""

    contexts: NDArray[np.float32]
    actions: NDArray[np.int8]
    cells: NDArray[np.int8]
    strengths: NDArray[np.float32]
    shown: NDArray[np.bool_]
    raises: NDArray[np.float32]
    stacks: NDArray[np.float32]
    hands: NDArray[np.int32]
    players: NDArray[np.int32]
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        count = len(self.actions)
        for name, dtype in DTYPE_OF_COLUMN.items():
            shape = (count, FEATURE_COUNT) if name == "contexts" else (count,)
            check_array(name, getattr(self, name), dtype, shape)
        if count and not (
            0 <= self.actions.min() <= self.actions.max() < ACTIONS
            and 0 <= self.cells.min() <= self.cells.max() < CELLS
            and 0 <= self.players.min() <= self.players.max() < len(self.names)
        ):
            raise ValueError("an action, a cell or a player is out of range")

    def __len__(self) -> int:
        return len(self.actions)

    @property
    def hand_count(self) -> int:
        """Hands with a decision."""
        return len(np.unique(self.hands))

    def where(self, chosen: NDArray[np.bool_]) -> DecisionTable:
        """Return those decisions for which `chosen`, (N,) bool, is true."""
        arrays: dict[str, Any] = {name: getattr(self, name)[chosen] for name in DTYPE_OF_COLUMN}
        return replace(self, **arrays)


DTYPE_OF_COLUMN: Final[dict[str, str]] = {
    "contexts": "float32",
    "actions": "int8",
    "cells": "int8",
    "strengths": "float32",
    "shown": "bool",
    "raises": "float32",
    "stacks": "float32",
    "hands": "int32",
    "players": "int32",
}


def split_decisions(
    decisions: DecisionTable, held_out: float, rng: np.random.Generator
) -> tuple[DecisionTable, DecisionTable]:
    """Return the decisions of most hands, and those of a random share of the hands.

    Whole hands are held out, as the decisions of a hand are no independent samples.

    Raises:
        ValueError: the share is not between 0 and 1, or leaves one side without a hand.
    """
    if not 0 < held_out < 1:
        raise ValueError(f"a share of {held_out} cannot be held out")
    hands = np.unique(decisions.hands)
    aside = round(held_out * len(hands))
    if not 0 < aside < len(hands):
        raise ValueError(f"{len(hands)} hands are too few to hold out {held_out:.0%}")
    chosen = np.isin(decisions.hands, rng.permutation(hands)[:aside])
    return decisions.where(~chosen), decisions.where(chosen)


def save_decisions(path: Path, decisions: DecisionTable, source: Mapping[str, Any]) -> None:
    """Write decisions, and of which logs they were made.

    Raises:
        OSError: the file cannot be written.
    """
    facts = {"source": dict(source), "names": list(decisions.names), "features": list(FEATURES)}
    arrays = {name: getattr(decisions, name) for name in DTYPE_OF_COLUMN}
    save_artifact(path, KIND, facts, arrays)


def load_decisions(path: Path, source: Mapping[str, Any]) -> DecisionTable | None:
    """Read decisions; None where they were made of other logs or for other features.

    Raises:
        ArtifactMismatch: the file is missing or damaged.
    """
    artifact = load_artifact(path, KIND)
    if artifact.facts.get("source") != dict(source) or artifact.facts.get("features") != list(
        FEATURES
    ):
        return None
    try:
        names = tuple(map(str, artifact.facts["names"]))
        return DecisionTable(
            **{name: artifact.arrays[name] for name in DTYPE_OF_COLUMN}, names=names
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ArtifactMismatch(f"{path}: damaged: {error}; {KIND.remedy}") from error


assert [*DTYPE_OF_COLUMN, "names"] == [field.name for field in fields(DecisionTable)]
