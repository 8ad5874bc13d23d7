"""The folder of an experiment: settings.json, and artifacts that belong to these settings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from numpy.typing import NDArray

from engine.errors import ArtifactMismatch
from engine.storage.artifacts import Kind, load_artifact, save_artifact
from engine.storage.atomic import write_whole
from engine.storage.documents import json_document

_KIND: Final = Kind("part of an experiment", 1, "remove it, and it is made again")


class ExperimentFolder:
    """What is compared, and the parts that are finished, by their names."""

    def __init__(
        self, path: Path, wanted: Mapping[str, Any] | None, usual: Mapping[str, Any]
    ) -> None:
        """Open a folder, or begin one.

        Args:
            wanted: settings, plain values; None: those of the folder.
            usual: settings of the same names and types.

        Raises:
            ArtifactMismatch: it holds other settings, or none where some are wanted.
            OSError: it cannot be read or written.
        """
        self.path: Final = path
        if not self._settings.exists():
            if wanted is None:
                raise ArtifactMismatch(f"{path} holds no experiment")
            path.mkdir(parents=True, exist_ok=True)
            write_whole(self._settings, json.dumps(wanted, indent=2) + "\n")
        try:
            facts = json_document(self._settings.read_text(encoding="utf-8"))
        except ValueError as error:
            raise self.damaged() from error
        types = {name: type(value) for name, value in usual.items()}
        if not isinstance(facts, dict) or types != {name: type(facts[name]) for name in facts}:
            raise self.damaged()
        if wanted is not None and facts != wanted:
            told = ", ".join(f"{name} {value}" for name, value in facts.items())
            raise ArtifactMismatch(f"{path} holds another experiment: {told}")
        self.facts: Final[dict[str, Any]] = facts

    @property
    def _settings(self) -> Path:
        return self.path / "settings.json"

    def damaged(self) -> ArtifactMismatch:
        """Return what to raise where settings make no sense."""
        return ArtifactMismatch(f"{self._settings} is damaged; {_KIND.remedy}")

    def has(self, name: str) -> bool:
        """Return whether a part is there."""
        return (self.path / name).exists()

    def save(self, name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Write a part.

        Raises:
            OSError: it cannot be written.
        """
        path = self.path / name
        path.parent.mkdir(exist_ok=True)
        save_artifact(path, _KIND, self.facts | {"part": name}, arrays)

    def load(self, name: str) -> dict[str, NDArray[Any]]:
        """Return the arrays of a part.

        Raises:
            ArtifactMismatch: it is damaged, or of another experiment, or another part.
        """
        found = load_artifact(self.path / name, _KIND)
        if found.facts != self.facts | {"part": name}:
            raise ArtifactMismatch(
                f"{self.path / name} is of another experiment or part; {_KIND.remedy}"
            )
        return found.arrays
