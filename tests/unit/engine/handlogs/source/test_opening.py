"""Logs opened: files and pipes, packed or not, as blocks of whole lines; and what is no log."""

import bz2
import codecs
import gzip
import io
import lzma
import os
import socket
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import LogError
from engine.handlogs.source.log_games import game_from_argument, game_from_header
from engine.handlogs.source.log_hands import first_header
from engine.handlogs.source.opening import (
    MAX_LINE_BYTES,
    decode_line,
    lines_in,
    open_log,
    text_blocks,
)
from protocol.handlog import Header
from tests.helpers.said import refused

PLAIN = "".join(
    f"STATE:{hand}:f:7d3d|2hAc:50|-50:{names}\n"
    for hand, names in enumerate(("Ann|Bob", "Bob|Ann") * 3)
)


def read(path, **how):
    """The text of a log."""
    with open_log(path, **how) as source:
        return source.read().decode()


@pytest.fixture
def pipe(tmp_path):
    """A FIFO that nobody writes to."""
    path = tmp_path / "7.log"
    os.mkfifo(path)
    return path


def test_a_socket_is_no_log(tmp_path, monkeypatch):
    """Opening one would fail with words about devices."""
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s.log")
        with refused(LogError, "s.log", "a socket"):
            open_log(Path("s.log"))


def test_a_pipe_is_read_once(pipe):
    """As a shell's <(zcat log.gz); stepping through would have to read it again."""
    writer = os.open(pipe, os.O_RDWR)
    os.write(writer, b"STATE:0\n")
    with open_log(pipe):
        pass
    with refused(LogError, pipe, "a pipe"):
        open_log(pipe, again=True)
    os.close(writer)


def test_games_and_headers_are_not_looked_for_in_pipes(pipe):
    """They would be waited for without an end."""
    for path in (pipe, Path("/dev/zero")):
        with refused(LogError, path, "neither a file"):
            game_from_argument(str(path))
        with refused(LogError, path, "neither there"):
            game_from_header(Header("m", str(path), 1, 1), pipe.parent / "m.log")
    assert first_header(pipe) is None


def test_a_pipe_is_read(tmp_path):
    """What it is is told without going back."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    content = gzip.compress(PLAIN.encode())
    writer = threading.Thread(target=lambda: path.write_bytes(content))
    writer.start()
    assert read(path) == PLAIN
    writer.join()


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_logs_are_read(tmp_path, pack):
    """And their hands again; what is damaged is one line."""
    path = tmp_path / "m.log"
    path.write_bytes(pack(PLAIN.encode()))
    assert read(path) == PLAIN
    with open_log(path, again=True) as source:
        source.seek(PLAIN.index("STATE:1"))
        assert source.readline().decode() == PLAIN.splitlines(keepends=True)[1]
    path.write_bytes(pack(PLAIN.encode())[:-9])
    with refused(LogError, "m.log", "damaged"):
        open_log(path)


def test_what_cannot_be_unpacked_here_is_named(tmp_path, monkeypatch):
    """Zstandard is part of later versions of Python."""
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    path = tmp_path / "m.log.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfdrest")
    with refused(LogError, "m.log.zst", "zstd"):
        open_log(path)


@pytest.mark.parametrize(
    "content",
    [
        codecs.BOM_UTF8 + PLAIN.encode(),
        codecs.BOM_UTF16_LE + PLAIN.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + PLAIN.encode("utf-16-be"),
    ],
)
def test_other_encodings_are_read(tmp_path, content):
    """Behind their byte order marks."""
    path = tmp_path / "m.log"
    path.write_bytes(content)
    assert read(path) == PLAIN


def test_a_transcript_is_no_log(tmp_path):
    """It is named for what it is; a log that holds its lines, too, is one."""
    path = tmp_path / "m.err"
    text = "# name/game/hands/seed m g 6 42\nSTARTED at 1.0\nTO 1 at 1.0 MATCHSTATE:0:0::AcAd|\n"
    path.write_text(text)
    with refused(LogError, "m.err", "transcript", ".log"):
        open_log(path)
    path.write_text(text + PLAIN)
    assert read(path) == text + PLAIN


@given(text=st.text(alphabet="ab\n\r", max_size=80).map(str.encode), size=st.integers(1, 30))
def test_blocks_are_whole_lines_in_order(text, size):
    """However small the pieces, nothing is lost and line numbers are right."""
    blocks = list(text_blocks(io.BytesIO(text), size))
    joined = b"".join(block.data for block in blocks)
    cut_off = bool(text) and not text.endswith(b"\n")
    assert joined == text + (b"\n" if cut_off else b"")
    line = 1
    for block in blocks:
        assert block.data.endswith(b"\n")
        assert block.line == line
        line += block.data.count(b"\n")
    assert [block.cut_off for block in blocks] == [False] * (len(blocks) - cut_off) + [
        True
    ] * cut_off


@given(text=st.text(alphabet="ab\n", max_size=40).map(str.encode), written=st.integers(0, 50))
def test_a_file_that_grows_has_whole_lines_only(text, written):
    """Up to the bytes that are written, less the line that has no end yet."""
    blocks = text_blocks(io.BytesIO(text), 7, written=written)
    assert b"".join(block.data for block in blocks) == text[: text[:written].rfind(b"\n") + 1]


def test_a_line_without_end_is_cut():
    """A file without line ends does not fill the memory."""
    data = b"x" * (MAX_LINE_BYTES + 5000)
    [block] = text_blocks(io.BytesIO(data), 1000)
    assert len(block.data) == MAX_LINE_BYTES + 1


@pytest.mark.parametrize(
    ("raw", "text"), [(b"a\r", "a"), (b"a", "a"), (b"\xc3\xb6", "ö"), (b"\xff", "\udcff")]
)
def test_lines_are_text_whatever_their_bytes(raw, text):
    """Line ends go, foreign bytes survive."""
    assert decode_line(raw) == text
    assert list(lines_in(text_blocks(io.BytesIO(raw + b"\n" + raw)))) == [(1, text), (2, text)]
