"""The shipped file of preflop counts: text with the numbers packed.

    lines until the first empty one    "name: text"; `schema`, `sha256`, where the numbers are from
    the rest                           base64 of a zlib stream, lines of 100 characters

Unpacked, the stream is (3, 47 008) int32, little-endian: key of the matchup (`preflop_matchups`),
boards won by its first hand, boards tied.  Each row is stored as differences to the number
before, the sign in the lowest bit.  All lowest bytes come first, then all second ones, and so on:
160 kB instead of 560.  `sha256` is that of the stream before it was compressed.
"""

from __future__ import annotations

import base64
import hashlib
import textwrap
import zlib
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.equity.preflop_matchups import MATCHUPS
from engine.errors import ArtifactMismatch
from engine.storage.atomic import write_whole

SHIPPED: Final = Path(__file__).with_name("data") / "preflop_counts.txt"
REBUILD: Final = "python -m engine.equity.preflop_build"

_SCHEMA: Final = 1
_SHAPE: Final = (3, MATCHUPS)


def write_counts(path: Path, counts: NDArray[np.int32], about: Mapping[str, str]) -> None:
    """Write the file, or leave an existing one as it was.

    Args:
        counts: (3, 47008) int32: keys, boards won, boards tied.
        about: lines for the reader, by name: how the numbers were made.

    Raises:
        ValueError: shape or dtype differ.
        OSError: the file cannot be written.
    """
    if counts.shape != _SHAPE or counts.dtype != np.int32:
        raise ValueError(f"counts: want {_SHAPE} int32, got {counts.shape} {counts.dtype}")
    stream = _pack(counts)
    head = {**about, "schema": str(_SCHEMA), "sha256": hashlib.sha256(stream).hexdigest()}
    text = base64.b64encode(zlib.compress(stream, 9)).decode()
    lines = [*(f"{name}: {value}" for name, value in head.items()), "", *textwrap.wrap(text, 100)]
    write_whole(path, "\n".join(lines) + "\n")


def read_counts(path: Path = SHIPPED) -> NDArray[np.int32]:
    """Return what `write_counts` wrote: (3, 47008) int32.

    Raises:
        ArtifactMismatch: the file is missing, of another schema or damaged.
    """
    try:
        head, _, packed = path.read_text(encoding="utf-8").partition("\n\n")
        about = dict(line.split(": ", 1) for line in head.splitlines())
        schema, digest = about["schema"], about["sha256"]
        stream = zlib.decompress(base64.b64decode(packed))
    except OSError as exc:
        raise _mismatch(path, f"cannot be read ({exc.strerror})") from exc
    except (ValueError, KeyError, zlib.error) as exc:
        raise _mismatch(path, "is damaged") from exc
    if schema != str(_SCHEMA):
        raise _mismatch(path, f"has schema {schema}, want {_SCHEMA}")
    if hashlib.sha256(stream).hexdigest() != digest or len(stream) != 4 * prod(_SHAPE):
        raise _mismatch(path, "is damaged")
    return _unpack(stream)


def _mismatch(path: Path, what: str) -> ArtifactMismatch:
    return ArtifactMismatch(f"{path} {what}; reinstall, or make it anew (15 s): {REBUILD} {path}")


def _pack(counts: NDArray[np.int32]) -> bytes:
    steps: NDArray[np.int32] = np.diff(counts, axis=1, prepend=np.int32(0))
    folded = (steps << 1 ^ steps >> 31).astype("<u4")  # 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
    return bytes(folded.view(np.uint8).reshape(-1, 4).T.tobytes())


def _unpack(stream: bytes) -> NDArray[np.int32]:
    planes = np.frombuffer(stream, np.uint8).reshape(4, -1)
    folded = planes.T.copy().view("<u4").reshape(_SHAPE)
    steps = (folded >> 1).astype(np.int32) ^ -(folded & 1).astype(np.int32)
    return np.cumsum(steps, axis=1, dtype=np.int32)
