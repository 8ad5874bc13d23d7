"""Text files of others, whatever they are."""

import os
from pathlib import Path

import pytest

from engine.errors import UnreadableText
from engine.storage.plain_text import (
    LONGEST_LINE_BYTES,
    MOST_TEXT_BYTES,
    plain_bytes,
    plain_lines,
)
from tests.helpers.said import refused


def test_lines_are_numbered_and_bytes_survive(tmp_path):
    """Any line end; the last line may have none."""
    path = tmp_path / "some.txt"
    path.write_bytes(b"one\r\n\xff\n\nlast" + bytes(LONGEST_LINE_BYTES - 4).replace(b"\0", b"x"))
    found = list(plain_lines(path))
    assert [number for number, _ in found] == [1, 2, 3, 4]
    assert [text[:4] for _, text in found] == ["one", "\udcff", "", "last"]
    path.write_bytes(b"")
    assert list(plain_lines(path)) == []


def test_what_has_no_end_is_refused(tmp_path):
    """Devices, pipes without a writer, folders, lines that fill the memory, nothing at all."""
    pipe, long = tmp_path / "pipe", tmp_path / "long.txt"
    os.mkfifo(pipe)
    for path in (Path("/dev/zero"), pipe, tmp_path, tmp_path / "none"):
        with refused(UnreadableText, path):
            list(plain_lines(path))
        with refused(UnreadableText, path):
            plain_bytes(path)
    long.write_bytes(b"first\n" + b"x" * (LONGEST_LINE_BYTES + 1) + b"\nthird\n")
    lines = plain_lines(long)
    assert next(lines) == (1, "first")
    with refused(UnreadableText, "long.txt:2", f"{LONGEST_LINE_BYTES:,} bytes"):
        next(lines)


def test_a_file_is_read_whole_up_to_a_length(tmp_path):
    """A longer one is refused before it fills the memory."""
    path = tmp_path / "some.txt"
    path.write_bytes(b"\xff\r\n")
    assert plain_bytes(path) == b"\xff\r\n"
    with path.open("wb") as file:
        file.truncate(MOST_TEXT_BYTES + 1)
    with refused(UnreadableText, path, f"more than {MOST_TEXT_BYTES:,} bytes"):
        plain_bytes(path)


@pytest.mark.parametrize("name", ["a\0b", "x" * 300])
def test_names_that_no_file_has_are_refused(tmp_path, name):
    """As one that is not there."""
    with pytest.raises(UnreadableText):
        list(plain_lines(tmp_path / name))
