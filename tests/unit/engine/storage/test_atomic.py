"""Whole files, and things that are no files."""

import os
import threading

import pytest

from engine.storage.atomic import write_whole


def test_a_file_is_replaced_and_nothing_is_left_over(tmp_path):
    """The new text is there, the unfinished file is not."""
    path = tmp_path / "result.json"
    path.write_text("old")
    write_whole(path, "new\n")
    assert path.read_text() == "new\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path):
    """The file it leads to gets the text."""
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


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


def test_a_folder_is_refused(tmp_path):
    """As an error of the operating system."""
    with pytest.raises(OSError, match="directory"):
        write_whole(tmp_path, "text")
