"""Bucket files: a card abstraction on disk, an artifact file (`engine.storage.artifacts`).

    facts     counts       buckets on each street
              provenance   how it was made
    arrays    the parts of `CardAbstraction`, by name

Its numbers of classes are those of `CanonicalIndex`, whose numbering is frozen; the schema of KIND
changes with either.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from engine.abstraction.bucket_sequences import card_abstraction
from engine.abstraction.buckets import CardAbstraction
from engine.errors import ArtifactMismatch
from engine.storage.artifacts import Kind, load_artifact, save_artifact

KIND: Final = Kind(
    "hold'em card abstraction",
    1,
    "build it again with engine.abstraction.building, or fetch it again",
)


def save_abstraction(
    abstraction: CardAbstraction,
    path: Path,
    *,
    turn_table: bool = True,
    river_table: bool = True,
) -> None:
    """Write a bucket file, completely or not at all.

    Args:
        turn_table: whether to write the turn's table (28 MB) if there is one; without it the file
            has all that is needed to compute it.
        river_table: the same for the river's (246 MB).

    Raises:
        OSError: the file cannot be written.
        ValueError: the provenance is too long.
    """
    parts = dict(abstraction.parts)
    if not turn_table:
        parts.pop("turn_table", None)
    if not river_table:
        parts.pop("river_table", None)
    facts = {"counts": list(abstraction.counts), "provenance": abstraction.provenance}
    save_artifact(path, KIND, facts, parts)


def load_abstraction(path: Path, *, verify: bool = True) -> CardAbstraction:
    """Open a bucket file; its arrays are read from disk when they are used.

    Args:
        verify: whether to compare every array with its checksum (a second for 0.5 GB) and every
            bucket with the counts.  Header and sizes are always checked.  Unverified, the tables of
            turn and river are not read here.

    Raises:
        ArtifactMismatch: the file is missing, damaged, of another version or of another kind.
    """
    facts, arrays = load_artifact(path, KIND, verify=verify)
    parts: dict[str, Any] = arrays
    try:
        abstraction = card_abstraction(parts, provenance=facts["provenance"], verify=verify)
        if verify and list(abstraction.counts) != facts["counts"]:
            raise ValueError(f"{abstraction.counts} buckets, not {facts['counts']}")
    except (ValueError, TypeError, KeyError) as error:
        raise ArtifactMismatch(f"{path}: damaged: {error}; {KIND.remedy}") from error
    return abstraction
