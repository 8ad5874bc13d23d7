"""Units of measurements on disk: those of a shard as they are played, and those of all shards read.

A shard's file, `shard-2-of-8.jsonl`, has a line for each unit that is over: which way it measures,
which unit it is, its arrays as nested lists of float64, written so that reading gives the same
bits, and a digest of all this and of the measurement.  A last line that was cut off is dropped, and
its unit is played again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.errors import DamagedDocument, ShardError
from engine.parallel.shards import Shard
from engine.storage.documents import json_document
from engine.storage.locks import take_lock

if TYPE_CHECKING:
    from typing import BinaryIO

Task = TypeVar("Task")
Arrays: TypeAlias = tuple[NDArray[np.float64], ...]

_SUFFIX: Final = ".jsonl"
_LOCK_SECONDS: Final = 5.0


class Units(Protocol):
    """Knows the results of units, or has them played."""

    def results(
        self, way: str, tasks: Sequence[Task], play: Callable[[list[Task]], Iterator[Arrays]]
    ) -> Iterator[Arrays]:
        """Yield the arrays of all tasks, in their order, or of none where they are for others.

        Args:
            way: what is measured.
            tasks: its units; what JSON can say.
            play: yields the arrays of some of them, in their order.

        Raises:
            ShardError: a unit is missing.
            OSError: a file cannot be written.
        """


class ShardUnits:
    """Has the units of one shard played that are not over, and writes them; it yields nothing."""

    def __init__(self, file: BinaryIO, shard: Shard, run: str, said: Callable[[str], None]) -> None:
        """Read what is over.

        Args:
            run: what is measured, see `ShardRecord.digest`.
            said: told how far it is.

        Raises:
            ShardError: a line is damaged, or of another run.
        """
        self.over = 0
        """Units of the shard that are over, of all ways asked for so far."""
        self._file = file
        self._shard = shard
        self._run = run
        self._said = said
        self._there = _read(file, run)

    def results(
        self, way: str, tasks: Sequence[Task], play: Callable[[list[Task]], Iterator[Arrays]]
    ) -> Iterator[Arrays]:
        """Play the shard's part of the tasks."""
        mine = [*self._shard.part(tasks)]
        todo = [task for task in mine if _key(way, task) not in self._there]
        self.over += len(mine) - len(todo)
        for number, (task, arrays) in enumerate(zip(todo, play(todo), strict=True), 1):
            values = [array.tolist() for array in arrays]
            digest = _digest(self._run, way, task, values)
            line = json.dumps({"way": way, "unit": task, "arrays": values, "digest": digest})
            self._file.write(f"{line}\n".encode())
            self._file.flush()
            self.over += 1
            done = len(mine) - len(todo) + number
            self._said(f"{way}: {done:,} of {len(mine):,} units of shard {self._shard}")
        yield from ()


@contextmanager
def shard_units(
    folder: Path, shard: Shard, run: str, said: Callable[[str], None]
) -> Iterator[ShardUnits]:
    """Give the units of a shard in a folder, which nobody plays meanwhile.

    Raises:
        ShardError: another process plays them, or their file is damaged or of another run.
        OSError: it cannot be written.
    """
    path = folder / f"{shard.name}{_SUFFIX}"
    with path.open("a+b") as file:
        try:
            take_lock(file.fileno(), _LOCK_SECONDS)
        except BlockingIOError as error:
            raise ShardError(f"another process plays {path}") from error
        yield ShardUnits(file, shard, run, said)


class MergedUnits:
    """Knows the units of all shards."""

    def __init__(self, folders: Sequence[Path], run: str) -> None:
        """Read the files of all shards.

        Args:
            folders: of the first shard, the second, ...
            run: what is measured, see `ShardRecord.digest`.

        Raises:
            ShardError: one is missing, damaged or of another run.
            OSError: one cannot be read.
        """
        self._units: list[Mapping[str, Arrays]] = []
        for number, folder in enumerate(folders, 1):
            path = folder / f"{Shard(number, len(folders)).name}{_SUFFIX}"
            if not path.exists():
                raise ShardError(f"{path} is missing; the command of its shard makes it")
            with path.open("rb") as file:
                self._units.append(_read(file, run))

    def results(
        self, way: str, tasks: Sequence[Task], play: Callable[[list[Task]], Iterator[Arrays]]
    ) -> Iterator[Arrays]:
        """Yield the arrays of all tasks, in their order; none is played."""
        for number, task in enumerate(tasks):
            shard = number % len(self._units)
            arrays = self._units[shard].get(_key(way, task))
            if arrays is None:
                raise ShardError(
                    f"shard {Shard(shard + 1, len(self._units))} is not over ({way}); its command "
                    "resumes it"
                )
            yield arrays


def _key(way: str, unit: Any) -> str:
    return json.dumps([way, unit])


def _digest(run: str, way: str, unit: Any, values: Any) -> str:
    return hashlib.sha256(json.dumps([run, way, unit, values]).encode()).hexdigest()[:12]


def _read(file: BinaryIO, run: str) -> dict[str, Arrays]:
    """Return the units of a file, open for reading or appending; its end is then a line's end."""
    file.seek(0)
    units: dict[str, Arrays] = {}
    end = 0
    for number, line in enumerate(file, 1):
        if not line.endswith(b"\n"):
            break
        try:
            document = json_document(line)
            way, unit, arrays = document["way"], document["unit"], document["arrays"]
            if document["digest"] != _digest(run, way, unit, arrays):
                raise ValueError("or of another run; without this file its shard begins again")
            units[_key(way, unit)] = tuple(np.array(values, np.float64) for values in arrays)
        except (DamagedDocument, LookupError, TypeError, ValueError) as error:
            raise ShardError(f"{file.name}, line {number}: damaged ({error})") from error
        end += len(line)
    if file.writable():
        file.truncate(end)
    return units
