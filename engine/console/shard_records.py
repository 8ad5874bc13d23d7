"""What a shard says of itself beside its output, so that `arena merge` takes only what fits.

A command with --shard 2/8 first writes `shard-2-of-8.json` into the folder of its output.  It names
the command, its words, all that the result depends on, and versions.  Shards may share the folder
or have one each.  Whoever begins a shard again agrees with the record or is refused.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from engine.console.arguments import output_file
from engine.console.output import tell
from engine.console.version import program_version
from engine.errors import DamagedDocument, ShardError
from engine.parallel.own_programs import program_digest
from engine.parallel.shards import Shard, shard_asked, shard_named
from engine.storage.atomic import write_whole
from engine.storage.documents import json_document
from protocol.gamedef import GameDef, format_gamedef

_FORMAT: Final = 1
_SUFFIX: Final = ".json"
_LIBRARIES: Final = ("numpy", "numba")
"""On which the last bit of a result may depend."""
_MOST_NAMED: Final = 8
_MOST_LETTERS: Final = 40


@dataclass(frozen=True, slots=True)
class ShardRecord:
    """What a shard is a part of."""

    command: str
    """As typed: "arena lbr"."""
    arguments: tuple[str, ...]
    """The words after it, without --shard."""
    shard: Shard
    facts: Mapping[str, str]
    """All that the result depends on, by what it is called; equal in all shards."""
    versions: Mapping[str, str]
    """By program or library; equal in all shards."""

    @property
    def digest(self) -> str:
        """Of all in which the shards of one result agree."""
        same = (self.facts, self.versions)
        return digest_of([self.command, self.shard.of, *(sorted(each.items()) for each in same)])

    def differences(self, record: ShardRecord) -> list[str]:
        """Return "what: this and that" for all in which they are not of one result."""
        facts = [("command", self.command, record.command)]
        facts.append(("shards", str(self.shard.of), str(record.shard.of)))
        for mine, theirs, kind in (
            (self.versions, record.versions, "version of "),
            (self.facts, record.facts, ""),
        ):
            names = dict.fromkeys([*mine, *theirs])
            facts += [(kind + name, mine.get(name, "-"), theirs.get(name, "-")) for name in names]
        return [f"{name}: {mine} and {yours}" for name, mine, yours in facts if mine != yours]


class StoredShard(NamedTuple):
    """A shard, and the folder that has its record and its output."""

    folder: Path
    record: ShardRecord


class MergeRequest(NamedTuple):
    """All shards of a result, in their order, and what is to become of it."""

    shards: tuple[StoredShard, ...]
    out: Path | None
    json: Path | None
    """File for the result as JSON, see `engine.console.options.json_option`."""

    @property
    def arguments(self) -> list[str]:
        """The words of the command, without --shard."""
        return [*self.shards[0].record.arguments]

    def folder(self) -> Path:
        """Return where the result goes.

        Raises:
            ShardError: nobody said.
        """
        if self.out is None:
            raise ShardError(f"what {self.shards[0].record.command} makes goes to --out")
        return self.out

    def file(self) -> Path:
        """Return the file that the result goes to.

        Raises:
            ShardError: nobody said, or it cannot be one.
        """
        try:
            return output_file(str(self.folder()))
        except argparse.ArgumentTypeError as error:
            raise ShardError(f"--out {error}") from error


def settle_shard(text: str | None, environment: Mapping[str, str], prog: str) -> Shard | None:
    """Return the shard that is asked for, None for all; where a scheduler says so, tell.

    Raises:
        ShardError: see `shard_asked`.
    """
    asked = shard_asked(text, environment)
    if asked is None:
        return None
    if asked.source:
        tell(f"{prog}: this is shard {asked.shard}, by {asked.source} (--shard none: all of it)")
    return asked.shard


def new_record(
    command: str, arguments: Iterable[str], shard: Shard, facts: Mapping[str, str]
) -> ShardRecord:
    """Return the record of a shard made by this program here."""
    from importlib import metadata  # here, because it takes longer than help may

    versions = {
        "acpc-arena": f"{program_version()} ({program_digest()})",
        "python": platform.python_version(),
    }
    versions |= {name: metadata.version(name) for name in _LIBRARIES}
    return ShardRecord(command, tuple(arguments), shard, dict(facts), versions)


def file_facts(arguments: Iterable[str]) -> dict[str, str]:
    """Return facts of the files among arguments, such as the models of a bot: what is in them.

    Args:
        arguments: files, or options with them, such as model=FILE.

    Raises:
        OSError: one cannot be read.
    """
    facts = {}
    for argument in arguments:
        path = Path(argument.rpartition("=")[2])
        if path.is_file():
            with path.open("rb") as file:
                facts[f"file {path.name}"] = hashlib.file_digest(file, "sha256").hexdigest()[:12]
    return facts


def game_fact(game: GameDef) -> str:
    """Return a game as a fact: how it is played, and a digest of its definition."""
    limit = "no-limit" if game.no_limit else "limit"
    return f"{limit} for {game.players} ({digest_of(format_gamedef(game))})"


def digest_of(fact: object) -> str:
    """Return a short text as it is, of any other plain value the beginning of a digest."""
    if isinstance(fact, str) and len(fact) <= _MOST_LETTERS:
        return fact
    return hashlib.sha256(json.dumps(fact).encode()).hexdigest()[:12]


def record_file(folder: Path, shard: Shard) -> Path:
    """Return the file of a shard's record."""
    return folder / f"{shard.name}{_SUFFIX}"


