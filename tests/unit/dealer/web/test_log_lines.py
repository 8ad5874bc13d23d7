"""The lines of a log: whole ones only, from any line on, also those to come."""

import gzip
import os
from contextlib import closing

import pytest

from dealer.web import log_lines
from dealer.web.log_lines import LogLines, LogReplaced
from engine.errors import LogError


@pytest.fixture
def opened():
    """Opens logs, and closes them at the end."""
    found = []

    def open_lines(*arguments):
        found.append(LogLines(*arguments))
        return found[-1]

    yield open_lines
    for one in found:
        one.close()


def test_lines_are_given_when_they_are_whole(tmp_path, opened):
    """What is still being written is kept back; the offset is where the next line begins."""
    log = tmp_path / "x.log"
    log.write_bytes(b"one\ntwo\nthr")
    lines = opened(log)
    assert (lines.read(), lines.read(), lines.offset) == (b"one\ntwo\n", b"", 8)
    assert not lines.grown()
    with log.open("ab") as file:
        file.write(b"ee\nfo")
    assert lines.grown()
    assert (lines.read(), lines.read(), lines.offset) == (b"three\n", b"", 14)


def test_reading_begins_anywhere(tmp_path, opened):
    """In pieces or at once it is the same text."""
    log = tmp_path / "x.log"
    text = b"".join(b"line %d\n" % number for number in range(60_000))
    log.write_bytes(text)
    for start in (0, 7, len(text)):
        lines = opened(log, start)
        assert b"".join(iter(lines.read, b"")) == text[start:]
        assert lines.offset == len(text)


def packed(path, text):
    """A log that is compressed."""
    path.write_bytes(gzip.compress(text.encode()))


def wide(path, text):
    """A log in UTF-16."""
    path.write_text(text, encoding="utf-16")


@pytest.mark.parametrize("write", [packed, wide])
def test_what_is_no_plain_text_is_another_log_when_it_changes(tmp_path, opened, write):
    """Nobody can say what is new in it."""
    log = tmp_path / "x.log"
    write(log, "one\n")
    lines = opened(log)
    assert (lines.read(), lines.grown()) == (b"one\n", False)
    write(log, "one\ntwo\n")
    with pytest.raises(LogReplaced):
        lines.grown()
    assert opened(log, 4).read() == b"two\n"  # a byte of the text, not of the file


@pytest.mark.parametrize("write", [packed, wide])
def test_what_is_no_plain_text_is_read_once_all_of_it_may_be(tmp_path, opened, write):
    """Sizes of the file are not those of the text."""
    log = tmp_path / "x.log"
    write(log, "one\n" * 100)
    size = log.stat().st_size
    ends = [0, size - 1, size]
    lines = opened(log, 0, lambda: ends[0])
    for _ in range(2):
        assert lines.read() == b""
        del ends[0]
    assert lines.read() == b"one\n" * 100


def test_a_byte_behind_the_end_is_told(tmp_path):
    """The log was another one, then."""
    log = tmp_path / "x.log"
    log.write_bytes(b"one\n")
    with pytest.raises(LogReplaced, match=r"x\.log: ends before byte 5"):
        LogLines(log, 5)


def test_reading_begins_where_a_line_begins(tmp_path, opened, monkeypatch):
    """Of a part of a line nobody could say whether it may be seen; pieces may end anywhere."""
    monkeypatch.setattr(log_lines, "PIECE_BYTES", 3)
    log = tmp_path / "x.log"
    log.write_bytes(b"# seed 7\none\n")
    for start in (1, 3, 8, 10, 12):
        with pytest.raises(LogReplaced, match=rf"x\.log: no line begins at byte {start}"):
            LogLines(log, start)
    assert b"".join(iter(opened(log, 9).read, b"")) == b"one\n"


def test_lines_that_others_have_read_are_left_out(tmp_path, opened, monkeypatch):
    """Also where a piece ended within the first of them."""
    monkeypatch.setattr(log_lines, "PIECE_BYTES", 6)
    log = tmp_path / "x.log"
    log.write_bytes(b"one\ntwo\nthree\nfour\n")
    for start, rest in ((4, b"two\n"), (8, b"three\n"), (14, b"four\n")):
        lines = opened(log)
        assert lines.read() == b"one\n"
        lines.skip(start)
        assert (lines.read(start + len(rest)), lines.offset) == (rest, start + len(rest))
    lines = opened(log)
    assert lines.read() == b"one\n"
    with pytest.raises(LogReplaced, match=r"x\.log: no line begins at byte 5"):
        lines.skip(5)


