"""Shards that belong together are told from those that do not."""

import json
from dataclasses import replace

import pytest

from engine.console.shard_records import (
    MergeRequest,
    StoredShard,
    all_shards,
    begin_shard,
    check_program,
    new_record,
    record_file,
    settle_shard,
)
from engine.errors import ShardError
from engine.parallel.shards import Shard
from tests.helpers.said import refused, says_in_a_line

FACTS = {"seed": "7", "game": "hunl", "hands": "10"}


@pytest.fixture(scope="module")
def record():
    """Of the first of three."""
    return new_record("arena lbr", ["blueprint", "--seed", "7"], Shard(1, 3), FACTS)


def write(folder, record, *numbers):
    for number in numbers:
        begin_shard(folder, replace(record, shard=Shard(number, 3)))


def test_shards_may_share_a_folder_or_not(tmp_path, record):
    """They come in their order; copies of one folder count once."""
    write(tmp_path / "a", record, 3, 1)
    write(tmp_path / "b", record, 2)
    stored = all_shards([tmp_path / "a", tmp_path / "b", tmp_path / "a"])
    assert [one.record.shard.number for one in stored] == [1, 2, 3]
    assert [one.folder.name for one in stored] == ["a", "b", "a"]
    assert stored[0].record == record
    request = MergeRequest(stored, None, None)
    assert request.arguments == ["blueprint", "--seed", "7"]
    with refused(ShardError, "--out"):
        request.folder()


@pytest.mark.parametrize(
    ("change", "facts"),
    [
        ({"command": "arena match"}, ["command", "arena lbr", "arena match"]),
        ({"shard": Shard(2, 4)}, ["shards", "3 and 4"]),
        ({"facts": FACTS | {"seed": "8"}}, ["seed", "7 and 8"]),
        ({"facts": FACTS | {"model": "x"}}, ["model", "- and x"]),
        ({"versions": {"numpy": "1"}}, ["version of acpc-arena", "version of numpy"]),
    ],
)
def test_a_difference_is_named(tmp_path, record, change, facts):
    """Whatever it is in."""
    write(tmp_path, record, 1)
    begin_shard(tmp_path, replace(replace(record, shard=Shard(2, 3)), **change))
    with refused(ShardError, *facts):
        all_shards([tmp_path])


def test_work_of_another_program_is_not_finished(tmp_path, record):
    """What differs is named; work of this program is."""
    check_program([StoredShard(tmp_path, record)])
    other = replace(record, versions=record.versions | {"numpy": "1.0"})
    with refused(ShardError, str(tmp_path), "version of numpy: 1.0"):
        check_program([StoredShard(tmp_path, other)])


def test_missing_and_double_shards_are_named(tmp_path, record):
    """All of them."""
    write(tmp_path / "a", record, 2)
    with refused(ShardError, "missing", "1/3, 3/3"):
        all_shards([tmp_path / "a"])
    write(tmp_path / "b", record, 1, 2, 3)
    with refused(ShardError, "2/3", "twice", str(tmp_path / "a"), str(tmp_path / "b")):
        all_shards([tmp_path / "a", tmp_path / "b"])
    (tmp_path / "empty").mkdir()
    with refused(ShardError, "no shards", str(tmp_path / "empty")):
        all_shards([tmp_path / "empty"])


def test_a_shard_goes_on_as_it_was_begun(tmp_path, record):
    """Or longer; with other options it is refused."""
    begin_shard(tmp_path, record)
    begin_shard(tmp_path, record)
    other = replace(record, facts=FACTS | {"hands": "20"})
    with refused(ShardError, str(tmp_path), "hands: 10 and 20"):
        begin_shard(tmp_path, other)
    begin_shard(tmp_path, other, growing=["hands"])
    assert json.loads(record_file(tmp_path, record.shard).read_text())["facts"]["hands"] == "20"


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"format": 2}', "\0", '{"format": 1, "shard": 2, "of": 3}'],
)
def test_damaged_records_are_refused(tmp_path, record, content):
    """By name."""
    path = record_file(tmp_path, record.shard)
    path.write_text(content)
    with refused(ShardError, str(path)):
        all_shards([tmp_path])


def test_a_shard_by_a_scheduler_is_told(capsys):
    """And how to have all."""
    variables = {"JOB_COMPLETION_INDEX": "0"}
    assert settle_shard("2", variables, "arena lbr") == Shard(1, 2)
    said = capsys.readouterr().err
    says_in_a_line(said, "arena lbr", "1/2", "JOB_COMPLETION_INDEX", "--shard none")
    assert settle_shard("1/2", variables, "arena lbr") == Shard(1, 2)
    assert settle_shard("none", variables, "arena lbr") is None
    assert capsys.readouterr().err == ""