def begin_shard(folder: Path, record: ShardRecord, growing: Collection[str] = ()) -> None:
    """Write the record of a shard that begins; one that goes on agrees with what is there.

    Args:
        growing: facts that may have changed since: they make the shard longer.

    Raises:
        ShardError: another shard of this number is there, or the file is no record.
        OSError: it cannot be written.
    """
    path = record_file(folder, record.shard)
    if path.exists():
        there = _read(path)
        grown = {name: fact for name, fact in record.facts.items() if name in growing}
        if different := replace(there, facts={**there.facts, **grown}).differences(record):
            raise ShardError(f"{path} is of something else: {'; '.join(different)}")
        if there.facts == record.facts:
            return
    folder.mkdir(parents=True, exist_ok=True)
    _write(path, record)


def all_shards(folders: Sequence[Path]) -> tuple[StoredShard, ...]:
    """Return the shards in some folders, which are all of one result, in their order.

    Raises:
        ShardError: there are none, they do not belong together, or one is missing or there twice.
        OSError: a folder cannot be read.
    """
    shards = [
        StoredShard(folder, _read(path))
        for folder in dict.fromkeys(folders)
        for path in sorted(folder.iterdir())
        if path.suffix == _SUFFIX and shard_named(path.stem)
    ]
    if not shards:
        raise ShardError(f"no shards in {', '.join(map(str, folders))} (no shard-I-of-N.json)")
    first = shards[0]
    numbers: dict[int, StoredShard] = {}
    for stored in shards:
        if different := first.record.differences(stored.record):
            raise ShardError(
                f"shard {first.record.shard} in {first.folder} and {stored.record.shard} in "
                f"{stored.folder} do not belong together: {'; '.join(different)}"
            )
        double = numbers.setdefault(stored.record.shard.number, stored)
        if double is not stored:
            raise ShardError(
                f"shard {stored.record.shard} is there twice, in {double.folder} and "
                f"{stored.folder}"
            )
    of = first.record.shard.of
    if missing := [str(Shard(number, of)) for number in range(1, of + 1) if number not in numbers]:
        more = f" and {len(missing) - _MOST_NAMED} more" if len(missing) > _MOST_NAMED else ""
        are = "shard is" if len(missing) == 1 else "shards are"
        raise ShardError(f"{are} missing: {', '.join(missing[:_MOST_NAMED])}{more}")
    return tuple(numbers[number] for number in sorted(numbers))


def check_program(shards: Sequence[StoredShard]) -> None:
    """Refuse to finish the work of another program than this one.

    Raises:
        ShardError: a version differs.
    """
    record = shards[0].record
    here = new_record(record.command, record.arguments, record.shard, record.facts)
    if different := record.differences(here):
        raise ShardError(
            f"{shards[0].folder} is of another program than this: {'; '.join(different)}"
        )


def unfinished(shard: Shard, what: str) -> ShardError:
    """Return the error of a shard that is not over; `what` says what is missing."""
    return ShardError(f"shard {shard} is not over ({what}); its command resumes it")


def _write(path: Path, record: ShardRecord) -> None:
    document = {
        "format": _FORMAT,
        "command": record.command,
        "arguments": list(record.arguments),
        "shard": record.shard.number,
        "of": record.shard.of,
        "facts": dict(record.facts),
        "versions": dict(record.versions),
    }
    write_whole(path, json.dumps(document, indent=1) + "\n")


def _read(path: Path) -> ShardRecord:
    try:
        return _record_in(path, json_document(path.read_bytes()))
    except (AttributeError, DamagedDocument, LookupError, TypeError, ValueError) as error:
        raise ShardError(f"{path}: not the record of a shard ({error})") from error


def _record_in(path: Path, document: dict[str, Any]) -> ShardRecord:
    if document["format"] != _FORMAT:
        raise ValueError(f"format {document['format']}, this program reads {_FORMAT}")
    shard = Shard(int(document["shard"]), int(document["of"]))
    if shard_named(path.stem) != shard:
        raise ValueError(f"it says shard {shard}")
    return ShardRecord(
        str(document["command"]),
        tuple(map(str, document["arguments"])),
        shard,
        {str(name): str(fact) for name, fact in document["facts"].items()},
        {str(name): str(version) for name, version in document["versions"].items()},
    )
