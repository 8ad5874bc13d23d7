"""Compressed rows and tables."""

import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.blueprint_model.codes import decoding, grid_size, shares_of
from agents.blueprint_model.packing import (
    PackedRows,
    pack_table,
    unpack_earlier_table,
    unpack_table,
)
from tests.oracles.coded_rows import read_rows

DTYPES = {8: np.uint8, 16: np.uint16, 32: np.uint32}


@pytest.fixture(scope="module", autouse=True)
def _compiled():
    """Compiling is no part of any test."""
    for dtype in (np.uint8, np.uint16):
        PackedRows.pack([(np.zeros(1, dtype), 2)]).numbers(0, 1, 2, 8 * np.dtype(dtype).itemsize)


@st.composite
def decisions(draw):
    """Numbers of up to five decisions and their actions; few different ones, as neighbours have."""
    found = []
    for _ in range(draw(st.integers(0, 5))):
        bits, actions = draw(st.sampled_from([8, 16, 32])), draw(st.integers(2, 6))
        points = len(decoding(actions, min(bits, 16)))
        several = draw(st.lists(st.integers(0, points - 1), min_size=1, max_size=8))
        places = draw(st.lists(st.integers(0, len(several) - 1), min_size=1, max_size=80))
        found.append((np.array(several, DTYPES[bits])[places], actions))
    return found


@given(decisions())
def test_numbers_come_back(given_decisions):
    """Each decision by itself, after a way through arrays too."""
    packed = PackedRows.of_arrays(PackedRows.pack(given_decisions).arrays)
    assert len(packed) == len(given_decisions)
    for decision, (numbers, actions) in enumerate(given_decisions):
        found = packed.numbers(decision, len(numbers), actions, 8 * numbers.itemsize)
        assert found.dtype == numbers.dtype
        assert found.tolist() == numbers.tolist()


@given(decisions())
def test_a_plain_reader_reads_the_same(given_decisions):
    """Every coded stream, share by share."""
    packed = PackedRows.pack(given_decisions)
    begin = 0
    for (numbers, actions), end in zip(given_decisions, packed.ends.tolist(), strict=True):
        bits = 8 * numbers.itemsize
        if packed.is_coded(bits):
            stream = packed.streams[begin:end].tolist()
            whole = grid_size(actions, bits)
            rows = read_rows(stream, len(numbers), actions, whole)
            assert rows == shares_of(numbers, actions, bits).tolist()
        begin = end


@settings(max_examples=200)
@given(st.binary(min_size=1, max_size=60), st.integers(2, 6), st.sampled_from([8, 16]))
def test_any_bytes_hold_some_rows(stream, actions, bits):
    """The same as the plain reader finds, all of them points of the grid."""
    packed = PackedRows(np.array(list(stream), np.uint8), np.array([len(stream)], np.uint64))
    numbers = packed.numbers(0, 70, actions, bits)
    rows = read_rows(stream, 70, actions, grid_size(actions, bits))
    assert shares_of(numbers, actions, bits).tolist() == rows
    assert int(numbers.max()) < len(decoding(actions, bits))


def test_long_runs_and_surprises_fit():
    """Thousands of rows of one kind take some bytes; rows at random take all the room there is."""
    alike = PackedRows.pack([(np.full(1 << 15, 7, np.uint8), 3)])
    assert len(alike.streams) < 10
    assert (alike.numbers(0, 1 << 15, 3, 8) == 7).all()
    rng = np.random.default_rng(1)
    for actions in (2, 5, 8):
        points = len(decoding(actions, 16))
        numbers = rng.integers(0, points, 4000).astype(np.uint16)
        packed = PackedRows.pack([(numbers, actions)])
        assert (packed.numbers(0, 4000, actions, 16) == numbers).all()
        whole = grid_size(actions, 16)
        rows = read_rows(packed.streams.tolist(), 4000, actions, whole)
        assert rows == shares_of(numbers, actions, 16).tolist()


@pytest.mark.parametrize("count", [(1 << 16) - 1, 1 << 16, (1 << 16) + 1, 1 << 17])
def test_runs_longer_than_a_length_can_tell(count):
    """As many buckets as a street may have can all play alike."""
    numbers = np.full(count, 7, np.uint8)
    packed = PackedRows.pack([(numbers, 3)])
    assert (packed.numbers(0, count, 3, 8) == numbers).all()
    rows = read_rows(packed.streams.tolist(), count, 3, grid_size(3, 8))
    assert rows == shares_of(numbers, 3, 8).tolist()


