"""Shards: which units of a command's work one of N runs does, that know nothing of each other.

Work is a row of units, each with a seed of its own; unit k, counted from 0, is in shard k mod N.
So N shards together do what a single run does, and no machine has to wait for another one.

    --shard 2/8         the second of eight
    --shard 8           of eight; which one, a scheduler says
    --shard none        all, whatever a scheduler says
    without --shard     what a scheduler says, or all

Schedulers speak by environment variables: SLURM in the tasks of an array, Kubernetes in the pods of
an indexed job, which does not say how many there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple, TypeVar

from engine.errors import ShardError

Unit = TypeVar("Unit")

_MOST_SHARDS: Final = 10**6
_NAME: Final = re.compile(r"shard-([1-9][0-9]{0,6})-of-([1-9][0-9]{0,6})")
_SLURM_TASK: Final = "SLURM_ARRAY_TASK_ID"
_SLURM_COUNT: Final = "SLURM_ARRAY_TASK_COUNT"
_SLURM_FIRST: Final = "SLURM_ARRAY_TASK_MIN"
_SLURM_STEP: Final = "SLURM_ARRAY_TASK_STEP"
_KUBERNETES_INDEX: Final = "JOB_COMPLETION_INDEX"
_ALL: Final = "none"
_NO_SHARD: Final = f"--shard {_ALL}: all of it"


class Shard(NamedTuple):
    """A part of all units: the `number`-th, counted from 1, `of` so many."""

    number: int = 1
    of: int = 1

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    @property
    def name(self) -> str:
        """Stem of the names of its files."""
        return f"shard-{self.number}-of-{self.of}"

    def part(self, units: Iterable[Unit]) -> Iterator[Unit]:
        """Yield the shard's units of all, in their order."""
        return islice(units, self.number - 1, None, self.of)

    def count(self, units: int) -> int:
        """Return how many units it has of so many."""
        return len(range(self.number - 1, units, self.of))


class AskedShard(NamedTuple):
    """A shard, and who says that it is this one."""

    shard: Shard
    source: str
    """Variables of the environment, "" where the user says all."""


def shard_named(name: str) -> Shard | None:
    """Return the shard that has `Shard.name`, None where there is none of this name."""
    match = _NAME.fullmatch(name)
    shard = None if match is None else Shard(int(match[1]), int(match[2]))
    return shard if shard is not None and shard.number <= shard.of else None


def shard_asked(text: str | None, environment: Mapping[str, str]) -> AskedShard | None:
    """Return the shard that --shard and a scheduler ask for; None: all units, by no shard.

    Args:
        text: the value of --shard, None without it.

    Raises:
        ShardError: there is no such shard, or not all is said of it.
    """
    if text == _ALL:
        return None
    match = re.fullmatch(r"(?:([0-9]{1,7})/)?([0-9]{1,7})", "1/1" if text is None else text)
    if match is None:
        raise ShardError(f"--shard {text}: want I/N, as 1/4 to 4/4")
    number, of = match.groups()
    if text is not None and number is not None:
        return AskedShard(_checked(int(number), int(of), f"--shard {text}"), "")
    count = None if text is None else int(of)
    if _SLURM_TASK in environment:
        return _in_array(count, environment)
    if _KUBERNETES_INDEX in environment:
        return _in_indexed_job(count, environment)
    if text is not None:
        raise ShardError(f"--shard {text}: want I/N; no scheduler says which of {text} this is")
    return None


def _in_array(count: int | None, environment: Mapping[str, str]) -> AskedShard:
    """Return the shard of a task of a SLURM array of any numbers in equal steps."""
    task = _number(environment, _SLURM_TASK)
    first = _number(environment, _SLURM_FIRST, "0")
    step = max(_number(environment, _SLURM_STEP, "1"), 1)
    if _SLURM_COUNT not in environment and count is None:
        raise ShardError(f"{_SLURM_TASK} says which shard, and --shard N of how many ({_NO_SHARD})")
    tasks = _number(environment, _SLURM_COUNT, str(count))
    if count not in (None, tasks):
        raise ShardError(
            f"--shard {count}: the array of SLURM has {tasks} task{'s' * (tasks != 1)}; "
            f"of another number say which shard, --shard I/{count}"
        )
    number, rest = divmod(task - first, step)
    if rest:
        raise ShardError(
            f"{_SLURM_TASK} {task}: no step of {step} from {first} on; say --shard I/N"
        )
    source = f"{_SLURM_TASK} {task} of {tasks} from {first} on"
    return AskedShard(_checked(number + 1, tasks, source), source)


def _in_indexed_job(count: int | None, environment: Mapping[str, str]) -> AskedShard:
    """Return the shard of a pod of an indexed job."""
    index = _number(environment, _KUBERNETES_INDEX)
    if count is None:
        raise ShardError(
            f"{_KUBERNETES_INDEX} says which shard, and --shard N of how many ({_NO_SHARD})"
        )
    source = f"{_KUBERNETES_INDEX} {index}"
    return AskedShard(_checked(index + 1, count, f"{source} of {count}"), source)


def _number(environment: Mapping[str, str], name: str, otherwise: str = "") -> int:
    text = environment.get(name, otherwise)
    if re.fullmatch("[0-9]{1,9}", text) is None:
        raise ShardError(f"{name}={text}: want a whole number; or say --shard I/N")
    return int(text)


def _checked(number: int, of: int, source: str) -> Shard:
    if not 1 <= number <= of <= _MOST_SHARDS:
        raise ShardError(f"{source}: there is no shard {number}/{of}; want I/N, as 1/4 to 4/4")
    return Shard(number, of)


def without_options(arguments: Sequence[str], *flags: str) -> list[str]:
    """Return the words of a command line without some options that have a value each."""
    words: list[str] = []
    rest = iter(arguments)
    for word in rest:
        if word in flags:
            next(rest, None)
        elif word.partition("=")[0] not in flags:
            words.append(word)
    return words
