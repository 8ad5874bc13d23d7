"""Opponents in a file."""

import msgpack
import pytest

from agents.statistical.counters import OpponentCounters
from agents.statistical.habits import RAISE
from agents.statistical.memory import (
    KIND,
    VERSION,
    MemoryDamaged,
    load_opponents,
    save_opponents,
)


def met(raises):
    """An opponent who has raised so often."""
    counters = OpponentCounters()
    for _ in range(raises):
        counters.add(True, 0, RAISE)
    counters.hands = raises
    return counters


def test_opponents_come_back(tmp_path):
    """By name, each with its own counters; names may be any text."""
    path = tmp_path / "met"
    opponents = {"Bob": met(3), "Zoë \\ 1": met(70000)}
    save_opponents(path, opponents)
    assert load_opponents(path) == opponents
    assert [entry.name for entry in tmp_path.iterdir()] == ["met"]


def test_nobody_was_met_yet(tmp_path):
    """A file that is not there is no error."""
    assert load_opponents(tmp_path / "met") == {}


def test_a_later_file_takes_the_place_of_an_earlier_one(tmp_path):
    """All of it."""
    path = tmp_path / "met"
    save_opponents(path, {"Bob": met(3)})
    save_opponents(path, {"Ann": met(1)})
    assert set(load_opponents(path)) == {"Ann"}


def test_what_was_there_stays_when_writing_fails(tmp_path, monkeypatch):
    """And nothing half written is left behind."""
    path = tmp_path / "met"
    save_opponents(path, {"Bob": met(3)})

    def fails(first, second):
        raise OSError("disk full")

    monkeypatch.setattr("os.replace", fails)
    with pytest.raises(OSError, match="disk full"):
        save_opponents(path, {"Ann": met(1)})
    assert set(load_opponents(path)) == {"Bob"}
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xc1",
        b"hello",
        msgpack.packb([1, 2]),
        msgpack.packb({"kind": "something else", "version": VERSION, "opponents": {}}),
        msgpack.packb({"kind": KIND, "version": VERSION + 1, "opponents": {}}),
        msgpack.packb({"kind": KIND, "version": VERSION}),
        msgpack.packb({"kind": KIND, "version": VERSION, "opponents": {"Bob": 3}}),
        msgpack.packb({"kind": KIND, "version": VERSION, "opponents": {b"Bob": met(1).plain()}}),
        msgpack.packb({"kind": KIND, "version": VERSION, "opponents": {"Bob": {"counts": []}}}),
    ],
    ids=range(10),
)
def test_other_files_are_refused(tmp_path, data):
    """With the file's name, and never with another exception."""
    path = tmp_path / "met"
    path.write_bytes(data)
    with pytest.raises(MemoryDamaged, match="met"):
        load_opponents(path)


def test_every_cut_file_is_refused(tmp_path):
    """Wherever it ends."""
    path = tmp_path / "met"
    save_opponents(path, {"Bob": met(3)})
    data = path.read_bytes()
    for end in range(0, len(data), 37):
        path.write_bytes(data[:end])
        with pytest.raises(MemoryDamaged):
            load_opponents(path)
