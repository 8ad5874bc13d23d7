"""Artifact files: arrays and facts on disk, checked when they are read and mapped into memory.

    offset  bytes
    0       8       MAGIC
    8       4       length of the header, little-endian
    12      32      SHA-256 of the header
    44      ...     header: JSON, UTF-8
    ...             arrays, each at a multiple of 64 bytes, little-endian, in C order

The header holds what kind of thing the file is and the version of its schema, the facts, and for
each array its name, dtype, shape and SHA-256.  Trained models, solved subgames and checkpoints are
such files; what facts and arrays they hold is told where they are written.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.errors import ArtifactMismatch, DamagedDocument
from engine.storage.atomic import replacing
from engine.storage.documents import json_document

MAGIC: Final = b"\x89ARENA\r\n"
"""Not text, and damaged by programs that take it for text."""

_HEAD: Final = struct.Struct("<8sI32s")
_MOST_HEADER_BYTES: Final = 1 << 20
_ALIGNMENT: Final = 64
_PLAIN_KINDS: Final = "biuf"
"""Truth values, whole numbers, others: what every dtype of ours is."""
_MOST_QUOTED_LETTERS: Final = 40


class Kind(NamedTuple):
    """What a file holds, as its reader and its writer agree on it."""

    name: str
    """In words: "card abstraction"."""
    schema: int
    """Raised whenever facts or arrays change their meaning."""
    remedy: str
    """How to get a good file, for error messages."""
    readable: tuple[int, ...] = ()
    """Earlier schemas whose files are read, too."""


class Artifact(NamedTuple):
    """The contents of a file."""

    facts: dict[str, Any]
    """Whatever JSON can say."""
    arrays: dict[str, NDArray[Any]]


def save_artifact(
    path: Path, kind: Kind, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Write a file; nobody ever sees half of it, and what was there stays until it is complete.

    Raises:
        OSError: the file cannot be written.
        ValueError: the facts are too long.
    """
    header = {
        "kind": kind.name,
        "schema": kind.schema,
        "facts": dict(facts),
        "arrays": [
            {
                "name": name,
                "dtype": array.dtype.newbyteorder("<").str,
                "shape": list(array.shape),
                "sha256": hashlib.sha256(_little_endian(array)).hexdigest(),
            }
            for name, array in arrays.items()
        ],
    }
    with replacing(path) as file:
        _write(file, header, arrays)


def load_artifact(path: Path, kind: Kind, *, verify: bool = True) -> Artifact:
    """Open a file; its arrays are read from disk when they are used.

    Args:
        verify: whether to compare every array with its checksum, a second for 0.5 GB.  Header and
            sizes are always checked.

    Returns:
        The facts, and the arrays as private, writable maps of the file.

    Raises:
        ArtifactMismatch: the file is missing, damaged, of another version or of another kind; the
            message says how to get a good one.
    """
    try:
        size = path.stat().st_size
        with _opened(path, kind.remedy) as file:
            header, start = _read_header(file, path, kind.remedy)
        _check_kind(header, path, kind)
        data = np.memmap(path, np.uint8, mode="c")
    except OSError as error:
        raise ArtifactMismatch(f"{path}: {error.strerror or error}; {kind.remedy}") from error
    arrays = {}
    try:
        for entry in header["arrays"]:
            array, start = _array(data, entry, start)
            if verify and hashlib.sha256(_little_endian(array)).hexdigest() != entry["sha256"]:
                raise ValueError(f"the checksum of {entry['name']} is wrong")
            arrays[entry["name"]] = array
        if start != size:
            raise ValueError(f"{size} bytes where {start} are expected")
        if not isinstance(header["facts"], dict):
            raise ValueError("its facts have no names")
        return Artifact(header["facts"], arrays)
    except (ValueError, TypeError, LookupError, ArithmeticError, SyntaxError) as error:
        raise ArtifactMismatch(f"{path}: damaged: {error}; {kind.remedy}") from error


