"""Logs opened, and their lines: nothing is printed here, errors are `LogError` and name the file.

Files and pipes are read; folders, devices and sockets are refused.  Compressed files, UTF-16 and
byte order marks are unpacked, hands in other formats, such as PHH, become the lines of a log, and
what programs wrote behind the last name of a hand is left out.  What a user should know of that is
handed to `warn`, a line each.  A text is read as bounded blocks of whole lines, whatever its size
and however it ends.
"""

from __future__ import annotations

import hashlib
import io
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TypeAlias

from engine.errors import LogError
from engine.handlogs.source.name_ends import NameEnds, are_plain
from engine.histories.as_log import NOT_READ, LineStream, bytes_as_log
from engine.histories.formats import LOG, HistoryFormat, format_of
from engine.histories.unpacking import HEAD_BYTES, unpacked

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

Warn = Callable[[str], None]
"""Given a line for the user, once a reading."""


Scan: TypeAlias = "Callable[[NDArray[np.uint8], int, int], tuple[int, int]]"
"""Takes the text of a block, the index of a line's first byte, and its number; returns these of the
first line that it does not read, the length of the text where there is none."""


def silent(_: str) -> None:
    """Tell a warning to nobody."""


def open_log(path: Path, *, again: bool = False, warn: Warn = silent) -> BinaryIO:
    """Open a log for reading, or hands in another format as `engine.histories.as_log` has them.

    Args:
        path: a file, a pipe such as a shell's <(zcat ...), or a terminal.
        again: whether it is to be read more than once, which a pipe cannot be.
        warn: given what was left out, at the end of reading.

    Raises:
        LogError: it is something else, such as the transcript of a dealer, or cannot be opened.
    """
    form, source = open_history(path, again=again, warn=warn)
    if form.name == LOG:
        return source
    if not again:
        lines = bytes_as_log(form, source, path.name, partial(_warn_of, path, warn))
        return io.BufferedReader(LineStream(source, lines))
    source.close()
    try:
        return io.BytesIO(_whole_as_log(path, path.stat().st_mtime_ns, warn))
    except OSError as error:
        raise read_error(path, error) from error


def open_history(
    path: Path, *, again: bool = False, warn: Warn = silent
) -> tuple[HistoryFormat, BinaryIO]:
    """Open a file of hands in whatever format; return the format too.

    The arguments are those of `open_log`.

    Raises:
        LogError: it is something else, such as the transcript of a dealer, or cannot be opened.
    """
    check_kind(path, again=again)
    try:
        file = io.FileIO(path, opener=open_at_once if again else None)
        source = unpacked(path, io.BufferedReader(file, HEAD_BYTES))
        head = source.peek(HEAD_BYTES)
        form = format_of(head, path.name)
        if form.name == LOG:
            return form, _cleaned(path, source, head, again, warn)
    except LogError:
        raise
    except (OSError, ValueError) as error:  # ValueError: half a letter of UTF-16
        raise read_error(path, error) from error
    if form.reader is None:
        source.close()
        raise LogError(f"{path}: {form.name} is {NOT_READ}")
    return form, source


def check_kind(path: Path, *, again: bool = False) -> None:
    """Refuse what is no file, pipe or terminal.

    Args:
        again: whether it is to be read more than once, so that it must be a file.

    Raises:
        LogError: it is something else, or is not there.
    """
    try:
        kind = _kind(path)
    except (OSError, ValueError) as error:  # ValueError: a NUL in its name
        raise read_error(path, error) from error
    if kind and (again or kind not in ("a pipe", "a terminal")):
        raise LogError(f"{path}: is {kind}, not a log" + (" in a file" if again else ""))


def read_error(path: Path, error: Exception) -> LogError:
    """Return the error that a file cannot be read, for the reason of another one."""
    return LogError(f"{path}: {getattr(error, 'strerror', None) or error}")


def open_at_once(path: str, flags: int) -> int:
    """Open a file; a pipe that stands there by now is not waited for, and has nothing to read."""
    return os.open(path, flags | os.O_NONBLOCK)


