"""A trained network in a file: its weights, how it decides, and how it came to be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.errors import AgentError
from agents.poker_cnn.shape import READINGS, VALUELESS_WEIGHTS, WEIGHTS
from engine.errors import ArtifactMismatch
from engine.networks.dense import check_weights
from engine.storage.artifacts import Kind, load_artifact, save_artifact

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

KIND: Final = Kind("Poker-CNN network", 1, "train it again with `arena train cnn`")
SUFFIX: Final = ".network"


class CnnModelDamaged(AgentError):
    """A file of a network cannot be read as one."""

    exit_code = 2


@dataclass(frozen=True, slots=True, eq=False)
class CnnModel:
    """Weights, and what they mean."""

    weights: NDArray[np.float32]
    """(WEIGHTS,), see `shape`."""
    reading: str
    """One of READINGS."""
    made: dict[str, Any] = field(default_factory=dict)
    """How it was trained, plain values."""

    @property
    def valued(self) -> bool:
        """Whether it has learned what hands are worth."""
        return bool(self.weights[VALUELESS_WEIGHTS:].any())

    def save(self, path: Path) -> None:
        """Write the file whole.

        Raises:
            OSError: it cannot be written.
        """
        facts = {"reading": self.reading, "made": self.made}
        weights = self.weights if self.valued else self.weights[:VALUELESS_WEIGHTS]
        save_artifact(path, KIND, facts, {"weights": weights})

    @classmethod
    def load(cls, path: Path) -> CnnModel:
        """Read a file.

        Raises:
            CnnModelDamaged: it is missing, or holds something else; the message says what is wrong.
        """
        try:
            artifact = load_artifact(path, KIND)
            weights = np.array(artifact.arrays["weights"])
            sizes = ((VALUELESS_WEIGHTS,), (WEIGHTS,))
            if weights.dtype != np.float32 or weights.shape not in sizes:
                raise ValueError("weights of another number or kind")
            weights = np.pad(weights, (0, WEIGHTS - len(weights)))
            check_weights(weights)
            reading = artifact.facts["reading"]
            if reading not in READINGS:
                raise ValueError(f"outputs that are {reading!r}")
            return cls(weights, reading, dict(artifact.facts["made"]))
        except ArtifactMismatch as error:
            raise CnnModelDamaged(str(error)) from error
        except (LookupError, TypeError, ValueError) as error:
            raise CnnModelDamaged(f"{path}: damaged: {error}; {KIND.remedy}") from error