@pytest.mark.parametrize(("count", "bits"), [(9, 8), (11, 8), (10, 16), (5, 32), (0, 8)])
def test_another_count_is_refused_where_rows_are_not_coded(count, bits):
    """More rows or fewer than the game has; a kilobyte that stands for a megabyte stays packed."""
    stream = np.frombuffer(zlib.compress(bytes(range(10)), 9), np.uint8)
    packed = PackedRows(stream, np.array([len(stream)], np.uint64), coded=False)
    with pytest.raises(ValueError, match=f"other than {count} rows of {bits} bits"):
        packed.numbers(0, count, 2, bits)
    bomb = PackedRows.pack([(np.zeros(1 << 18, np.uint32), 2)])
    with pytest.raises(ValueError, match="other than 10 rows"):
        bomb.numbers(0, 10, 2, 32)


def test_damaged_streams_are_refused_where_rows_are_not_coded():
    """Cut, changed, or with something behind them."""
    data = zlib.compress(bytes(range(100)), 9)
    turned = data[:-3] + bytes([data[-3] ^ 1]) + data[-2:]
    for wrong in (data[:-1], turned, bytes([data[0] ^ 255]) + data[1:], data + b"\0", data + data):
        stream = np.frombuffer(wrong, np.uint8)
        packed = PackedRows(stream, np.array([len(stream)], np.uint64))
        with pytest.raises(ValueError, match=r"damaged|other than 25 rows"):
            packed.numbers(0, 25, 2, 32)


def test_rows_of_version_3_are_read():
    """All of them by zlib, under another name."""
    given_numbers = [np.arange(100, dtype=np.uint8), np.arange(50, dtype=np.uint16)]
    streams = [zlib.compress(numbers.tobytes(), 9) for numbers in given_numbers]
    arrays = {
        "rows": np.frombuffer(b"".join(streams), np.uint8),
        "ends": np.cumsum([len(stream) for stream in streams]).astype(np.uint64),
    }
    packed = PackedRows.of_arrays(arrays)
    assert packed.arrays.keys() == arrays.keys()
    for decision, (numbers, bits) in enumerate(zip(given_numbers, (8, 16), strict=True)):
        assert not packed.is_coded(bits)
        assert (packed.numbers(decision, len(numbers), 3, bits) == numbers).all()


def test_ends_fit_the_streams():
    """In order, the last one at the end; no stream is empty."""
    wrong = ([3, 2, 10], [4, 11], [4], [], [0, 10], [3, 3, 10], [2**64 - 1, 10], [[10]])
    for ends in (*(np.array(one, np.uint64) for one in wrong), np.array([10.0])):
        with pytest.raises(ValueError, match=r"do not fit|of other types"):
            PackedRows(np.zeros(10, np.uint8), ends)


@given(st.lists(st.integers(0, 65535), min_size=1, max_size=50))
def test_tables_come_back(entries):
    """All of them; another count is refused."""
    for dtype in ("<u2", "<f4"):
        packed = pack_table(np.array(entries, dtype))
        assert unpack_table(packed, dtype, (len(entries), 1)).tolist() == [[x] for x in entries]
        for count in (len(entries) + 1, max(len(entries) - 1, 0)):
            with pytest.raises(ValueError, match=f"other than {count} entries|of 0 bytes"):
                unpack_table(packed, dtype, (count,))


def test_damaged_tables_are_refused():
    """Cut short, longer, no stream at all, of a size that no table has; of version 3, too."""
    entries = np.arange(100, dtype=np.uint16)
    packed = pack_table(entries)
    earlier = np.frombuffer(zlib.compress(entries.tobytes()), np.uint8)
    assert (unpack_earlier_table(earlier, 100) == entries).all()
    for table, unpack in (
        (packed, lambda stream: unpack_table(stream, "<u2", (100,))),
        (earlier, lambda stream: unpack_earlier_table(stream, 100)),
    ):
        for stream in (table[:-1], np.append(table, np.uint8(0)), table[1:], table[:0]):
            with pytest.raises(ValueError, match="a table "):
                unpack(stream)
    for shape in ((1 << 40, 1 << 40), (-1,), (0, 5)):
        with pytest.raises(ValueError, match=r"a table of -?\d+ bytes"):
            unpack_table(packed, "<u2", shape)
