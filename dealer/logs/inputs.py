"""Which logs the arguments of a command mean: files, and folders with the logs in them."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from dealer.logs.errors import LogError
from dealer.logs.files import file_size, is_regular, open_log
from dealer.logs.text_blocks import lines_of
from engine.histories.formats import FORMATS
from protocol.errors import MalformedLogLine
from protocol.handlog import Header, parse_log_line

MANIFEST: Final = "manifest.json"
"""What `arena match` writes into the folder of a match; it names the logs that belong to it."""
PAIRINGS: Final = "pairings"
"""Of the folder of a tournament: the folder of its match folders."""
_MANIFEST_BYTES: Final = 64 << 20
_HEADER_LINES: Final = 8
_CHUNK: Final = 1 << 20


def logs_in(arguments: Iterable[str | Path]) -> list[Path]:
    """Return the logs that arguments name, each folder's own in its place.

    Those of a tournament are the logs of all its matches.

    Raises:
        LogError: a folder holds no log, or its manifest cannot be used.
    """
    found: list[Path] = []
    for path in map(Path, arguments):
        try:
            found += _logs_of_folder(path) if path.is_dir() else [path]
        except OSError as error:
            raise LogError(f"{path}: {error.strerror or error}") from error
    return found


def _logs_of_folder(folder: Path) -> list[Path]:
    manifest = folder / MANIFEST
    names = _leg_names(manifest) if is_regular(manifest) else None
    if names is None:
        logs = sorted(folder.glob("*.log")) or sorted(
            path for one in FORMATS for path in folder.glob(f"*.{one.name}")
        )
    else:
        logs = [folder / f"{name}.log" for name in names]
    logs = [log for log in logs if is_regular(log)]
    if not logs and (folder / PAIRINGS).is_dir():
        matches = sorted(one for one in (folder / PAIRINGS).iterdir() if one.is_dir())
        logs = [log for match in matches if any(match.glob("*.log")) for log in logs_in([match])]
    if not logs:
        raise LogError(f"{folder}: no log in this folder")
    return logs


def all_begun(logs: Iterable[Path]) -> bool:
    """Return whether each match that logs belong to has all logs that its manifest names.

    Raises:
        LogError: a manifest cannot be used.
    """
    manifests = {log.parent / MANIFEST for log in logs}
    return all(
        is_regular(manifest.parent / f"{name}.log")
        for manifest in manifests
        if is_regular(manifest)
        for name in _leg_names(manifest) or ()
    )


def _leg_names(manifest: Path) -> list[str] | None:
    """Return the names of a match's legs, None where the file is no match's manifest."""
    try:
        with manifest.open("rb") as source:
            document = json.loads(source.read(_MANIFEST_BYTES))
        if not isinstance(document, dict) or "legs" not in document:
            return None
        legs = document["legs"]
        names = [leg["name"] for leg in legs]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise LogError(f"{manifest}: not a readable match manifest") from error
    for name in names:
        if not isinstance(name, str) or not name or "/" in name or "\0" in name:
            raise LogError(f"{manifest}: no leg of a match is called {name!r}")
    return names


def without_copies(logs: Sequence[Path], tell: Callable[[str], None]) -> list[Path]:
    """Return the logs less those that hold byte by byte what one before them holds.

    Each of them is told.  Pipes are left as they are.
    """
    sizes = Counter(file_size(log) for log in logs)
    first: dict[tuple[int, bytes], Path] = {}
    kept = []
    for log in logs:
        size = file_size(log)
        if size and sizes[size] > 1:
            original = first.setdefault((size, _digest(log)), log)
            if original is not log:
                tell(f"{log}: the same as {original}, counted once")
                continue
        kept.append(log)
    return kept


def _digest(log: Path) -> bytes:
    digest = hashlib.sha256()
    try:
        with log.open("rb") as source:
            while piece := source.read(_CHUNK):
                digest.update(piece)
    except OSError as error:
        raise LogError(f"{log}: {error.strerror or error}") from error
    return digest.digest()


def shared_seeds(logs: Iterable[Path]) -> frozenset[int]:
    """Return the seeds that stand in the headers of more than one log."""
    seeds = Counter(header.seed for header in map(_first_header, logs) if header is not None)
    return frozenset(seed for seed, count in seeds.items() if seed is not None and count > 1)


def _first_header(log: Path) -> Header | None:
    if not is_regular(log):
        return None
    try:
        with open_log(log) as source:
            for _, text in islice(lines_of(source, _CHUNK), _HEADER_LINES):
                try:
                    record = parse_log_line(text)
                except MalformedLogLine:
                    continue
                if isinstance(record, Header):
                    return record
    except (OSError, LogError):
        pass  # reading it tells
    return None
