"""What a model's file has compressed: the rows of decisions, each by itself, and tables.

    streams   (M,) uint8     one stream a decision, in the order of the betting tree
    ends      (D,) uint64    where each of them ends

A stream holds the numbers (`codes`) of all buckets of a decision.  Those of 8 and 16 bits are coded
as in `row_kernels`; those of 32, of which there are few, little-endian by zlib.  A read unpacks one
decision only, 4000 rows in some 0.1 ms.  Any bytes are a stream of some rows: the file's checksums
detect damage.

Files of version 3 have `rows` in place of `streams`, all of them by zlib.
"""

from __future__ import annotations

import lzma
import math
import zlib
from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.blueprint_model.codes import grid_size, shares_of, ways
from agents.blueprint_model.row_kernels import context_count, decode_rows, encode_rows

_MOST_CODED_BITS: Final = 16
_MOST_BYTES_PER_SHARE: Final = 64
_RATES: Final = np.array([655_360 // (10 * met + 16) for met in range(41)])
"""Of 65536, as `row_kernels` has them: 1 / (met + 1.6), the last one from 40 times on."""
_STREAMS: Final = "streams"
_EARLIER: Final = "rows"
_ENDS: Final = "ends"
_LZMA_PRESET: Final = 1
"""The highest level takes ten times as long, to save a sixth."""
_MOST_TABLE_BYTES: Final = 1 << 26


class PackedRows:
    """Numbers by decision; `decision` counts those with at least two actions."""

    def __init__(
        self, streams: NDArray[np.uint8], ends: NDArray[np.uint64], *, coded: bool = True
    ) -> None:
        """Take the two arrays of the module's table.

        Args:
            streams: (M,), see there.
            ends: (D,).
            coded: whether numbers of up to 16 bits are coded; False: all are by zlib.

        Raises:
            ValueError: they are no such arrays.
        """
        if streams.dtype != np.uint8 or ends.dtype != np.uint64 or streams.ndim * ends.ndim != 1:
            raise ValueError("packed rows and their ends are of other types")
        bounds = np.concatenate([np.zeros(1, np.uint64), ends])
        if (bounds[1:] <= bounds[:-1]).any() or int(bounds[-1]) != len(streams):
            raise ValueError("the ends of packed rows do not fit")
        self.streams: Final = streams
        self.ends: Final = ends
        self._coded: Final = coded
        self._bounds: Final[list[int]] = bounds.tolist()

    @classmethod
    def pack(cls, decisions: Iterable[tuple[NDArray[Any], int]]) -> PackedRows:
        """Compress the numbers (B,) of each decision, unsigned of 8, 16 or 32 bits; A actions."""
        streams = [_packed(numbers, actions) for numbers, actions in decisions]
        ends = np.cumsum([len(stream) for stream in streams], dtype=np.uint64)
        return cls(np.frombuffer(bytearray(b"".join(streams)), np.uint8), ends)

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> PackedRows:
        """Return what `arrays` made such arrays of, or what a file of version 3 has.

        Raises:
            KeyError: one of them is missing.
            ValueError: they do not fit together.
        """
        if _EARLIER in arrays:
            return cls(arrays[_EARLIER], arrays[_ENDS], coded=False)
        return cls(arrays[_STREAMS], arrays[_ENDS])

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """For a file, by name."""
        return {_STREAMS if self._coded else _EARLIER: self.streams, _ENDS: self.ends}

    def __len__(self) -> int:
        return len(self.ends)

    def is_coded(self, bits: int) -> bool:
        """Return whether numbers of so many bits are coded, so that no stream can be damaged."""
        return self._coded and bits <= _MOST_CODED_BITS

    def numbers(self, decision: int, count: int, actions: int, bits: int) -> NDArray[Any]:
        """Return the numbers (count,) of a decision, unsigned of so many bits.

        Raises:
            ValueError: the stream is damaged, or holds another count.
        """
        begin, end = self._bounds[decision : decision + 2]
        stream = self.streams[begin:end]
        if self.is_coded(bits):
            return _decoded(stream, count, actions, bits)
        try:
            content = _unpacked(stream, count * bits // 8)
        except zlib.error as error:
            raise ValueError(f"the rows of decision {decision} are damaged: {error}") from error
        if content is None:
            raise ValueError(f"decision {decision} has other than {count} rows of {bits} bits")
        return np.frombuffer(content, f"<u{bits // 8}")


def pack_table(table: NDArray[Any]) -> NDArray[np.uint8]:
    """Compress a table of any shape."""
    return np.frombuffer(lzma.compress(_little_endian(table), preset=_LZMA_PRESET), np.uint8)


def unpack_table(stream: NDArray[np.uint8], dtype: str, shape: tuple[int, ...]) -> NDArray[Any]:
    """Return the table that `pack_table` compressed.

    Raises:
        ValueError: the stream is damaged, or holds another number of entries, or far too many.
    """
    size = np.dtype(dtype).itemsize * math.prod(shape)
    if not 0 < size <= _MOST_TABLE_BYTES:
        raise ValueError(f"a table of {size} bytes")
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MOST_TABLE_BYTES)
    try:
        content = unpacker.decompress(stream.tobytes(), size + 1)
    except lzma.LZMAError as error:
        raise ValueError(f"a table is damaged: {error}") from error
    if len(content) != size or not unpacker.eof or unpacker.unused_data:
        raise ValueError(f"a table has other than {math.prod(shape)} entries")
    return np.frombuffer(bytearray(content), dtype).reshape(shape)


def unpack_earlier_table(stream: NDArray[np.uint8], count: int) -> NDArray[np.uint16]:
    """Return the table (count,) of a file of version 3, by zlib.

    Raises:
        ValueError: the stream is damaged, or holds another count.
    """
    try:
        content = _unpacked(stream, 2 * count)
    except zlib.error as error:
        raise ValueError(f"a table is damaged: {error}") from error
    if content is None:
        raise ValueError(f"a table has other than {count} entries")
    return np.frombuffer(content, "<u2")


def _packed(numbers: NDArray[Any], actions: int) -> bytes:
    bits = 8 * numbers.itemsize
    if bits > _MOST_CODED_BITS:
        return zlib.compress(_little_endian(numbers), 9)
    shares = shares_of(numbers, actions, bits).astype(np.uint8)
    stream = np.empty(_MOST_BYTES_PER_SHARE * (shares.size + 1), np.uint8)
    whole = grid_size(actions, bits)
    size = encode_rows(shares, whole, _RATES, *_scratch(actions), stream)
    return stream[:size].tobytes()


def _decoded(stream: NDArray[np.uint8], count: int, actions: int, bits: int) -> NDArray[Any]:
    numbers = np.empty(count, f"u{bits // 8}")
    whole = grid_size(actions, bits)
    decode_rows(stream, whole, _RATES, ways(actions, bits), *_scratch(actions), numbers)
    return numbers


def _scratch(actions: int) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    return np.empty((context_count(actions), 2), np.uint16), np.empty((2, actions), np.int64)


def _unpacked(stream: NDArray[np.uint8], size: int) -> bytes | None:
    """Return what a stream of so many bytes unpacks to, None where they are more or fewer.

    Raises:
        zlib.error: it is no stream.
    """
    unpacker = zlib.decompressobj()
    content = unpacker.decompress(stream.data, max(size, 1))  # 0 would be no limit
    more = unpacker.decompress(unpacker.unconsumed_tail, 1) or unpacker.unused_data
    return None if len(content) != size or more or not unpacker.eof else content


def _little_endian(numbers: NDArray[Any]) -> bytes:
    return numbers.astype(numbers.dtype.newbyteorder("<"), copy=False).tobytes()