def test_another_file_in_its_place_is_noticed(tmp_path, opened):
    """Also a shorter one; one that is gone is another matter."""
    log = tmp_path / "x.log"
    log.write_bytes(b"one\n")
    lines = opened(log)
    log.write_bytes(b"on\n")
    with pytest.raises(LogReplaced):
        lines.grown()
    lines = opened(log)
    (tmp_path / "y.log").write_bytes(b"one\ntwo\n")
    os.replace(tmp_path / "y.log", log)
    with pytest.raises(LogReplaced):
        lines.grown()
    log.unlink()
    with pytest.raises(LogError) as error:
        lines.grown()
    assert not isinstance(error.value, LogReplaced)


def test_another_text_in_the_same_file_is_noticed(tmp_path, opened):
    """However long it is by then: a dealer empties a log and begins another match in it."""
    log = tmp_path / "x.log"
    for text in (b"two\n", b"two\nthree\n", b"tw"):
        log.write_bytes(b"one\nt")
        before = log.stat()
        lines = opened(log)
        assert (lines.read(), lines.read()) == (b"one\n", b"")
        log.write_bytes(text)
        os.utime(log, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
        with pytest.raises(LogReplaced):
            lines.grown()
        if len(text) > 4:
            with pytest.raises(LogReplaced):
                lines.read()


def test_a_file_without_line_ends_does_not_fill_the_memory(tmp_path, opened, monkeypatch):
    """It is no log."""
    monkeypatch.setattr(log_lines, "MAX_LINE_BYTES", 1000)
    monkeypatch.setattr(log_lines, "PIECE_BYTES", 300)
    log = tmp_path / "x.log"
    log.write_bytes(b"one\n" + b"x" * 5000)
    lines = opened(log)
    assert lines.read() == b"one\n"
    with pytest.raises(LogError, match=r"more than 1,000 bytes"):
        lines.read()


def test_a_damaged_log_is_told_where_it_is_damaged(tmp_path, opened):
    """What is before it is given."""
    packed = gzip.compress(os.urandom(1 << 19).hex().encode().replace(b"0", b"\n"))
    log = tmp_path / "x.log.gz"
    log.write_bytes(packed[: len(packed) // 2])
    lines = opened(log)
    assert lines.read()
    with pytest.raises(LogError, match="damaged gzip file"):
        list(iter(lines.read, b""))


def test_what_is_no_file_is_refused(tmp_path):
    """Nothing waits for a pipe that nobody writes to."""
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", ".", "missing", "x/y"):
        with pytest.raises(LogError):
            LogLines(tmp_path / name)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_what_lies_before_the_start_is_not_read(tmp_path, mark, monkeypatch):
    """However long a log is, who comes late is there at once."""
    sizes = []
    piece = LogLines._piece

    def counted(lines, *arguments):
        sizes.append(len(found := piece(lines, *arguments)))
        return found

    monkeypatch.setattr(LogLines, "_piece", counted)
    log = tmp_path / "x.log"
    log.write_bytes(mark + b"".join(b"line %d\n" % number for number in range(10_000, 11_000)))
    with closing(LogLines(log, 11 * 700)) as lines:
        assert sum(sizes) == 1
        lines.skip(11 * 998)
        assert sum(sizes) == 2
        assert lines.read() == b"line 10998\nline 10999\n"
        assert (lines.offset, lines.read()) == (11_000, b"")
    for start in (11 * 700 + 1, 11_001, 11_100, 10**15 - 1):
        with pytest.raises(LogReplaced):
            LogLines(log, start)


def test_another_text_up_to_an_old_end_is_not_read(tmp_path):
    """A match that begins in the same file between the look and the reading."""
    log = tmp_path / "x.log"
    log.write_bytes(b"old\n" * 3)
    ends = iter([12, 0])
    with closing(LogLines(log, end=lambda: next(ends))) as lines, pytest.raises(LogReplaced):
        lines.read()
