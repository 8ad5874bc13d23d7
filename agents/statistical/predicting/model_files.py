"""Trained models as files: those that come along, and any other network."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from agents.statistical.predicting.action_curves import ActionCurves
from agents.statistical.predicting.ann import Network
from agents.statistical.predicting.player_types import PlayerTypes

if TYPE_CHECKING:
    from agents.statistical.predicting.trained import TrainedModel

MODELS: Final = Path(__file__).parents[1] / "models"
ANN: Final = "ann"
MODEL_CLASS_OF_KIND: Final[dict[str, type[TrainedModel]]] = {
    ANN: Network,
    "types": PlayerTypes,
    "curves": ActionCurves,
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


def load_ann(named: str) -> Network:
    """Return the network that comes along as "ann", else that of a file.

    Raises:
        ArtifactMismatch: the file is damaged, or holds something else.
        ValueError: there is no such file.
    """
    if named == ANN:
        return cast("Network", load_shipped(ANN))
    path = Path(named)
    if not os.path.exists(path):  # where Path.exists raises: a name that is too long
        raise ValueError(f"predictor {named!r}: want counters, ann, or the file of a network")
    return Network.load(path)
