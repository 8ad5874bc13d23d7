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
    CLASS_PATTERN,
    BotKind,
    Participant,
    ProgramFile,
    find_program,
    pokerbots_folder,
    program_words,
)
from dealer.errors import MatchError
from protocol.errors import MalformedCommands
from protocol.pokerbots import COMMANDS_NAME, MOST_COMMANDS_BYTES, parse_commands

_OUTPUT_OPTIONS: Final = ("--memory", "--log")
_MODULE: Final = re.compile(r"\w+(\.\w+)*")
_Stamp = tuple[int, int, int]


def with_files(bots: Sequence[Participant], folder: str) -> tuple[Participant, ...]:
    """Return bots with the files that their commands name, as they are now.

    Args:
        folder: in which bots are started that have no folder of their own.
    """
    return tuple(replace(bot, files=tuple(_files_of(bot, folder))) for bot in bots)


def program_digest(bot: Participant, folder: str, version: str) -> str:
    """Return a SHA-256 of what plays: the words of its command, with files by what is in them.

    Args:
        folder: in which it is started where it has no folder of its own.
        version: ours, which counts where our own code plays.
    """
    (bot,) = with_files([bot], folder)
    digests = {file.name: file.sha256 for file in bot.files}
    if pokerbots_folder(bot):
        return _digest([*bot.words[1:], *digests, *digests.values()])
    parts = [digests.get(word, word) for word in program_words(bot) or bot.words]
    if not program_words(bot):
        parts += [version, *(digest for name, digest in digests.items() if name not in bot.words)]
    return _digest(parts)


def _digest(parts: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def changed_files(earlier: Sequence[Participant], now: Sequence[Participant]) -> list[str]:
    """Return a line for each file that is not what it was; bots without known files have none."""
    lines = []
    for old, new in zip(earlier, now, strict=True):
        new_files = {file.name: file for file in new.files}
        for file in old.files:
            new_file = new_files.get(file.name)
            if new_file is None:
                lines.append(f"{file.name} of {old.label} is gone")
            elif new_file.sha256 != file.sha256:
                lines.append(
                    f"{file.name} of {old.label} has {new_file.size:,} bytes "
                    f"({new_file.sha256[:12]}), had {file.size:,} ({file.sha256[:12]})"
                )
    return lines


def with_earlier(
    earlier: Sequence[Participant], now: Sequence[Participant]
) -> tuple[Participant, ...]:
    """Return bots whose files remember what they were when the bots played before."""
    bots = []
    for old, new in zip(earlier, now, strict=True):
        old_files = {file.name: file for file in old.files}
        files = [_after(old_files.get(file.name), file) for file in new.files]
        bots.append(replace(new, files=tuple(files)))
    return tuple(bots)


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
        self._stamps: dict[Path, _Stamp] = {}

    def check(self, bots: Sequence[Participant], folder: str) -> None:
        """Refuse bots of which a file has changed.

        Raises:
            MatchError: with the first of them.
        """
        for bot in bots:
            paths = dict(_named(bot, folder)) if bot.files else {}
            touched = [path for path in paths.values() if self._stamps.get(path) != _stamp(path)]
            if not touched and len(paths) >= len(bot.files):
                continue
            stamps = {path: _stamp(path) for path in touched}
            (now,) = with_files([bot], folder)
            if changed := changed_files([bot], [now]):
                raise MatchError(f"{changed[0]}; put it back, or resume with --changed-bots")
            self._stamps |= {path: stamp for path, stamp in stamps.items() if stamp is not None}


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
    if bot_folder := pokerbots_folder(bot):
        yield from _named_in_folder(start, bot_folder)
        return
    command = program_words(bot) or bot.words
    named: dict[str, Path] = {}
    if match := CLASS_PATTERN.fullmatch(command[0]):
        base = (
            start / match[1] if match[1].endswith(".py") else start.joinpath(*match[1].split("."))
        )
        if path := _first_file(base.with_suffix(".py"), base / "__init__.py"):
            named[command[0]] = path
    elif program_words(bot) and (program := find_program(command[0], start)):
        named[command[0]] = Path(program)
    for previous, argument in pairwise(command):
        if bot.kind is BotKind.SHIPPED and previous in _OUTPUT_OPTIONS:
            continue
        if previous == "-m" and _MODULE.fullmatch(argument):
            module = start.joinpath(*argument.split("."))
            names = [module.with_suffix(".py"), module / "__main__.py"]
        else:
            names = [start / argument.rpartition("=")[2], start / argument]
        if path := _first_file(*names):
            named[argument] = path
    yield from named.items()


def _named_in_folder(start: Path, folder: str) -> Iterator[tuple[str, Path]]:
    """Yield the same of a bot of the pokerbots competitions: what its `commands.json` names.

    What is built is none of it: its sources count, as far as the words of the build name them.
    """
    commands_path = start / folder / COMMANDS_NAME
    yield COMMANDS_NAME, commands_path
    try:
        with commands_path.open("rb") as file:
            commands = parse_commands(file.read(MOST_COMMANDS_BYTES))
    except (OSError, MalformedCommands):
        return
    for word in dict.fromkeys(commands.build or commands.run):
        if path := _first_file(start / folder / word):
            yield word, path


def _first_file(*paths: Path) -> Path | None:
    return next((path for path in paths if path.is_file()), None)


def _stamp(path: Path) -> _Stamp | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino
