"""Files that bots write: short enough, with beginning, end, and a word on what is missing."""

import re

import pytest

from dealer.bots.programs import OutputFile

NOTE = re.compile(rb"\n\[arena match left out ([0-9,]+) bytes here\]\n")


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Sizes of tests."""
    for name, size in (("MOST_OUTPUT", 1000), ("_HEAD", 400), ("_TAIL", 200), ("_CUT_SEARCH", 50)):
        monkeypatch.setattr(f"dealer.bots.programs.{name}_BYTES", size)


def lines(first, last):
    """Return numbered lines of ten bytes."""
    return b"".join(b"line %04d\n" % line for line in range(first, last))


def number(text):
    return int(text.replace(b",", b""))


def append(path, data):
    with path.open("ab") as file:
        file.write(data)


def test_the_middle_is_taken_out_between_lines(tmp_path):
    """Again and again, what an earlier leg wrote not counted; nothing is counted twice."""
    path = tmp_path / "err"
    append(path, b"earlier\n" * 1000)
    file = OutputFile(path)
    file.keep_short()
    assert path.read_bytes() == b"earlier\n" * 1000
    written = 0
    for _ in range(5):
        append(path, lines(written, written + 150))
        written += 150
        file.keep_short()
    head, left_out, tail = NOTE.split(path.read_bytes())
    assert head == b"earlier\n" * 1000 + lines(0, 40)
    assert tail == lines(written - len(tail) // 10, written)
    assert 150 <= len(tail) <= 200
    assert number(left_out) == 10 * written - 400 - len(tail)
    assert file.tail()[-1] == f"line {written - 1:04d}"


def test_a_line_without_end_is_cut_anywhere(tmp_path):
    """It cannot be kept whole."""
    path = tmp_path / "err"
    file = OutputFile(path)
    append(path, b"x" * 5000)
    file.keep_short()
    head, left_out, tail = NOTE.split(path.read_bytes())
    assert (head, number(left_out), tail) == (b"x" * 400, 4400, b"x" * 200)


def test_a_file_that_cannot_be_opened_is_left_alone(tmp_path):
    """As when a bot has put something else in its place."""
    (tmp_path / "err" / "deep").mkdir(parents=True)
    file = OutputFile(tmp_path / "err")
    file.start = -5000
    file.keep_short()
