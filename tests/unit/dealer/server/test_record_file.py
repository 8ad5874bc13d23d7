"""Files that a match leaves behind: one writer, whole lines, told to the disk."""

import asyncio
import errno
import os
from contextlib import closing

import pytest

from dealer.server import record_file
from dealer.server.endings import MatchStopped
from dealer.server.record_file import SYNC_SECONDS, RecordFile, keep_synced
from tests.helpers.fake_clock import FakeClock, turns
from tests.helpers.said import refused


@pytest.fixture
def synced(monkeypatch):
    """Return the contents that the disk was given, in order."""
    contents = []

    def sync(descriptor):
        contents.append(os.pread(os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY), 1000, 0))

    monkeypatch.setattr(os, "fsync", sync)
    return contents


@pytest.mark.parametrize("append", [False, True])
def test_a_file_has_one_writer(tmp_path, append):
    """A second dealer is refused and changes nothing; once the first is done it may write."""
    path = tmp_path / "m.log"
    with closing(RecordFile(path, "log", append=False)) as first:
        first.write("one\n")
        with refused(MatchStopped, path, "another dealer"):
            RecordFile(path, "log", append=append)
        first.write("two\n")
    assert path.read_text() == "one\ntwo\n"
    RecordFile(path, "log", append=True).close()


def test_a_file_that_grew_since_it_was_looked_at_is_left_alone(tmp_path):
    """Another dealer has written to it and ended in between."""
    path = tmp_path / "m.log"
    path.write_text("one\ntorn")
    with pytest.raises(MatchStopped, match="another dealer"):
        RecordFile(path, "log", append=True, drop_torn=True, size=4)
    assert path.read_text() == "one\ntorn"


def test_a_pipe_without_a_reader_is_refused(tmp_path):
    """Opening it would wait for ever, deaf to the first Ctrl-C."""
    os.mkfifo(tmp_path / "m.log")
    with refused(MatchStopped, tmp_path / "m.log", "pipe"):
        RecordFile(tmp_path / "m.log", "log", append=False)


def test_a_pipe_is_written_to_and_not_waited_for_long(tmp_path, monkeypatch):
    """A reader that stops reading ends the match with words."""
    monkeypatch.setattr(record_file, "FULL_PIPE_SECONDS", 0.01)
    path = tmp_path / "m.log"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with closing(RecordFile(path, "log", append=True)) as file:
        file.write("one\n")
        assert os.read(reader, 100) == b"one\n"
        with refused(MatchStopped, path, "nobody reads"):
            file.write("x" * 10_000_000)
    os.close(reader)


async def test_what_was_written_is_told_to_the_disk_each_second(tmp_path, synced, monkeypatch):
    """In the given order, and only what is new."""

    async def here(function):
        function()

    monkeypatch.setattr(asyncio, "to_thread", here)
    clock = FakeClock()
    files = [RecordFile(tmp_path / name, "log", append=False) for name in ("a", "b")]
    task = asyncio.create_task(keep_synced(files, clock))
    for words, expected in (("1", [b"1\n", b"1\n"]), ("", []), ("2", [b"1\n2\n", b"1\n2\n"])):
        for file in files:
            if words:
                file.write(words + "\n")
        await turns()
        assert synced == []
        clock.advance(SYNC_SECONDS)
        await turns()
        assert synced == expected
        synced.clear()
    task.cancel()
    for file in files:
        file.write("last\n")
        file.close()
    assert len(synced) == 2


def test_a_disk_that_refuses_later_ends_the_match(tmp_path, monkeypatch):
    """Told at once where it is asked for, else at the next line."""

    def refuse(_descriptor):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", refuse)
    with closing(RecordFile(tmp_path / "m.tlog", "transaction", append=False)) as file:
        file.write("one\n")
        with pytest.raises(MatchStopped, match=r"write transaction file .*: Input/output error"):
            file.sync()
        with pytest.raises(MatchStopped, match="Input/output error"):
            file.write("two\n")


def test_a_torn_last_line_is_dropped_or_ended(tmp_path):
    """A crash may leave half a line; nothing is ever glued to it."""
    path = tmp_path / "m.log"
    path.write_text("whole\nhal")
    with closing(RecordFile(path, "log", append=True, drop_torn=True)) as record:
        record.write("next\n")
    assert path.read_text() == "whole\nnext\n"
    path.write_text("whole\nhal")
    with closing(RecordFile(path, "log", append=True)) as record:
        record.write("next\n")
    assert path.read_text() == "whole\nhal\nnext\n"


@pytest.mark.parametrize("zeros", [10, 65_536, 200_000])
def test_zeros_that_a_loss_of_power_left_behind_are_dropped(tmp_path, zeros):
    """Any number of them, and all of a file that has no whole line."""
    path = tmp_path / "m.log"
    for whole in (b"", b"whole\n"):
        path.write_bytes(whole + b"ha" + bytes(zeros))
        with closing(RecordFile(path, "log", append=True, drop_torn=True)) as record:
            record.write("next\n")
        assert path.read_bytes() == whole + b"next\n"
