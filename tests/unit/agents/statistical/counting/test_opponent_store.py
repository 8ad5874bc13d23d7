"""Opponents in a file."""

import errno
import fcntl
import os
import threading

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
    """By name, each with its own counters; names may be any text."""
    path = tmp_path / "met"
    opponents = {"Bob": met(3), "Zoë \\ 1": met(70000)}
    save(path, **opponents)
    assert kept(path) == {name: counters.plain() for name, counters in opponents.items()}
    assert {entry.name for entry in tmp_path.iterdir()} == {"met", ".met.lock"}


def test_nobody_was_met_yet(tmp_path):
    """A file that is not there is no error."""
    assert load_opponents(tmp_path / "met") == {}


def test_only_the_opponent_that_was_met_is_changed(tmp_path):
    """The others stay as they are."""
    path = tmp_path / "met"
    save(path, Bob=met(3), Ann=met(1))
    save_opponent(path, "Bob", met(5).plain(), met(3).plain())
    assert kept(path) == {"Bob": met(5).plain(), "Ann": met(1).plain()}


def test_a_link_stays_one(tmp_path):
    """What it leads to is written."""
    path, link = tmp_path / "met", tmp_path / "link"
    link.symlink_to(path)
    save(link, Bob=met(3))
    assert link.is_symlink()
    assert kept(path) == {"Bob": met(3).plain()}


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
    "data",
    [
        b"",
        b"\xc1",
        b"hello",
        msgpack.packb([1, 2]),
        msgpack.packb(
            {"kind": "something else", "version": VERSION_WITHOUT_DIGEST, "opponents": {}}
        ),
        msgpack.packb({"kind": KIND, "version": VERSION + 1, "opponents": {}}),
        msgpack.packb({"kind": KIND, "version": VERSION_WITHOUT_DIGEST - 1, "opponents": {}}),
        msgpack.packb({"kind": KIND, "version": VERSION_WITHOUT_DIGEST}),
        msgpack.packb({"kind": KIND, "version": VERSION_WITHOUT_DIGEST, "opponents": {"Bob": 3}}),
        msgpack.packb(
            {"kind": KIND, "version": VERSION_WITHOUT_DIGEST, "opponents": {b"Bob": met(1).plain()}}
        ),
        msgpack.packb(
            {"kind": KIND, "version": VERSION_WITHOUT_DIGEST, "opponents": {"Bob": {"counts": []}}}
        ),
        msgpack.packb(
            {
                "kind": KIND,
                "version": VERSION_WITHOUT_DIGEST,
                "opponents": {"Bob": met(1).plain() | {"counts": [[[10**15] * 3] * 12] * 2}},
            }
        ),
        msgpack.packb({"kind": KIND, "version": VERSION, "opponents": {}}),
        msgpack.packb({"kind": KIND, "version": VERSION, "opponents": msgpack.packb({})}),
    ],
    ids=range(14),
)
def test_other_files_are_refused(tmp_path, data):
    """With the file's name, and never with another exception."""
    path = tmp_path / "met"
    path.write_bytes(data)
    with pytest.raises(MemoryDamaged, match=r"met: "):
        load_opponents(path)


def test_no_changed_byte_is_taken_for_an_opponent(tmp_path):
    """Wherever it is, and whatever it was changed to."""
    path = tmp_path / "met"
    save(path, Bob=met(3))
    data = path.read_bytes()
    for place in range(0, len(data), 7):
        for changed in (data[place] ^ 1, data[place] ^ 0x80, 4):
            if changed == data[place]:
                continue
            path.write_bytes(data[:place] + bytes([changed]) + data[place + 1 :])
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


def test_every_cut_file_is_refused(tmp_path):
    """Wherever it ends."""
    path = tmp_path / "met"
    save(path, Bob=met(3))
    data = path.read_bytes()
    for end in range(0, len(data), 37):
        path.write_bytes(data[:end])
        with pytest.raises(MemoryDamaged):
            load_opponents(path)


def test_places_that_cannot_hold_a_file_are_refused_at_the_start(tmp_path):
    """A folder, a pipe, a missing folder, a file where a folder should be, too long a name."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    for name in (".", "pipe", "missing/met", "file/met", "x" * 255, "x" * 256, "loop"):
        with pytest.raises(MemoryUnusable, match=r"x{255}|" + name):
            OpponentStore(tmp_path / name, "Bob").start()
    assert not (tmp_path / "missing").exists()


def test_a_folder_without_permission_is_refused_at_the_start(tmp_path, monkeypatch):
    """Not after the first hand."""
    monkeypatch.setattr("os.access", lambda path, mode: path != tmp_path)
    with pytest.raises(MemoryUnusable, match="permission"):
        OpponentStore(tmp_path / "met", "Bob").start()


def test_a_name_that_is_no_text_is_refused():
    """As a shell gives it that was handed other bytes."""
    with pytest.raises(ValueError, match="opponent"):
        OpponentStore("met", "\udcff")


def test_a_keeper_saves_now_and_then_and_at_the_end(tmp_path):
    """After the first hand, and then after SAVE_SECONDS."""
    table = Table(tmp_path / "met")
    table.play(seconds=0.0)
    assert load_opponents(tmp_path / "met")["Bob"].hands == 1
    table.play(hands=3, seconds=0.25)
    assert load_opponents(tmp_path / "met")["Bob"].hands == 1
    table.play(hands=2, seconds=0.25)
    assert load_opponents(tmp_path / "met")["Bob"].hands == 5
    table.store.save()
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


def test_the_next_match_goes_on_with_what_was_not_saved_yet(tmp_path):
    """The start of it writes first."""
    table = Table(tmp_path / "met")
    table.play(hands=5, seconds=0.0)
    assert table.store.start().hands == 5


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


def test_tables_that_save_at_the_same_time_lose_nothing(tmp_path):
    """They wait for each other."""
    tables = [Table(tmp_path / "met", name) for name in ("Bob", "Bob", "Ann")]

    def play(table):
        for _ in range(20):
            table.play(seconds=0.0)
            table.store.save()

    threads = [threading.Thread(target=play, args=(table,)) for table in tables]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [table.told for table in tables] == [[], [], []]
    found = load_opponents(tmp_path / "met")
    assert {name: held.hands for name, held in found.items()} == {"Bob": 40, "Ann": 20}


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
