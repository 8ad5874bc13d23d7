"""Which files of a folder are hands to be read: of a match, of a tournament, or of any other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.errors import LogError
from engine.handlogs.source.opening import read_error
from engine.histories.formats import FORMATS, LOG
from engine.storage.documents import json_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MANIFEST: Final = "manifest.json"
"""`arena match` writes it into the folder of a match; it names the logs that belong to it."""
_PAIRINGS_FOLDER: Final = "pairings"
_TOURNAMENT: Final = "tournament.json"
_MANIFEST_BYTES: Final = 64 << 20
_PACKED_ENDINGS: Final = ("", ".gz", ".bz2", ".xz", ".zst")
"""Where a file is there twice, the first ending counts."""


def logs_in(arguments: Iterable[str | Path]) -> list[Path]:
    """Return the logs that arguments name, those of a folder as `files_of_hands` has them.

    Raises:
        LogError: a folder holds no log, or its manifest cannot be used.
    """
    all_logs: list[Path] = []
    for path in map(Path, arguments):
        try:
            logs = files_of_hands(path) if path.is_dir() else [path]
        except OSError as error:
            raise read_error(path, error) from error
        if not logs:
            raise LogError(f"{path}: no log in this folder")
        all_logs += logs
    return all_logs


def all_begun(logs: Iterable[Path]) -> bool:
    """Return whether each match that logs belong to has all logs that its manifest names.

    Raises:
        LogError: a manifest cannot be used.
    """
    for folder in {log.parent for log in logs}:
        try:
            names = leg_names(folder)
            if names is not None and len(files_of_hands(folder)) < len(names):
                return False
        except OSError as error:
            raise LogError(str(error)) from error
    return True


def files_of_hands(folder: Path) -> list[Path]:
    """Return the files of hands in a folder, in the order of their names.

    Those of a match are the logs that its manifest names and that are there.  Those of any other
    folder are its logs; where it has none, its hands in other formats; where it has none of these,
    the logs of the matches and tournaments in it, each once however many links lead there.

    Raises:
        LogError: a manifest cannot be used.
        OSError: a folder cannot be read.
    """
    files: list[Path] = []
    pending, visited = [folder], set[tuple[int, int]]()
    while pending:
        folder = pending.pop()
        status = folder.stat()
        if (number := (status.st_dev, status.st_ino)) in visited:
            continue  # a link leads there too, or back
        visited.add(number)
        here = _logs_of_match(folder)
        if here is None:
            here = _files(folder, LOG) or _files_of_other_formats(folder)
            pending += [] if here else sorted(_matches(folder), reverse=True)
        files += here
    return files


def _logs_of_match(folder: Path) -> list[Path] | None:
    names = leg_names(folder)
    if names is None:
        return None
    logs = (_file(folder / f"{name}.log") for name in dict.fromkeys(names))
    return [log for log in logs if log is not None]


def _files_of_other_formats(folder: Path) -> list[Path]:
    return sorted(
        path
        for form in FORMATS
        if form.name != LOG and form.reader is not None
        for path in _files(folder, form.name)
    )


def leg_names(folder: Path) -> list[str] | None:
    """Return the names of the legs of a match, None where a folder is no match's.

    Raises:
        LogError: its manifest cannot be used.
        OSError: it cannot be read.
    """
    manifest = folder / MANIFEST
    if not manifest.is_file():
        return None
    try:
        with manifest.open("rb") as source:
            document = json_document(source.read(_MANIFEST_BYTES))
        if not isinstance(document, dict) or "legs" not in document:
            return None
        names = [leg["name"] for leg in document["legs"]]
    except (ValueError, KeyError, TypeError) as error:
        raise LogError(f"{manifest}: not a readable match manifest") from error
    for name in names:
        if not isinstance(name, str) or not name or "/" in name or "\0" in name:
            raise LogError(f"{manifest}: no leg of a match is called {name!r}")
    return names


def _file(path: Path) -> Path | None:
    """Return a file, packed or not; None where there is none."""
    paths = (path.with_name(path.name + ending) for ending in _PACKED_ENDINGS)
    return next((candidate for candidate in paths if candidate.is_file()), None)


def _files(folder: Path, ending: str) -> list[Path]:
    names = {
        path.name.removesuffix(packed)
        for packed in _PACKED_ENDINGS
        for path in folder.glob(f"*.{ending}{packed}")
    }
    paths = (_file(folder / name) for name in sorted(names))
    return [path for path in paths if path is not None]


def _matches(folder: Path) -> Iterator[Path]:
    """Yield the folders of matches and tournaments in a folder."""
    pairings = folder / _PAIRINGS_FOLDER
    if pairings.is_dir():
        yield from (path for path in pairings.iterdir() if path.is_dir())
        return
    for path in folder.iterdir():
        if (path / MANIFEST).is_file() or (path / _TOURNAMENT).is_file():
            yield path
