"""Which logs the arguments of a command mean: files, and folders with the logs in them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from dealer.logs.reading.errors import LogError
from dealer.logs.reading.files import file_size, is_regular, lines_of, open_log
from engine.console.command import Option
from engine.errors import UnreadableText
from engine.histories.folders import files_of_hands, leg_names
from protocol.errors import MalformedLogLine
from protocol.handlog import Header, parse_log_line

_HEADER_LINES: Final = 8
_CHUNK: Final = 1 << 20


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
            raise LogError(f"{path}: {error.strerror or error}") from error
        except UnreadableText as error:
            raise LogError(str(error)) from error
        if not logs:
            raise LogError(f"{path}: no log in this folder")
        all_logs += logs
    return all_logs


def all_begun(logs: Iterable[Path]) -> bool:
    """Return whether each match that logs belong to has all logs that its manifest names.

    Raises:
        LogError: a manifest cannot be used.
    """
    try:
        for folder in {log.parent for log in logs}:
            names = leg_names(folder)
            if names is not None and len(files_of_hands(folder)) < len(names):
                return False
    except (OSError, UnreadableText) as error:
        raise LogError(str(error)) from error
    return True


def without_copies(logs: Sequence[Path], tell: Callable[[str], None]) -> list[Path]:
    """Return the logs less those that hold byte by byte what one before them holds.

    Each of them is told.  Pipes are left as they are.
    """
    sizes = Counter(file_size(log) for log in logs)
    first: dict[tuple[int, bytes], Path] = {}
    originals = []
    for log in logs:
        size = file_size(log)
        if size and sizes[size] > 1:
            original = first.setdefault((size, _digest(log)), log)
            if original is not log:
                tell(f"{log}: the same as {original}, counted once")
                continue
        originals.append(log)
    return originals


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


def logs_options(
    what: str = "match logs", *, needed: bool = True, game: str = "the game the logs are about"
) -> tuple[Option, Option]:
    """Return LOG, for `logs_in`, and --game, for `game_from_argument`.

    Args:
        what: is done with the logs, or what they are, for the help.
        needed: whether there must be one.
        game: the help of --game.
    """
    text = f"{what}; of a folder, those of its match or tournament, else all *.log in it"
    spelling = "LOG|FOLDER..." if needed else "[LOG|FOLDER...]"
    return Option(spelling, text, dest="logs"), Option("--game NAME|FILE", game)
