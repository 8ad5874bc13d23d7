"""Logs as people hand them on: compressed, in UTF-16, with a byte order mark, or no logs at all."""

from __future__ import annotations

import codecs
import importlib
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from engine.errors import LogError

if TYPE_CHECKING:
    from pathlib import Path

HEAD_BYTES: Final = 1 << 18
_PACKER_OF_MARK: Final = {
    b"\x1f\x8b": ("gzip", "gzip"),
    b"BZh": ("bz2", "bzip2"),
    b"\xfd7zXZ\x00": ("lzma", "xz"),
    b"\x28\xb5\x2f\xfd": ("compression.zstd", "zstd"),
}
_WIDE: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_TRANSCRIPT: Final = re.compile(rb"(?:STARTED at|TO [0-9]+ at|FROM [0-9]+ at) [0-9]")


def unpacked(path: Path, source: io.BufferedReader[Any]) -> io.BufferedReader[Any]:
    """Return the text of a file that may be compressed, behind a byte order mark, in UTF-8.

    `source` is closed with what is returned, or where something is raised.

    Raises:
        LogError: it cannot be unpacked here, or is the transcript of a dealer.
        OSError: it cannot be read, or is damaged.
    """
    try:
        return _unpacked(path, source)
    except BaseException:
        source.close()
        raise


def _unpacked(path: Path, source: io.BufferedReader[Any]) -> io.BufferedReader[Any]:
    head = source.peek(HEAD_BYTES)
    for mark, (module, name) in _PACKER_OF_MARK.items():
        if head.startswith(mark):
            opened = _opened(path, source, module, name)
            source = io.BufferedReader(_Unpacking(opened, source, name))
            head = source.peek(HEAD_BYTES)
    if head.startswith(_WIDE):
        with source:
            text = source.read().decode("utf-16", "surrogatepass")
        source = io.BufferedReader(io.BytesIO(text.encode("utf-8", "surrogatepass")))
        head = source.peek(HEAD_BYTES)
    if head.startswith(codecs.BOM_UTF8):
        source.read(len(codecs.BOM_UTF8))
    lines = head.splitlines()
    if any(map(_TRANSCRIPT.match, lines)) and not any(line.startswith(b"STATE:") for line in lines):
        raise LogError(
            f"{path}: the transcript of a dealer (its standard error), not a log; the hands are in "
            "the .log file that it wrote"
        )
    return source


def _opened(path: Path, source: BinaryIO, module: str, name: str) -> BinaryIO:
    """Return what unpacks a file."""
    try:
        opened: BinaryIO = importlib.import_module(module).open(source, "rb")
    except ImportError:
        raise LogError(
            f"{path}: compressed by {name}, which this Python cannot unpack; unpack it first"
        ) from None
    return opened


class _Unpacking(io.RawIOBase):
    """What unpacks a file, with one kind of error for whatever is damaged."""

    def __init__(self, source: BinaryIO, packed: BinaryIO, name: str) -> None:
        self._source = source
        self._packed = packed
        self._name = name

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._source.seekable()

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer)
        with self._telling():
            piece = self._source.read(len(view))
        view[: len(piece)] = piece
        return len(piece)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        with self._telling():
            return self._source.seek(offset, whence)

    def tell(self) -> int:
        return self._source.tell()

    def close(self) -> None:
        self._source.close()
        self._packed.close()
        super().close()

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # each module has kinds of its own
            raise OSError(f"damaged {self._name} file: {error}") from error
