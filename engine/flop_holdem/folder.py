"""The folder of an experiment: settings.json, and artifacts that belong to these settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from numpy.typing import NDArray

from engine.errors import ArtifactMismatch
from engine.storage.artifacts import Kind, load_artifact, save_artifact
from engine.storage.atomic import write_whole

_KIND: Final = Kind("part of an experiment", 1, "remove it, and it is made again")


def folder_facts(folder: Path, wanted: dict[str, Any] | None) -> dict[str, Any]:
    """Return the settings that a folder holds, or begin one.

    Args:
        wanted: the settings, as JSON can say them; None: those of the folder.

    Raises:
        ArtifactMismatch: it holds other settings, or none where some are wanted.
        OSError: it cannot be read or written.
    """
    path = folder / "settings.json"
    if not path.exists():
        if wanted is None:
            raise ArtifactMismatch(f"{folder} holds no experiment")
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(wanted, indent=2) + "\n")
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise damaged(folder) from error
    if wanted is not None and found != json.loads(json.dumps(wanted)):
        raise ArtifactMismatch(f"{folder} holds another experiment: {found}")
    if not isinstance(found, dict):
        raise damaged(folder)
    return found


def damaged(folder: Path) -> ArtifactMismatch:
    """Return what to raise where settings make no sense."""
    return ArtifactMismatch(f"{folder / 'settings.json'} is damaged; {_KIND.remedy}")


def save_part(path: Path, facts: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    """Write a part of an experiment.

    Args:
        facts: its settings, as JSON has them.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(exist_ok=True)
    save_artifact(path, _KIND, facts, arrays)


def load_part(path: Path, facts: dict[str, Any]) -> dict[str, NDArray[Any]]:
    """Return the arrays of a part.

    Raises:
        ArtifactMismatch: it is damaged, or of another experiment.
    """
    found = load_artifact(path, _KIND)
    if found.facts != facts:
        raise ArtifactMismatch(f"{path} is of another experiment; {_KIND.remedy}")
    return found.arrays
