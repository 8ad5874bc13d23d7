"""The files that bots' commands name, so that nobody plays on as another program under one name.

What a program loads by itself, such as modules beside a script, is not known.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from dealer.bots.participants import (
    OWN_CLASS,
    BotKind,
    Participant,
    ProgramFile,
    find_program,
    program_words,
)
from dealer.errors import MatchError

_WRITTEN: Final = ("--memory", "--log")
"""Options of shipped bots for files that they write."""
_MODULE: Final = re.compile(r"\w+(\.\w+)*")
_Stamp = tuple[int, int, int]


def with_files(bots: Sequence[Participant], folder: str) -> tuple[Participant, ...]:
    """Return bots with the files that their commands name, as they are now.

    Args:
        folder: in which bots are started that have no folder of their own.
    """
    return tuple(replace(bot, files=tuple(_files_of(bot, folder))) for bot in bots)


def changed_files(before: Sequence[Participant], now: Sequence[Participant]) -> list[str]:
    """Return a line for each file that is not what it was; bots without known files have none."""
    lines = []
    for old, new in zip(before, now, strict=True):
        known = {file.name: file for file in new.files}
        for file in old.files:
            other = known.get(file.name)
            if other is None:
                lines.append(f"{file.name} of {old.label} is gone")
            elif other.sha256 != file.sha256:
                lines.append(
                    f"{file.name} of {old.label} has {other.size:,} bytes ({other.sha256[:12]}), "
                    f"had {file.size:,} ({file.sha256[:12]})"
                )
    return lines


def with_earlier(
    before: Sequence[Participant], now: Sequence[Participant]
) -> tuple[Participant, ...]:
    """Return bots whose files remember what they were when the bots played before."""
    found = []
    for old, new in zip(before, now, strict=True):
        known = {file.name: file for file in old.files}
        files = [_after(known.get(file.name), file) for file in new.files]
        found.append(replace(new, files=tuple(files)))
    return tuple(found)


def earlier_lines(bots: Sequence[Participant]) -> list[str]:
    """Return a line for each bot that played as several programs."""
    return [
        f"{bot.label} played as several programs: {file.name} was changed"
        for bot in bots
        for file in bot.files
        if file.earlier
    ]


def files_document(bot: Participant) -> list[dict[str, Any]]:
    """Return what is known of a bot's files as plain values."""
    return [asdict(file) for file in bot.files]


class FileWatch:
    """Looks whether files are still those that were recorded, and reads only those touched."""

    def __init__(self) -> None:
        self._seen: dict[Path, _Stamp] = {}

    def check(self, bots: Sequence[Participant], folder: str) -> None:
        """Refuse bots of which a file has changed.

        Raises:
            MatchError: with the first of them.
        """
        for bot in bots:
            paths = dict(_named(bot, folder)) if bot.files else {}
            touched = [one for one in paths.values() if self._seen.get(one) != _stamp(one)]
            if not touched and len(paths) >= len(bot.files):
                continue
            stamps = {path: _stamp(path) for path in touched}
            (now,) = with_files([bot], folder)
            if changed := changed_files([bot], [now]):
                raise MatchError(f"{changed[0]}; put it back, or resume with --changed-bots")
            self._seen |= {path: stamp for path, stamp in stamps.items() if stamp is not None}


def _after(old: ProgramFile | None, new: ProgramFile) -> ProgramFile:
    if old is None:
        return new
    earlier = old.earlier if old.sha256 == new.sha256 else (*old.earlier, old.sha256)
    return replace(new, earlier=earlier)


def _files_of(bot: Participant, folder: str) -> Iterator[ProgramFile]:
    for name, path in _named(bot, folder):
        try:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
                yield ProgramFile(name, file.tell(), digest)
        except OSError:  # a program may be executed and not read
            continue


def _named(bot: Participant, folder: str) -> Iterator[tuple[str, Path]]:
    """Yield name and path of the files that a bot's command names, each once."""
    if bot.kind is BotKind.LISTEN:
        return
    start = Path(bot.directory or folder)
    words = program_words(bot) or bot.words
    named: dict[str, Path] = {}
    if own := OWN_CLASS.fullmatch(words[0]):
        place = start / own[1] if own[1].endswith(".py") else start.joinpath(*own[1].split("."))
        if path := _first_file(place.with_suffix(".py"), place / "__init__.py"):
            named[words[0]] = path
    elif program_words(bot) and (program := find_program(words[0], start)):
        named[words[0]] = Path(program)
    for before, word in pairwise(words):
        if bot.kind is BotKind.SHIPPED and before in _WRITTEN:
            continue
        if before == "-m" and _MODULE.fullmatch(word):
            module = start.joinpath(*word.split("."))
            names = [module.with_suffix(".py"), module / "__main__.py"]
        else:
            names = [start / word.rpartition("=")[2], start / word]
        if path := _first_file(*names):
            named[word] = path
    yield from named.items()


def _first_file(*paths: Path) -> Path | None:
    return next((path for path in paths if path.is_file()), None)


def _stamp(path: Path) -> _Stamp | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns, found.st_ino
