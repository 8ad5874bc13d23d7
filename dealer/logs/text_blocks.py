"""A text file as bounded blocks of whole lines, whatever its size and however it ends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

BLOCK_BYTES: Final = 8 << 20
MAX_LINE_BYTES: Final = 1 << 20
"""A longer line is cut to this much: no log has one, and a file without line ends must not fill
the memory."""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Some whole lines of a file."""

    data: bytes
    """The lines; always ends in a newline, even where the file does not."""
    line: int
    """Number of the first line in the file, 1-based."""
    cut_off: bool
    """True if the last line has no newline in the file, which a killed writer leaves."""
    read: int
    """Bytes of the file consumed up to here."""


def text_blocks(
    source: BinaryIO, block_bytes: int = BLOCK_BYTES, *, written: int | None = None
) -> Iterator[TextBlock]:
    """Yield the lines of `source` in order; memory stays within a few blocks.

    Args:
        written: bytes to read of a file that grows, whose last line is left out until it ends.
    """
    line = 1
    read = 0
    rest = b""
    while True:
        piece = source.read(block_bytes if written is None else min(block_bytes, written - read))
        read += len(piece)
        if not piece:
            break
        end = piece.rfind(b"\n") + 1
        if not end:
            if len(rest) < MAX_LINE_BYTES:
                rest += piece[: MAX_LINE_BYTES - len(rest)]
            continue
        data = rest + piece[:end]
        rest = piece[end:][:MAX_LINE_BYTES]
        yield TextBlock(data, line, cut_off=False, read=read)
        line += data.count(b"\n")
    if rest and written is None:
        yield TextBlock(rest + b"\n", line, cut_off=True, read=read)


def lines_of(source: BinaryIO, block_bytes: int = BLOCK_BYTES) -> Iterator[tuple[int, str]]:
    """Yield (line number, text without its line end) for every line."""
    for block in text_blocks(source, block_bytes):
        for number, raw in enumerate(block.data[:-1].split(b"\n"), block.line):
            yield number, decode_line(raw)


def decode_line(raw: bytes) -> str:
    """Return a line as text; bytes that are not UTF-8 survive as surrogates."""
    return raw.removesuffix(b"\r").decode("utf-8", "surrogateescape")
