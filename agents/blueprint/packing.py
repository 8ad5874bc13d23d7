"""What a model's file has compressed: the rows of decisions, each by itself, and a table.

    rows    (M,) uint8     zlib streams, one a decision, in the order of the betting tree
    ends    (D,) uint64    where each of them ends

A stream holds the numbers (`agents.blueprint.codes`) of all buckets of a decision, little-endian.
Whoever asks for one decision unpacks that one only, 4000 rows in some 20 microseconds.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_LEVEL: Final = 9
_LEAST_STREAM: Final = 8
"""Bytes of a zlib stream of nothing."""


class PackedRows:
    """Numbers by decision; `decision` counts those with at least two actions."""

    def __init__(self, rows: NDArray[np.uint8], ends: NDArray[np.uint64]) -> None:
        """Take the two arrays of the module's table.

        Raises:
            ValueError: they are no such arrays.
        """
        if rows.dtype != np.uint8 or rows.ndim != 1 or ends.dtype != np.uint64 or ends.ndim != 1:
            raise ValueError("packed rows and their ends are of other types")
        bounds = np.concatenate([np.zeros(1, np.uint64), ends])
        if (bounds[1:] < bounds[:-1]).any() or int(bounds[-1]) != len(rows):
            raise ValueError("the ends of packed rows do not fit")
        if (np.diff(bounds) < _LEAST_STREAM).any():
            raise ValueError("the ends of packed rows do not fit")
        self.rows: Final = rows
        self.ends: Final = ends
        self._bounds: Final[list[int]] = bounds.tolist()

    @classmethod
    def pack(cls, decisions: Iterable[NDArray[Any]]) -> PackedRows:
        """Compress the numbers (B,) of each decision, unsigned of 8, 16 or 32 bits."""
        streams = [zlib.compress(_little_endian(numbers), _LEVEL) for numbers in decisions]
        ends = np.cumsum([len(stream) for stream in streams], dtype=np.uint64)
        return cls(np.frombuffer(b"".join(streams), np.uint8), ends)

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> PackedRows:
        """Return what `arrays` made such arrays of.

        Raises:
            KeyError: one of them is missing.
            ValueError: they do not fit together.
        """
        return cls(arrays["rows"], arrays["ends"])

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """For a file, by name."""
        return {"rows": self.rows, "ends": self.ends}

    def __len__(self) -> int:
        """How many decisions there are."""
        return len(self.ends)

    def numbers(self, decision: int, count: int, bits: int) -> NDArray[Any]:
        """Return the numbers (count,) of a decision, unsigned of so many bits, read-only.

        Raises:
            ValueError: the stream is damaged, or holds another count.
        """
        begin, end = self._bounds[decision : decision + 2]
        try:
            found = _unpacked(self.rows[begin:end], count * bits // 8)
        except zlib.error as error:
            raise ValueError(f"the rows of decision {decision} are damaged: {error}") from error
        if found is None:
            raise ValueError(f"decision {decision} has other than {count} rows of {bits} bits")
        return np.frombuffer(found, f"<u{bits // 8}")


def pack_table(table: NDArray[np.uint16]) -> NDArray[np.uint8]:
    """Compress a table (N,)."""
    # The highest level takes a hundred times as long where numbers are random, to save a tenth.
    return np.frombuffer(zlib.compress(_little_endian(table)), np.uint8)


def unpack_table(stream: NDArray[np.uint8], count: int) -> NDArray[np.uint16]:
    """Return the table (count,) that `pack_table` compressed.

    Raises:
        ValueError: the stream is damaged, or holds another count.
    """
    try:
        found = _unpacked(stream, 2 * count)
    except zlib.error as error:
        raise ValueError(f"a table is damaged: {error}") from error
    if found is None:
        raise ValueError(f"a table has other than {count} entries")
    return np.frombuffer(found, "<u2")


def _unpacked(stream: NDArray[np.uint8], size: int) -> bytes | None:
    """Return what a stream of so many bytes unpacks to, None where they are more or fewer.

    Raises:
        zlib.error: it is no stream.
    """
    unpacker = zlib.decompressobj()
    found = unpacker.decompress(stream.data, max(size, 1))  # 0 would be no limit
    more = unpacker.decompress(unpacker.unconsumed_tail, 1) or unpacker.unused_data
    return None if len(found) != size or more or not unpacker.eof else found


def _little_endian(numbers: NDArray[Any]) -> bytes:
    return numbers.astype(numbers.dtype.newbyteorder("<"), copy=False).tobytes()
