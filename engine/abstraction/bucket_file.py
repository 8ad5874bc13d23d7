"""Bucket files: a card abstraction on disk, checked when it is read and mapped into memory.

    offset  bytes
    0       8       MAGIC
    8       4       length of the header, little-endian
    12      32      SHA-256 of the header
    44      ...     header: JSON, UTF-8
    ...             arrays, each at a multiple of 64 bytes, little-endian, in C order

The header holds the schema version, what kind of thing the file is, the counts of buckets, the
provenance, and for each array its name, dtype, shape, offset and SHA-256.  Its numbers of classes
are those of `CanonicalIndex`, whose numbering is frozen; SCHEMA changes with either.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from engine.abstraction.buckets import CardAbstraction
from engine.errors import ArtifactMismatch

MAGIC: Final = b"\x89ARENA\r\n"
"""Not text, and damaged by programs that take it for text."""
SCHEMA: Final = 1
KIND: Final = "hold'em card abstraction"

_HEAD: Final = struct.Struct("<8sI32s")
_MOST_HEADER_BYTES: Final = 1 << 20
_ALIGNMENT: Final = 64
_HOW_TO_GET_IT: Final = "build it again with engine.abstraction.building, or fetch it again"


def save_abstraction(
    abstraction: CardAbstraction,
    path: Path,
    *,
    turn_table: bool = True,
    river_table: bool = True,
) -> None:
    """Write a bucket file; nobody ever sees half of it.

    Args:
        turn_table: whether to write the turn's table (28 MB) if there is one; without it the file
            has all that is needed to compute it.
        river_table: the same for the river's (246 MB).

    Raises:
        OSError: the file cannot be written.
    """
    parts = dict(abstraction.parts)
    if not turn_table:
        parts.pop("turn_table", None)
    if not river_table:
        parts.pop("river_table", None)
    arrays = [
        {
            "name": name,
            "dtype": part.dtype.newbyteorder("<").str,
            "shape": list(part.shape),
            "sha256": hashlib.sha256(_little_endian(part)).hexdigest(),
        }
        for name, part in parts.items()
    ]
    header = {
        "kind": KIND,
        "schema": SCHEMA,
        "counts": list(abstraction.counts),
        "provenance": abstraction.provenance,
        "arrays": arrays,
    }
    target = path.resolve()
    unfinished = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        with unfinished.open("wb") as file:
            _write(file, header, list(parts.values()))
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, target)
    finally:
        unfinished.unlink(missing_ok=True)


def load_abstraction(path: Path, *, verify: bool = True) -> CardAbstraction:
    """Open a bucket file; its arrays are read from disk when they are used.

    Args:
        verify: whether to compare every array with its checksum (a second for 0.5 GB) and every
            bucket with the counts.  Header and sizes are always checked.

    Raises:
        ArtifactMismatch: the file is missing, damaged, of another version or of another kind.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            header, start = _read_header(file, path)
        data = np.memmap(path, np.uint8, mode="c") if size else np.empty(0, np.uint8)
    except OSError as error:
        reason = error.strerror or error
        raise ArtifactMismatch(f"{path}: {reason}; {_HOW_TO_GET_IT}") from error
    parts: dict[str, Any] = {}
    try:
        for entry in header["arrays"]:
            part, start = _array(data, entry, start)
            if verify and hashlib.sha256(_little_endian(part)).hexdigest() != entry["sha256"]:
                raise ValueError(f"the checksum of {entry['name']} is wrong")
            parts[entry["name"]] = part
        if start != size:
            raise ValueError(f"{size} bytes where {start} are expected")
        abstraction = CardAbstraction(**parts, provenance=header["provenance"])
        if verify and list(abstraction.counts) != header["counts"]:
            raise ValueError(f"{abstraction.counts} buckets, not {header['counts']}")
    except (ValueError, TypeError, KeyError) as error:
        raise ArtifactMismatch(f"{path}: damaged: {error}; {_HOW_TO_GET_IT}") from error
    return abstraction


def _write(file: BinaryIO, header: dict[str, Any], parts: list[NDArray[Any]]) -> None:
    """Write the whole file."""
    text = json.dumps(header, sort_keys=True).encode()
    if len(text) > _MOST_HEADER_BYTES:
        raise ValueError(f"the provenance is too long: {len(text)} bytes")
    file.write(_HEAD.pack(MAGIC, len(text), hashlib.sha256(text).digest()))
    file.write(text)
    for part in parts:
        file.write(bytes(-file.tell() % _ALIGNMENT))
        file.write(_little_endian(part))


def _little_endian(part: NDArray[Any]) -> memoryview:
    return np.ascontiguousarray(part, part.dtype.newbyteorder("<")).reshape(-1).view(np.uint8).data


def _read_header(file: BinaryIO, path: Path) -> tuple[dict[str, Any], int]:
    """Return the header and the offset of what follows.

    Raises:
        ArtifactMismatch: it is none, or that of something else.
    """
    head = file.read(_HEAD.size)
    if len(head) < _HEAD.size or not head.startswith(MAGIC):
        raise ArtifactMismatch(f"{path}: not a bucket file")
    _, length, digest = _HEAD.unpack(head)
    text = file.read(min(length, _MOST_HEADER_BYTES))
    if hashlib.sha256(text).digest() != digest:
        raise ArtifactMismatch(f"{path}: damaged: the header is incomplete; {_HOW_TO_GET_IT}")
    header = json.loads(text)
    if header.get("kind") != KIND:
        raise ArtifactMismatch(f"{path}: holds a {header.get('kind')}, not a {KIND}")
    if header.get("schema") != SCHEMA:
        raise ArtifactMismatch(
            f"{path}: schema version {header.get('schema')}, this program reads {SCHEMA}; "
            f"{_HOW_TO_GET_IT}"
        )
    return header, file.tell()


def _array(data: NDArray[np.uint8], entry: dict[str, Any], start: int) -> tuple[NDArray[Any], int]:
    """Return one array, as a view of the file, and where it ends.

    Raises:
        ValueError: the file ends before it does.
    """
    dtype = np.dtype(entry["dtype"])
    first = start + -start % _ALIGNMENT
    end = first + int(np.prod(entry["shape"], dtype=np.int64)) * dtype.itemsize
    if end > len(data):
        raise ValueError(f"it ends within {entry['name']}")
    view = np.asarray(data[first:end]).view(np.ndarray)
    return view.view(dtype).reshape(entry["shape"]), end
