"""Opponents in a file."""

import errno
import fcntl
import os

import msgpack
import pytest

from agents.statistical.counting.counters import OpponentCounters
from agents.statistical.counting.opponent_store import (
    KIND,
    LEAST_SAVE_INTERVAL,
    VERSION,
    VERSION_WITHOUT_DIGEST,
    MemoryDamaged,
    MemoryUnusable,
    OpponentStore,
    load_opponents,
    save_opponent,
)
from agents.statistical.counting.situations import CALL, RAISE
from tests.helpers.decisions import acted


def met(raises):
    """An opponent who has raised so often."""
    counters = OpponentCounters()
    for _ in range(raises):
        counters.add(acted(True, 0, RAISE))
        counters.summaries[1].add(RAISE, 0.7, 0.9, 0)
        counters.summaries[1].add_hand()
    counters.hands = raises
    return counters


def save(path, **opponents):
    """Write each of them as it is."""
    for name, counters in opponents.items():
        save_opponent(path, name, counters.plain())


def kept(path):
    """What a file holds, as plain values."""
    return {name: counters.plain() for name, counters in load_opponents(path).items()}


def write(path, version=VERSION_WITHOUT_DIGEST, **opponents):
    """A file of plain values, made by hand."""
    path.write_bytes(msgpack.packb({"kind": KIND, "version": version, "opponents": opponents}))


class Table:
    """A store beside its counters, its clock and what the user is told."""

    def __init__(self, path, name="Bob"):
        self.seconds, self.told = 0.0, []
        self.store = OpponentStore(path, name, self.told.append, lambda: self.seconds)
        self.counters = self.store.start()

    def play(self, hands=1, seconds=LEAST_SAVE_INTERVAL):
        for _ in range(hands):
            self.counters.add(acted(True, 0, CALL))
            self.counters.hands += 1
            self.seconds += seconds
            self.store.end_hand()


def test_opponents_come_back(tmp_path):
    """By name, each with its own counters; a link stays one, and no file is no error."""
    path, link = tmp_path / "met", tmp_path / "link"
    assert load_opponents(path) == {}
    link.symlink_to(path)
    opponents = {"Bob": met(3), "Zoë \\ 1": met(70000)}
    save(link, **opponents)
    assert link.is_symlink()
    assert kept(path) == {name: counters.plain() for name, counters in opponents.items()}
    assert {entry.name for entry in tmp_path.iterdir()} == {"met", "link", ".met.lock"}


def test_only_the_opponent_that_was_met_is_changed(tmp_path):
    """The others stay as they are."""
    path = tmp_path / "met"
    save(path, Bob=met(3), Ann=met(1))
    save_opponent(path, "Bob", met(5).plain(), met(3).plain())
    assert kept(path) == {"Bob": met(5).plain(), "Ann": met(1).plain()}


def test_games_are_kept_apart(tmp_path):
    """Whoever plays limit in one way may play no-limit in another."""
    store = OpponentStore(tmp_path / "met", "Bob")
    for game, hands in (("limit", 2), ("no-limit", 3), ("limit", 4)):
        store.start(game).hands += hands
    store.save()
    found = {name: one.hands for name, one in load_opponents(tmp_path / "met").items()}
    assert found == {"Bob, limit": 6, "Bob, no-limit": 3}


def test_what_was_there_stays_when_writing_fails(tmp_path, monkeypatch):
    """And nothing half written is left behind."""
    path = tmp_path / "met"
    save(path, Bob=met(3))

    def fails(first, second):
        raise OSError("disk full")

    monkeypatch.setattr("os.replace", fails)
    with pytest.raises(OSError, match="disk full"):
        save(path, Ann=met(1))
    assert set(load_opponents(path)) == {"Bob"}
    assert {entry.name for entry in tmp_path.iterdir()} == {"met", ".met.lock"}


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "something else"},
        {"version": VERSION + 1},
        {"version": VERSION_WITHOUT_DIGEST - 1},
        {"opponents": None},
        {"opponents": {"Bob": 3}},
        {"opponents": {b"Bob": met(1).plain()}},
        {"opponents": {"Bob": {"counts": []}}},
        {"opponents": {"Bob": met(1).plain() | {"counts": [[[10**15] * 3] * 12] * 2}}},
        {"version": VERSION},
        {"version": VERSION, "opponents": msgpack.packb({})},
        *(b"", b"\xc1", b"hello", msgpack.packb([1, 2])),
    ],
    ids=range(14),
)
def test_other_files_are_refused(tmp_path, changes):
    """With the file's name, and never with another exception."""
    path = tmp_path / "met"
    if isinstance(changes, dict):
        right = {"kind": KIND, "version": VERSION_WITHOUT_DIGEST, "opponents": {}}
        changes = msgpack.packb(right | changes)
    path.write_bytes(changes)
    with pytest.raises(MemoryDamaged, match=r"met: "):
        load_opponents(path)


def test_no_changed_byte_is_taken_for_an_opponent(tmp_path):
    """Wherever it is, and whatever it was changed to; nor is a file that was cut."""
    path = tmp_path / "met"
    save(path, Bob=met(3))
    data = path.read_bytes()
    for place in range(0, len(data), 7):
        changes = {data[place] ^ 1, data[place] ^ 0x80, 4} - {data[place]}
        changed = [data[:place] + bytes([one]) + data[place + 1 :] for one in changes]
        for damaged in (*changed, data[:place]):
            path.write_bytes(damaged)
            with pytest.raises(MemoryDamaged):
                load_opponents(path)


