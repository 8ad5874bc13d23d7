"""Trained predictors as files: those that come along, and any other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from agents.statistical.action_curves import load_curves
from agents.statistical.ann import load_network
from agents.statistical.decision_tree import load_tree
from agents.statistical.player_types import load_types
from agents.statistical.predictor import load_frequencies

MODELS: Final = Path(__file__).with_name("models")
LOADERS: Final[dict[str, Callable[[Path], Any]]] = {
    "frequencies": load_frequencies,
    "ann": load_network,
    "tree": load_tree,
    "types": load_types,
    "curves": load_curves,
}
"""Kind, as on the command line -> what opens its file."""


def file_name(kind: str) -> str:
    """Return the name of the file that a model of a kind is kept in."""
    return f"{kind}.model"


def load_shipped(kind: str) -> Any:
    """Return the model of a kind that comes along.

    Raises:
        ArtifactMismatch: its file is missing or damaged.
        ValueError: there is no such kind.
    """
    if kind not in LOADERS:
        raise ValueError(f"no model of kind {kind!r}; there are {', '.join(LOADERS)}")
    return LOADERS[kind](MODELS / file_name(kind))
