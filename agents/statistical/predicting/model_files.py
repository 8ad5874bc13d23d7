"""Trained predictors as files: those that come along, and any other."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from agents.statistical.predicting.action_curves import ActionCurves
from agents.statistical.predicting.ann import Network
from agents.statistical.predicting.decision_tree import DecisionTree
from agents.statistical.predicting.names import PREDICTING, PREDICTORS
from agents.statistical.predicting.player_types import PlayerTypes
from agents.statistical.predicting.predictor import FrequencyTable
from agents.statistical.predicting.trained import REMEDY
from engine.errors import ArtifactMismatch
from engine.storage.artifacts import name_of_kind

if TYPE_CHECKING:
    from agents.statistical.predicting.predictor import Predictor
    from agents.statistical.predicting.trained import TrainedModel

MODELS: Final = Path(__file__).parents[1] / "models"
KINDS: Final[dict[str, type[TrainedModel]]] = {
    "frequencies": FrequencyTable,
    "ann": Network,
    "tree": DecisionTree,
    "types": PlayerTypes,
    "curves": ActionCurves,
}
"""Kind, as on the command line -> its class."""


def file_name(kind: str) -> str:
    """Return the name of the file that a model of a kind is kept in."""
    return f"{kind}.model"


def load_shipped(kind: str) -> Any:
    """Return the model of a kind that comes along.

    Raises:
        ArtifactMismatch: its file is missing or damaged.
        ValueError: there is no such kind.
    """
    if kind not in KINDS:
        raise ValueError(f"no model of kind {kind!r}; there are {', '.join(KINDS)}")
    return KINDS[kind].load(MODELS / file_name(kind))


def load_predictor(named: str) -> Predictor:
    """Return the model that comes along under a name of PREDICTING, else that of a file.

    A file says itself of which of these kinds it is.

    Raises:
        ArtifactMismatch: the file is damaged, or holds something else.
        ValueError: there is neither such a kind nor such a file.
    """
    if named in PREDICTING:
        return cast("Predictor", load_shipped(named))
    path = Path(named)
    if not os.path.exists(path):  # where Path.exists raises: a name that is too long
        known = ", ".join(PREDICTORS)
        raise ValueError(f"predictor {named!r}: want one of {known}, or the file of such a model")
    found = name_of_kind(path, REMEDY)
    for kind in map(KINDS.__getitem__, PREDICTING):
        if kind.KIND.name == found:
            return cast("Predictor", kind.load(path))
    raise ArtifactMismatch(f"{path}: holds {found!r}, wanted is one of {', '.join(PREDICTING)}")
