"""What was trained from logs, and is kept in a file: what all kinds of models have in common."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Final, Self

import numpy as np

from engine.errors import ArtifactMismatch
from engine.storage.artifacts import Kind, load_artifact, save_artifact

REMEDY: Final = "`arena train statistical` makes a new one"


class TrainedModel:
    """A model of one kind.  Each takes as keywords what its file holds.

    Attributes:
        provenance: how it was made, as plain values.
    """

    KIND: ClassVar[Kind]
    ARRAYS: ClassVar[tuple[str, ...]]
    """Arrays of the file, which are attributes of the model."""
    FACTS: ClassVar[tuple[str, ...]] = ()
    """Plain values of the file, likewise, beside the provenance."""
    MADE_FOR: ClassVar[Mapping[str, Any]] = {}
    """What a file must agree in: the numbers that the model goes by, say."""

    def __init__(self, *, provenance: Mapping[str, Any] | None = None, **_: Any) -> None:
        self.provenance = dict(provenance or {})

    def save(self, path: Path) -> None:
        """Write the model's file.

        Raises:
            OSError: it cannot be written.
        """
        facts = {name: getattr(self, name) for name in (*self.FACTS, "provenance")}
        arrays = {name: getattr(self, name) for name in self.ARRAYS}
        save_artifact(path, self.KIND, {**self.MADE_FOR, **facts}, arrays)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Open a model's file.

        Raises:
            ArtifactMismatch: it is missing, damaged, of another version, or made for other numbers.
        """
        found = load_artifact(path, cls.KIND)
        for name, wanted in cls.MADE_FOR.items():
            if found.facts.get(name) != wanted:
                raise ArtifactMismatch(f"{path}: made for other {name}; {REMEDY}")
        try:
            held: dict[str, Any] = {name: np.array(found.arrays[name]) for name in cls.ARRAYS}
            held |= {name: found.facts[name] for name in (*cls.FACTS, "provenance")}
            return cls(**held)
        except (KeyError, TypeError, ValueError) as error:
            raise ArtifactMismatch(f"{path}: damaged: {error}; {REMEDY}") from error