def test_a_file_without_a_digest_is_read_and_gets_one(tmp_path):
    """Nobody who was met before is forgotten."""
    path = tmp_path / "met"
    write(path, Bob=met(3).plain())
    assert kept(path) == {"Bob": met(3).plain()}
    save(path, Ann=met(1))
    assert set(kept(path)) == {"Ann", "Bob"}
    assert msgpack.unpackb(path.read_bytes())["version"] == VERSION


def test_places_that_cannot_hold_a_file_are_refused_at_the_start(tmp_path, monkeypatch):
    """A folder, a pipe, a missing folder, too long a name, no permission; and a name of no text."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    for name in (".", "pipe", "missing/met", "file/met", "x" * 255, "x" * 256, "loop"):
        with pytest.raises(MemoryUnusable, match=r"x{255}|" + name):
            OpponentStore(tmp_path / name, "Bob").start()
    assert not (tmp_path / "missing").exists()
    with pytest.raises(ValueError, match="opponent"):
        OpponentStore("met", "\udcff")
    monkeypatch.setattr("os.access", lambda path, mode: path != tmp_path)
    with pytest.raises(MemoryUnusable, match="permission"):
        OpponentStore(tmp_path / "met", "Bob").start()


def test_a_keeper_saves_now_and_then_and_at_the_end(tmp_path):
    """After the first hand, then after SAVE_SECONDS; and before the next match."""
    table = Table(tmp_path / "met")
    table.play(seconds=0.0)
    assert load_opponents(tmp_path / "met")["Bob"].hands == 1
    table.play(hands=3, seconds=0.25)
    assert load_opponents(tmp_path / "met")["Bob"].hands == 1
    table.play(hands=2, seconds=0.25)
    assert load_opponents(tmp_path / "met")["Bob"].hands == 5
    assert table.store.start().hands == 6
    assert kept(tmp_path / "met")["Bob"] == table.counters.plain()


def test_a_slow_disk_is_written_to_less_often(tmp_path, monkeypatch):
    """A save that takes a second is the last one for fifty."""
    table = Table(tmp_path / "met")

    def slow(*_):
        table.seconds += 1.0
        saves.append(table.seconds)

    saves = []
    monkeypatch.setattr("agents.statistical.counting.opponent_store.save_opponent", slow)
    table.play(hands=200)
    assert len(saves) == 4


def test_tables_that_share_a_file_lose_nothing(tmp_path):
    """Neither each other's opponents nor, of one opponent, each other's hands."""
    path = tmp_path / "met"
    save(path, Bob=met(2))
    tables = [Table(path, name) for name in ("Bob", "Ann", "Bob", "Eve")]
    for _ in range(3):
        for table in tables:
            table.play()
    found = load_opponents(path)
    assert {name: held.hands for name, held in found.items()} == {"Bob": 8, "Ann": 3, "Eve": 3}
    assert found["Bob"].counts.sum() == 8
    assert found["Bob"].summaries[1].plain() == met(2).summaries[1].plain()
    assert tables[0].counters.hands == 5


def test_a_file_that_somebody_writes_is_left_to_the_next_hand(tmp_path, monkeypatch):
    """In play; the last save waits, and tells when that was in vain."""
    monkeypatch.setattr("agents.statistical.counting.opponent_store.LAST_SAVE_PATIENCE", 0.05)
    table = Table(tmp_path / "met")
    with (tmp_path / ".met.lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        table.play()
        assert table.told == []
        assert load_opponents(tmp_path / "met") == {}
        table.store.save()
        assert "another program" in table.told[0]
    table.play(seconds=0.0)
    assert load_opponents(tmp_path / "met")["Bob"].hands == 2
    assert table.store.failure is None


def test_a_save_that_fails_is_told_once_and_made_up_for(tmp_path, monkeypatch):
    """Nothing is raised, and nothing lost."""
    table = Table(tmp_path / "met")

    def full(file):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        table.play(hands=3)
    assert len(table.told) == 1
    assert str(tmp_path / "met") in table.told[0]
    assert table.store.failure == "No space left on device"
    table.play()
    assert table.store.failure is None
    assert load_opponents(tmp_path / "met")["Bob"].hands == 4


def test_a_folder_that_vanishes_ends_no_match(tmp_path, monkeypatch):
    """Even where stderr has gone, too."""
    monkeypatch.setattr("sys.stderr", None)
    folder = tmp_path / "folder"
    folder.mkdir()
    store = OpponentStore(folder / "met", "Bob")
    counters = store.start()
    (folder / ".met.lock").unlink()
    folder.rmdir()
    counters.hands = 1
    store.end_hand()
    assert store.failure == "No such file or directory"


def test_a_file_that_becomes_another_is_not_overwritten(tmp_path):
    """While the match goes on."""
    path = tmp_path / "met"
    table = Table(path)
    table.play()
    for data in (b"hello", msgpack.packb({"kind": KIND, "version": VERSION + 1})):
        path.write_bytes(data)
        table.play()
        assert path.read_bytes() == data
    write(path, Bob={"counts": 3})
    table.play()
    assert "damaged" in table.store.failure
    path.unlink()
    table.play()
    assert kept(path)["Bob"] == table.counters.plain()