def name_of_kind(path: Path, remedy: str) -> Any:
    """Return the name of the kind of thing that a file holds; only its header is checked.

    Raises:
        ArtifactMismatch: the file is missing, damaged or no artifact; the message has the remedy.
    """
    try:
        with _opened(path, remedy) as file:
            header, _ = _read_header(file, path, remedy)
    except OSError as error:
        raise ArtifactMismatch(f"{path}: {error.strerror or error}; {remedy}") from error
    return header.get("kind")


def _opened(path: Path, remedy: str) -> BinaryIO:
    """Open a file for reading, but no pipe: nobody may ever write to it.

    Raises:
        ArtifactMismatch: it is a pipe.
        OSError: it cannot be opened.
    """
    if path.is_fifo():
        raise ArtifactMismatch(f"{path}: a pipe, not a file; {remedy}")
    return path.open("rb")


def _write(file: BinaryIO, header: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    text = json.dumps(header, sort_keys=True).encode()
    if len(text) > _MOST_HEADER_BYTES:
        raise ValueError(f"facts of {len(text)} bytes are too long for a header")
    file.write(_HEAD.pack(MAGIC, len(text), hashlib.sha256(text).digest()))
    file.write(text)
    for array in arrays.values():
        file.write(bytes(-file.tell() % _ALIGNMENT))
        file.write(_little_endian(array))


def _little_endian(array: NDArray[Any]) -> memoryview:
    plain = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    return plain.reshape(-1).view(np.uint8).data


def _read_header(file: BinaryIO, path: Path, remedy: str) -> tuple[dict[str, Any], int]:
    """Return the header and the offset of what follows.

    Raises:
        ArtifactMismatch: it is none.
    """
    head = file.read(_HEAD.size)
    if len(head) < _HEAD.size or not head.startswith(MAGIC):
        raise ArtifactMismatch(f"{path}: not an artifact file; {remedy}")
    _, length, digest = _HEAD.unpack(head)
    text = file.read(min(length, _MOST_HEADER_BYTES))
    if hashlib.sha256(text).digest() != digest:
        raise ArtifactMismatch(f"{path}: damaged: the header is incomplete; {remedy}")
    try:
        header = json_document(text)
    except DamagedDocument as error:
        raise ArtifactMismatch(f"{path}: damaged: {error}; {remedy}") from error
    if not isinstance(header, dict):
        raise ArtifactMismatch(f"{path}: damaged: the header has no names; {remedy}")
    return header, file.tell()


def _check_kind(header: dict[str, Any], path: Path, kind: Kind) -> None:
    """Raise ArtifactMismatch where a file holds something else, or is of another version."""
    if header.get("kind") != kind.name:
        kind_text = repr(header.get("kind"))[:_MOST_QUOTED_LETTERS]
        raise ArtifactMismatch(f"{path}: holds {kind_text}, wanted is {kind.name!r}")
    if header.get("schema") not in (kind.schema, *kind.readable):
        raise ArtifactMismatch(
            f"{path}: {kind.name} of version {str(header.get('schema'))[:_MOST_QUOTED_LETTERS]}, "
            f"this program "
            f"reads version {kind.schema}; {kind.remedy}"
        )


def _array(data: NDArray[np.uint8], entry: dict[str, Any], start: int) -> tuple[NDArray[Any], int]:
    """Return one array, as a view of the file, and where it ends.

    Raises:
        ValueError: the file ends before it does, or it is no plain array.
    """
    if not isinstance(entry["name"], str):
        raise ValueError(f"an array is named {str(entry['name'])[:_MOST_QUOTED_LETTERS]}")
    dtype, shape = np.dtype(entry["dtype"]), entry["shape"]
    if dtype.kind not in _PLAIN_KINDS or not dtype.itemsize:
        raise ValueError(f"{entry['name']} is of dtype {str(dtype)[:_MOST_QUOTED_LETTERS]}")
    if not all(type(length) is int and length >= 0 for length in shape):
        raise ValueError(f"{entry['name']} is of shape {str(shape)[:_MOST_QUOTED_LETTERS]}")
    first = start + -start % _ALIGNMENT
    end = first + math.prod(shape) * dtype.itemsize
    if end > len(data):
        raise ValueError(f"it ends within {entry['name']}")
    view = np.asarray(data[first:end]).view(np.ndarray)
    return view.view(dtype).reshape(entry["shape"]), end