def _cleaned(
    path: Path, source: io.BufferedReader[Any], head: bytes, again: bool, warn: Warn
) -> BinaryIO:
    if are_plain(head):
        return source
    ends = NameEnds(head[: head.rfind(b"\n") + 1].splitlines())
    if not ends.wanted:
        return source
    at_end = partial(_warn_of_ends, path, ends, warn)
    clean = io.BufferedReader(LineStream(source, ends.cleaned(source), at_end))
    if not again:
        return clean
    with clean:
        return io.BytesIO(clean.read())


@lru_cache(maxsize=8)
def _whole_as_log(path: Path, changed: int, warn: Warn) -> bytes:
    """Return all lines of a file that was changed at a time."""
    form, source = open_history(path, again=True)
    with source:
        return b"".join(bytes_as_log(form, source, path.name, partial(_warn_of, path, warn)))


def _warn_of_ends(path: Path, ends: NameEnds, warn: Warn) -> None:
    shown = ends.example.decode("utf-8", "backslashreplace")
    count = f"{ends.count:,} hands, as {shown!r}"
    _warn_of(path, warn, f"left out what stands behind the last name in {count}")


def _warn_of(path: Path, warn: Warn, text: str) -> None:
    warn(f"{path}: {text}")


def _kind(path: Path) -> str:
    """Return "a folder", "a pipe", ...; "" for a regular file.  Raises OSError, ValueError."""
    mode = path.stat().st_mode
    if stat.S_ISREG(mode):
        return ""
    if stat.S_ISCHR(mode):
        with path.open("rb", buffering=0) as opened:
            return "a terminal" if opened.isatty() else "a device"
    if stat.S_ISDIR(mode):
        return "a folder"
    return {stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}.get(stat.S_IFMT(mode), "a device")


def is_regular(path: Path) -> bool:
    """Return whether a path is that of a regular file, which can be opened without waiting."""
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long a name, a NUL in it
        return False


def file_size(path: Path) -> int:
    """Return the size in bytes, 0 for pipes and other things without one."""
    try:
        return path.stat().st_size if is_regular(path) else 0
    except OSError:
        return 0


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits.  Raises LogError."""
    try:
        with path.open("rb") as source:
            return hashlib.file_digest(source, "sha256").hexdigest()
    except OSError as error:
        raise read_error(path, error) from error


def no_hands(logs: Sequence[Path], number: str = "") -> str:
    """Return the words for logs without a hand to show or count, or without hand ` number`."""
    if len(logs) == 1:
        return f"{logs[0]}: no hand{number} in this file"
    return f"no hand{number} in any of these {len(logs)} files"


BLOCK_BYTES: Final = 8 << 20
MAX_LINE_BYTES: Final = 1 << 20
"""A longer line is cut, so that a file without line ends does not fill the memory."""


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


def log_blocks(
    log: Path,
    block_bytes: int = BLOCK_BYTES,
    *,
    again: bool = False,
    written: int | None = None,
    warn: Warn = silent,
) -> Iterator[TextBlock]:
    """Yield the lines of a log in blocks; the arguments are those of `open_log`, `text_blocks`.

    Raises:
        LogError: it cannot be opened or read.
    """
    with open_log(log, again=again, warn=warn) as source:
        blocks = text_blocks(source, block_bytes, written=written)
        while True:
            try:
                block = next(blocks, None)
            except OSError as error:
                raise read_error(log, error) from error
            if block is None:
                return
            yield block


def lines_in(blocks: Iterable[TextBlock]) -> Iterator[tuple[int, str]]:
    """Yield (line number, text without its line end) for every line of some blocks."""
    for block in blocks:
        for number, raw in enumerate(block.data[:-1].split(b"\n"), block.line):
            yield number, decode_line(raw)


def unscanned_lines(block: TextBlock, scan: Scan) -> Iterator[tuple[int, str]]:
    """Yield (line number, text) for the lines of a block that compiled code leaves.

    Args:
        scan: reads from a line on as far as it can.
    """
    import numpy as np

    array = np.frombuffer(block.data, np.uint8)
    at, line = 0, block.line
    while True:
        at, line = scan(array, at, line)
        if at == len(array):
            return
        end = block.data.index(b"\n", at)
        yield line, decode_line(block.data[at:end])
        at, line = end + 1, line + 1


def decode_line(raw: bytes) -> str:
    """Return a line as text; bytes that are not UTF-8 survive as surrogates."""
    return raw.removesuffix(b"\r").decode("utf-8", "surrogateescape")
