"""Reading text in bounded blocks."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.logs.reading import files as t


@given(text=st.text(alphabet="ab\n\r", max_size=80).map(str.encode), size=st.integers(1, 30))
def test_blocks_are_whole_lines_in_order(text, size):
    """However small the pieces, nothing is lost and line numbers are right."""
    blocks = list(t.text_blocks(io.BytesIO(text), size))
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
    blocks = t.text_blocks(io.BytesIO(text), 7, written=written)
    assert b"".join(block.data for block in blocks) == text[: text[:written].rfind(b"\n") + 1]


def test_a_line_without_end_is_cut():
    """A file without line ends does not fill the memory."""
    data = b"x" * (t.MAX_LINE_BYTES + 5000)
    [block] = t.text_blocks(io.BytesIO(data), 1000)
    assert len(block.data) == t.MAX_LINE_BYTES + 1


@pytest.mark.parametrize(
    ("raw", "text"), [(b"a\r", "a"), (b"a", "a"), (b"\xc3\xb6", "ö"), (b"\xff", "\udcff")]
)
def test_lines_are_text_whatever_their_bytes(raw, text):
    """Line ends go, foreign bytes survive."""
    assert t.decode_line(raw) == text
    assert list(t.lines_of(io.BytesIO(raw + b"\n" + raw))) == [(1, text), (2, text)]
