"""Compressed rows."""

import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.blueprint.packing import PackedRows, pack_table, unpack_table

DTYPES = {8: np.uint8, 16: np.uint16, 32: np.uint32}


@st.composite
def decisions(draw):
    """Numbers of up to five decisions, each with its bits."""
    found = []
    for _ in range(draw(st.integers(0, 5))):
        bits = draw(st.sampled_from([8, 16, 32]))
        numbers = draw(st.lists(st.integers(0, (1 << bits) - 1), min_size=1, max_size=50))
        found.append(np.array(numbers, DTYPES[bits]))
    return found


@given(decisions())
def test_numbers_come_back(given_numbers):
    """Each decision by itself, after a way through arrays too."""
    packed = PackedRows.of_arrays(PackedRows.pack(given_numbers).arrays)
    assert len(packed) == len(given_numbers)
    for decision, numbers in enumerate(given_numbers):
        found = packed.numbers(decision, len(numbers), 8 * numbers.itemsize)
        assert found.dtype == numbers.dtype
        assert found.tolist() == numbers.tolist()


@pytest.mark.parametrize(("count", "bits"), [(9, 8), (11, 8), (10, 16), (5, 32), (0, 8)])
def test_another_count_is_refused(count, bits):
    """More rows or fewer than the game has, and streams that unpack to gigabytes."""
    packed = PackedRows.pack([np.arange(10, dtype=np.uint8)])
    with pytest.raises(ValueError, match=f"other than {count} rows of {bits} bits"):
        packed.numbers(0, count, bits)


def test_a_bomb_is_not_unpacked():
    """A kilobyte that stands for a megabyte."""
    packed = PackedRows.pack([np.zeros(1 << 20, np.uint8)])
    with pytest.raises(ValueError, match="other than 10 rows"):
        packed.numbers(0, 10, 8)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data[:-1],
        lambda data: data[:-3] + bytes([data[-3] ^ 1]) + data[-2:],
        lambda data: bytes([data[0] ^ 255]) + data[1:],
        lambda data: data + b"\0",
        lambda data: data + data,
    ],
)
def test_damaged_streams_are_refused(change):
    """Cut, changed, or with something behind them."""
    stream = np.frombuffer(change(zlib.compress(bytes(range(100)), 9)), np.uint8)
    packed = PackedRows(stream, np.array([len(stream)], np.uint64))
    with pytest.raises(ValueError, match=r"damaged|other than 100 rows"):
        packed.numbers(0, 100, 8)


@pytest.mark.parametrize(
    "ends",
    [[3, 2, 10], [4, 11], [4], [], [0, 10], [3, 10], np.array([10.0]), np.array([[10]], np.uint64)],
)
def test_ends_fit_the_rows(ends):
    """In order, the last one at the end; streams of nothing have eight bytes, too."""
    array = ends if isinstance(ends, np.ndarray) else np.array(ends, np.uint64)
    with pytest.raises(ValueError, match=r"do not fit|of other types"):
        PackedRows(np.zeros(10, np.uint8), array)


@given(st.lists(st.integers(0, 65535), min_size=1, max_size=50))
def test_tables_come_back(entries):
    """All of them; another count is refused."""
    packed = pack_table(np.array(entries, np.uint16))
    assert unpack_table(packed, len(entries)).tolist() == entries
    for count in (len(entries) - 1, len(entries) + 1):
        with pytest.raises(ValueError, match=f"other than {count} entries"):
            unpack_table(packed, count)


def test_damaged_tables_are_refused():
    """Cut short, longer, or no stream at all."""
    packed = pack_table(np.arange(100, dtype=np.uint16))
    for stream in (packed[:-1], np.append(packed, np.uint8(0)), packed[1:], packed[:0]):
        with pytest.raises(ValueError, match="a table "):
            unpack_table(stream, 100)
