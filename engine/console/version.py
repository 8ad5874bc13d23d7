"""The version of the program, and a digest of all that it is made of."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Final

PACKAGES: Final = ("protocol", "engine", "dealer", "agents")


def program_version() -> str:
    """Return the installed version of this program."""
    from importlib import metadata  # here, because it takes longer than `arena --help`

    try:
        return metadata.version("acpc-arena")
    except metadata.PackageNotFoundError:
        return "(not installed)"


def program_digest() -> str:
    """Return the beginning of a digest of the files of the program, its models included."""
    import hashlib

    from engine.parallel.own_programs import PACKAGES_FOLDER

    digest = hashlib.sha256()
    for path in _files_of(PACKAGES_FOLDER):
        digest.update(f"{path.relative_to(PACKAGES_FOLDER)}\0".encode())
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:12]


def _files_of(root: Path) -> Iterator[Path]:
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*")):
            if path.suffix and path.is_file() and "__pycache__" not in path.parts:
                yield path
