"""Which units of work a shard has, and which shard schedulers ask for."""

from itertools import chain

import pytest

from engine.errors import ShardError
from engine.parallel.shards import (
    AskedShard,
    Shard,
    shard_asked,
    shard_named,
    without_options,
)
from tests.helpers.said import refused

ARRAY = {
    "SLURM_ARRAY_TASK_ID": "9",
    "SLURM_ARRAY_TASK_MIN": "5",
    "SLURM_ARRAY_TASK_COUNT": "3",
    "SLURM_ARRAY_TASK_STEP": "4",
}
INDEX = {"JOB_COMPLETION_INDEX": "7"}


@pytest.mark.parametrize(("units", "of"), [(0, 3), (2, 3), (10, 3), (9, 9), (5, 1)])
def test_shards_have_all_units_once(units, of):
    """In turn, and as many as they say."""
    shards = [Shard(number, of) for number in range(1, of + 1)]
    parts = [[*shard.part(range(units))] for shard in shards]
    assert sorted(chain.from_iterable(parts)) == [*range(units)]
    assert [len(part) for part in parts] == [shard.count(units) for shard in shards]
    assert all(unit % of == number for number, part in enumerate(parts) for unit in part)


def test_names_are_read_back():
    """And nothing else is."""
    assert shard_named(Shard(2, 10).name) == Shard(2, 10)
    for name in ("shard-0-of-2", "shard-3-of-2", "shard-1-of-2-x", "shard-01-of-2", "2/10"):
        assert shard_named(name) is None


@pytest.mark.parametrize(
    ("text", "variables", "wanted"),
    [
        (None, {}, None),
        ("none", ARRAY, None),
        ("2/8", {}, Shard(2, 8)),
        ("2/8", ARRAY | INDEX, Shard(2, 8)),
        ("1/1", {}, Shard(1, 1)),
        (None, ARRAY, Shard(2, 3)),
        ("3", ARRAY, Shard(2, 3)),
        ("8", {"SLURM_ARRAY_TASK_ID": "7"}, Shard(8, 8)),
        ("8", INDEX, Shard(8, 8)),
    ],
)
def test_schedulers_say_what_is_left_out(text, variables, wanted):
    """And who said so is told."""
    asked = shard_asked(text, variables)
    if wanted is None:
        assert asked is None
    else:
        assert isinstance(asked, AskedShard)
        assert asked.shard == wanted
        scheduled = "/" not in (text or "")
        assert bool(asked.source) == scheduled
        assert not scheduled or any(name in asked.source for name in variables)


@pytest.mark.parametrize(
    ("text", "variables", "facts"),
    [
        ("0/4", {}, ["0/4", "I/N"]),
        ("5/4", {}, ["5/4"]),
        ("1/0", {}, ["1/0"]),
        ("two", {}, ["two", "I/N"]),
        ("", ARRAY, ["I/N"]),
        ("-1/4", {}, ["-1/4"]),
        ("1/2/3", {}, ["1/2/3"]),
        ("4", {}, ["scheduler"]),
        ("4", ARRAY, ["3 tasks", "--shard I/4"]),
        (None, INDEX, ["JOB_COMPLETION_INDEX", "--shard N", "none"]),
        ("7", INDEX, ["8/7"]),
        (None, {"SLURM_ARRAY_TASK_ID": "3"}, ["SLURM_ARRAY_TASK_ID", "--shard N"]),
        (None, ARRAY | {"SLURM_ARRAY_TASK_ID": "x"}, ["SLURM_ARRAY_TASK_ID=x"]),
        (None, ARRAY | {"SLURM_ARRAY_TASK_ID": "10"}, ["10", "step"]),
        (None, ARRAY | {"SLURM_ARRAY_TASK_ID": "17"}, ["4/3"]),
        (None, ARRAY | {"SLURM_ARRAY_TASK_ID": "1"}, ["0/3"]),
    ],
)
def test_no_shard_is_guessed(text, variables, facts):
    """What does not say one is refused in a line."""
    with refused(ShardError, *facts):
        shard_asked(text, variables)


def test_options_with_values_are_taken_out_of_a_command_line():
    """In both spellings."""
    words = ["a", "--shard", "1/2", "--out=x", "b", "--outer"]
    assert without_options(words, "--shard", "--out") == ["a", "b", "--outer"]
