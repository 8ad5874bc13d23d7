"""Trained predictors as files: those that come along, and any other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from agents.statistical.predicting.action_curves import load_curves
from agents.statistical.predicting.ann import load_network
from agents.statistical.predicting.decision_tree import load_tree
from agents.statistical.predicting.player_types import load_types
from agents.statistical.predicting.predictor import Predictor, load_frequencies
from engine.errors import ArtifactMismatch

MODELS: Final = Path(__file__).with_name("models")
LOADERS: Final[dict[str, Callable[[Path], Any]]] = {
    "frequencies": load_frequencies,
    "ann": load_network,
    "tree": load_tree,
    "types": load_types,
    "curves": load_curves,
}
"""Kind, as on the command line -> what opens its file."""
PREDICTING: Final = ("frequencies", "ann", "tree")
"""Kinds that foretell actions."""
COUNTERS: Final = "counters"
"""What takes the place of such a kind where there is no model."""


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


def load_predictor(named: str) -> Predictor:
    """Return the model that comes along under a name of PREDICTING, else that of a file.

    A file says itself of which of these kinds it is.

    Raises:
        ArtifactMismatch: the file is damaged, or holds something else.
        ValueError: there is neither such a kind nor such a file.
    """
    if named in PREDICTING:
        model: Predictor = load_shipped(named)
        return model
    path = Path(named)
    if not path.exists():
        known = ", ".join((COUNTERS, *PREDICTING))
        raise ValueError(f"predictor {named!r}: want one of {known}, or the file of such a model")
    complaints = []
    for kind in PREDICTING:
        try:
            model = LOADERS[kind](path)
            return model
        except ArtifactMismatch as error:
            complaints.append(str(error))
    # Loaders of other kinds only name what the file holds; that of its own kind knows more.
    others = f"{path}: holds "
    own = [text for text in complaints if not text.startswith(others)]
    if own:
        raise ArtifactMismatch(own[0])
    holds, _, _ = complaints[0].partition(", wanted is ")
    raise ArtifactMismatch(f"{holds}, wanted is one of {', '.join(PREDICTING)}")
