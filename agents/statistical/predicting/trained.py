"""What was trained from logs, and is kept in a file: what all kinds of models have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

import numpy as np

from engine.errors import ArtifactMismatch
from engine.storage.artifacts import Kind, load_artifact, save_artifact

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_DECISIONS: Final = 10**12
"""More decisions than all logs hold; sums of so large counts are exact."""
REMEDY: Final = "`arena train statistical` makes a new one"


@dataclass(eq=False)
class TrainedModel:
    """A model of one kind; its file holds its fields, arrays as such and others as facts.

    Models check their fields and raise ValueError, so that a damaged file is noticed.
    """

    provenance: dict[str, Any] = field(default_factory=dict, kw_only=True)
    """How it was made, as plain values."""

    KIND: ClassVar[Kind]
    ARRAYS: ClassVar[tuple[str, ...]]
    """Fields that are arrays."""
    MADE_FOR: ClassVar[Mapping[str, Any]] = {}
    """What a file must agree in: the numbers that the model goes by, say."""

    @classmethod
    def _facts(cls) -> list[str]:
        return [entry.name for entry in fields(cls) if entry.init and entry.name not in cls.ARRAYS]

    def save(self, path: Path) -> None:
        """Write the model's file.

        Raises:
            OSError: it cannot be written.
        """
        facts = {name: getattr(self, name) for name in self._facts()}
        arrays = {name: getattr(self, name) for name in self.ARRAYS}
        save_artifact(path, self.KIND, {**self.MADE_FOR, **facts}, arrays)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Open a model's file.

        Raises:
            ArtifactMismatch: it is missing, damaged, of another version, or made for other numbers.
        """
        artifact = load_artifact(path, cls.KIND)
        for name, wanted in cls.MADE_FOR.items():
            if artifact.facts.get(name) != wanted:
                raise ArtifactMismatch(f"{path}: made for other {name}; {REMEDY}")
        try:
            arrays: dict[str, Any] = {name: np.array(artifact.arrays[name]) for name in cls.ARRAYS}
            model = cls(**arrays, **{name: artifact.facts[name] for name in cls._facts()})
            if not isinstance(model.provenance, dict):
                raise ValueError("its provenance has no names")
            return model
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise ArtifactMismatch(f"{path}: damaged: {error}; {REMEDY}") from error


def check_array(name: str, array: NDArray[Any], dtype: str, shape: tuple[int, ...]) -> None:
    """Raise ValueError unless an array has a dtype and a shape."""
    if array.dtype != dtype or array.shape != shape:
        raise ValueError(f"{name}: want {shape} {dtype}, got {array.shape} {array.dtype}")


def check_counts(counts: NDArray[Any], shape: tuple[int, ...]) -> None:
    """Raise ValueError unless `counts` are int64 of a shape, none negative or beyond sums."""
    right = counts.dtype == np.int64 and counts.shape == shape
    if not right or (counts < 0).any() or (counts > MOST_DECISIONS).any():
        raise ValueError(f"want {shape} int64 counts, none negative or above {MOST_DECISIONS}")


def check_number(name: str, value: Any, least: float, most: float) -> None:
    """Raise ValueError unless a fact is a number in a range."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not least <= value <= most:
        raise ValueError(f"{name}: want a number from {least:g} to {most:g}")
