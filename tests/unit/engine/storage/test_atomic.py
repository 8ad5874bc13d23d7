"""Whole files, and things that are no files."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from engine.storage.atomic import check_writable, remove_unfinished, replacing, write_whole


@pytest.fixture
def closed_folder(tmp_path):
    """A folder in which nobody may make a file."""
    if os.geteuid() == 0:  # who may do anything in any folder that is on a disk
        yield Path("/proc")
        return
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o555)
    yield folder
    folder.chmod(0o755)


@pytest.mark.parametrize("content", ["näu\n", b"\x00\xff"])
def test_a_file_is_replaced_and_nothing_is_left_over(tmp_path, content):
    """The new content is there, text in UTF-8; the unfinished file is not."""
    path = tmp_path / "result.json"
    path.write_text("old")
    write_whole(path, content)
    assert path.read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert list(tmp_path.iterdir()) == [path]


def test_the_old_file_is_there_until_the_new_one_is_whole(tmp_path):
    """Readers see one or the other."""
    path = tmp_path / "result"
    path.write_text("old")
    with replacing(path) as file:
        file.write(b"new, ")
        file.flush()
        assert path.read_text() == "old"
        file.write(b"and whole")
    assert path.read_text() == "new, and whole"


@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_in_the_middle_leaves_the_old_file_alone(tmp_path, failure):
    """Ctrl-C is one, too; nothing is left of what was written."""
    path = tmp_path / "result"
    path.write_text("old")

    def fails() -> None:
        with replacing(path) as file:
            file.write(b"half")
            raise failure

    with pytest.raises(type(failure)) as told:
        fails()
    if isinstance(failure, OSError):
        assert told.value.filename == str(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_at_the_end_leaves_the_old_file_alone(tmp_path, monkeypatch):
    """Where the new one cannot be put in its place."""

    def fails(source, target):
        raise OSError("it is in use")

    path = tmp_path / "result"
    path.write_text("old")
    monkeypatch.setattr("os.replace", fails)
    with pytest.raises(OSError, match="in use"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_a_link(tmp_path, there):
    """The file it leads to gets the text, in whatever folder; so it does where it is new."""
    folder = tmp_path / "folder"
    folder.mkdir()
    target, link = folder / "target", tmp_path / "link"
    if there:
        target.write_text("old")
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert list(folder.iterdir()) == [target]


def test_a_loop_of_links_is_refused(tmp_path):
    """It leads to no file, and stays what it was."""
    link = tmp_path / "link"
    link.symlink_to(link)
    with pytest.raises(OSError, match="loop of links"):
        write_whole(link, "new")
    with pytest.raises(OSError, match="loop of links"):
        check_writable(link)
    assert link.is_symlink()
    assert list(tmp_path.iterdir()) == [link]


def test_a_pipe_is_written_to(tmp_path):
    """It is neither renamed nor replaced."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_whole(pipe, "text")
    reader.join(10)
    assert read == ["text"]
    assert pipe.is_fifo()


def test_a_link_to_a_pipe_without_a_name_is_written_to():
    """As /dev/stdout is one where another program reads it."""
    reading, writing = os.pipe()
    try:
        write_whole(Path(f"/dev/fd/{writing}"), "text")
        assert os.read(reading, 100) == b"text"
    finally:
        os.close(reading)
        os.close(writing)


def test_a_device_is_written_to():
    """It stays a device."""
    write_whole(Path(os.devnull), "text")
    check_writable(Path(os.devnull))
    assert Path(os.devnull).is_char_device()


def test_a_folder_is_refused(tmp_path):
    """As an error of the operating system."""
    with pytest.raises(OSError, match="directory"):
        write_whole(tmp_path, "text")
    with pytest.raises(IsADirectoryError, match="is a folder"):
        check_writable(tmp_path)


def test_a_folder_that_takes_no_files(closed_folder):
    """It is found out before the work as well, and nothing is left there."""
    before = {entry for entry in os.listdir(closed_folder) if not entry.isdigit()}
    for write in (check_writable, lambda path: write_whole(path, "text")):
        with pytest.raises(OSError):  # its text depends on the system
            write(closed_folder / "result")
    assert {entry for entry in os.listdir(closed_folder) if not entry.isdigit()} == before


def test_trying_leaves_everything_as_it_was(tmp_path):
    """Neither a new file nor a newer one."""
    path = tmp_path / "result"
    check_writable(path)
    assert not list(tmp_path.iterdir())
    path.write_text("old")
    check_writable(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_permissions_are_those_of_any_new_file(tmp_path):
    """Not those of a temporary file, which nobody else may read."""
    write_whole(tmp_path / "one", "text")
    (tmp_path / "other").write_text("text")
    assert (tmp_path / "one").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_of_many_writers_one_is_last(tmp_path):
    """Threads that write one file at once: what is there is whole, and one of them wrote it."""
    path = tmp_path / "result"
    texts = [letter * 100_000 for letter in "abcdefgh"]
    together = threading.Barrier(len(texts))

    def write(text: str) -> None:
        together.wait()
        for _ in range(10):
            write_whole(path, text)
            assert path.read_text() in texts

    with ThreadPoolExecutor(len(texts)) as pool:
        list(pool.map(write, texts))
    assert path.read_text() in texts
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_writer_left_can_be_removed(tmp_path):
    """Of the files named, as they are called while they are written; nothing else."""
    with replacing(tmp_path / "a.json"):
        (unfinished,) = tmp_path.iterdir()
    (tmp_path / "a.json").write_text("whole")
    unfinished.write_text("half")
    other = unfinished.with_name(unfinished.name.replace("a.json", "b.json"))
    other.write_text("half")
    remove_unfinished(tmp_path, {"a.json"})
    assert {path.name for path in tmp_path.iterdir()} == {"a.json", other.name}


@pytest.mark.parametrize("name", ["/dev/full", "/proc/nothing-like-that"])
def test_errors_name_the_file_that_was_asked_for(name):
    """Not the one that is written until then, and a device as well."""
    with pytest.raises(OSError) as told, replacing(Path(name)) as file:
        file.write(b"new")
    assert str(told.value).endswith(f"'{name}'")


def test_who_may_not_write_is_told_where():
    """Before long work, too."""
    with pytest.raises(OSError) as told:
        check_writable(Path("/proc/nothing-like-that"))
    assert told.value.filename == "/proc/nothing-like-that"
