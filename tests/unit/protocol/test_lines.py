"""Cutting a stream into lines."""

import tracemalloc

import pytest

from protocol.errors import WrongState
from protocol.lines import MAX_LINE_BYTES, LineBuffer


def take_all(buffer):
    lines = []
    while (line := buffer.next_line()) is not None:
        lines.append(line)
    return lines


def test_a_line_keeps_its_terminator():
    """Nothing is taken away, so that a transcript shows what was sent."""
    buffer = LineBuffer()
    buffer.feed(b"one\r\ntwo\n\nth")
    assert take_all(buffer) == [b"one\r\n", b"two\n", b"\n"]
    assert buffer.pending == 2
    buffer.feed(b"ree\n")
    assert take_all(buffer) == [b"three\n"]
    assert buffer.pending == 0


def test_lines_wait_until_they_are_taken():
    """What was fed is counted until then."""
    buffer = LineBuffer()
    buffer.feed(b"a\n")
    buffer.feed(b"bc\nd")
    assert buffer.pending == 6
    assert buffer.next_line() == b"a\n"
    buffer.feed(b"e\n")
    assert buffer.pending == 6
    assert take_all(buffer) == [b"bc\n", b"de\n"]


def test_the_end_of_the_stream_ends_a_line():
    """An unterminated rest is a line, but no line is made from nothing."""
    buffer = LineBuffer()
    buffer.feed(b"one\nrest")
    assert take_all(buffer) == [b"one\n"]
    buffer.finish()
    assert take_all(buffer) == [b"rest"]
    assert buffer.pending == 0
    empty = LineBuffer()
    empty.finish()
    assert empty.next_line() is None


@pytest.mark.parametrize("over", [0, 1, 2])
def test_a_long_line_is_cut_at_the_limit(over):
    """The limit counts the line feed."""
    line = b"x" * (MAX_LINE_BYTES - 1 + over) + b"\n"
    buffer = LineBuffer()
    buffer.feed(line)
    expected = [line] if not over else [line[:MAX_LINE_BYTES], line[MAX_LINE_BYTES:]]
    assert take_all(buffer) == expected


def test_a_piece_is_ready_as_soon_as_it_is_full():
    """It does not wait for the byte that follows."""
    buffer = LineBuffer(4)
    buffer.feed(b"abc")
    assert buffer.next_line() is None
    buffer.feed(b"d")
    assert buffer.next_line() == b"abcd"
    assert buffer.next_line() is None


def test_feeding_after_the_end_is_a_bug():
    """The stream is over, and a caller should know."""
    buffer = LineBuffer()
    buffer.finish()
    with pytest.raises(WrongState):
        buffer.feed(b"x")


def test_a_limit_below_one_byte_is_refused():
    """Such lines would be empty for ever."""
    with pytest.raises(ValueError, match="0 bytes"):
        LineBuffer(0)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("chunk", [1, 7, 5000, 10_000_000])
def test_ten_megabytes_without_a_line_end_take_linear_time(chunk):
    """However they arrive; quadratic work would take minutes."""
    size = 10_000_000 if chunk > 7 else 500_000
    data = b"x" * size
    buffer = LineBuffer()
    pieces = []
    for at in range(0, size, chunk):
        buffer.feed(data[at : at + chunk])
        pieces += take_all(buffer)
    assert {len(piece) for piece in pieces} == {MAX_LINE_BYTES}
    assert buffer.pending == size % MAX_LINE_BYTES


@pytest.mark.timeout(60)
def test_unread_small_deliveries_take_linear_time():
    """Bytes of a seat that is not asked pile up; copied again and again they took minutes."""
    buffer = LineBuffer()
    for _ in range(300_000):
        buffer.feed(b"a" * 19 + b"\n")
    assert buffer.pending == 6_000_000
    assert len(take_all(buffer)) == 300_000


def test_memory_follows_what_is_pending():
    """Most of a large delivery is given back once it has been taken."""
    buffer = LineBuffer()
    tracemalloc.start()
    try:
        buffer.feed(bytes(8_000_000))
        while buffer.pending > 100_000:
            buffer.next_line()
        assert tracemalloc.get_traced_memory()[0] < 1_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("taken", range(3))
@pytest.mark.parametrize("ended", [False, True])
def test_what_another_takes_and_gives_back_is_cut_as_before(taken, ended):
    """Whole lines, the part of one, and an unterminated rest at the end of the stream."""
    buffer = LineBuffer()
    for piece in (b"first\nsec", b"ond\nthi", b"rd"):
        buffer.feed(piece)
    lines = [buffer.next_line() for _ in range(taken)]
    if ended:
        buffer.finish()
    everything = buffer.take_all()
    assert buffer.pending == 0
    assert b"".join([*lines, everything]) == b"first\nsecond\nthird"
    buffer.put_back(everything)
    assert buffer.pending == len(everything)
    assert [*lines, *take_all(buffer)] == [b"first\n", b"second\n", *([b"third"] if ended else [])]
