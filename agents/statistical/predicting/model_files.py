"""Trained models as files: those that come along, and any other predictor."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from agents.statistical.predicting.action_curves import ActionCurves
from agents.statistical.predicting.ann import Network
from agents.statistical.predicting.decision_tree import DecisionTree
from agents.statistical.predicting.player_types import PlayerTypes
from agents.statistical.predicting.sequence_curves import SequenceCurves
from agents.statistical.predicting.trained import REMEDY
from engine.errors import ArtifactMismatch
from engine.storage.artifacts import name_of_kind

if TYPE_CHECKING:
    from agents.statistical.predicting.trained import TrainedModel

MODELS: Final = Path(__file__).parents[1] / "models"
_MOST_QUOTED: Final = 40
ANN: Final = "ann"
TREE: Final = "tree"
Predictor = Network | DecisionTree
MODEL_CLASS_OF_KIND: Final[dict[str, type[TrainedModel]]] = {
    ANN: Network,
    TREE: DecisionTree,
    "types": PlayerTypes,
    "curves": ActionCurves,
    "sequences": SequenceCurves,
}


def file_name(kind: str) -> str:
    """Return the name of the file that a model of a kind is kept in."""
    return f"{kind}.model"


def load_shipped(kind: str) -> Any:
    """Return the model of a kind that comes along.

    Raises:
        ArtifactMismatch: its file is missing or damaged.
        ValueError: there is no such kind.
    """
    if kind not in MODEL_CLASS_OF_KIND:
        raise ValueError(f"no model of kind {kind!r}; there are {', '.join(MODEL_CLASS_OF_KIND)}")
    return MODEL_CLASS_OF_KIND[kind].load(MODELS / file_name(kind))


def load_predictor(named: str) -> Predictor:
    """Return the predictor that comes along as "ann" or "tree", else that of a file.

    Raises:
        ArtifactMismatch: the file is damaged, or holds something else.
        ValueError: there is no such file.
    """
    if named in (ANN, TREE):
        return cast("Predictor", load_shipped(named))
    path = Path(named)
    if not os.path.exists(path):  # where Path.exists raises: a name that is too long
        raise ValueError(f"predictor {named!r}: want counters, ann, tree, or the file of one")
    name = name_of_kind(path, REMEDY)
    for kind in (Network, DecisionTree):
        if name == kind.KIND.name:
            return kind.load(path)
    raise ArtifactMismatch(
        f"{path}: holds {str(name)[:_MOST_QUOTED]!r}, wanted is a network or a tree"
    )
