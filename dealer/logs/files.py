"""Opening logs: files and pipes are read; folders, devices and sockets are refused in one line.

Compressed files, UTF-16 and byte order marks are read, and what programs wrote behind the last name
of a hand is left out; a line on standard error says so.  Hands in other formats, such as PHH, are
turned into the lines of a log.
"""

from __future__ import annotations

import io
import os
import stat
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any, BinaryIO

from dealer.logs.errors import LogError
from dealer.logs.name_ends import NameEnds, are_plain
from engine.console.output import tell
from engine.errors import UnreadableText
from engine.histories.as_log import NOT_READ, LineStream, bytes_as_log
from engine.histories.formats import LOG, HistoryFormat, format_of
from engine.histories.unpacking import HEAD_BYTES, unpacked

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def open_log(path: Path, *, again: bool = False) -> BinaryIO:
    """Open a log for reading, or hands in another format as `engine.histories.as_log` has them.

    Args:
        path: a file, a pipe such as a shell's <(zcat ...), or a terminal.
        again: whether it is to be read more than once, which a pipe cannot be.

    Raises:
        LogError: it is something else, such as the transcript of a dealer, or cannot be opened.
    """
    form, source = open_history(path, again=again)
    if form.name == LOG:
        return source
    if not again:
        lines = bytes_as_log(form, source, path.name, partial(_tell_bias, path))
        return io.BufferedReader(LineStream(source, lines))
    source.close()
    return io.BytesIO(_whole_as_log(path, path.stat().st_mtime_ns))


def open_history(path: Path, *, again: bool = False) -> tuple[HistoryFormat, BinaryIO]:
    """Open a file of hands in whatever format; return the format too.

    Args:
        path: a file, a pipe such as a shell's <(zcat ...), or a terminal.
        again: whether it is to be read more than once, which a pipe cannot be.

    Raises:
        LogError: it is something else, such as the transcript of a dealer, or cannot be opened.
    """
    try:
        kind = what_it_is(path)
        if kind and (again or kind not in ("a pipe", "a terminal")):
            raise LogError(f"{path}: is {kind}, not a log" + (" in a file" if again else ""))
        file = io.FileIO(path, opener=open_at_once if again else None)
        source = unpacked(path, io.BufferedReader(file, HEAD_BYTES))
        head = source.peek(HEAD_BYTES)
        form = format_of(head, path.name)
        if form.name != LOG and form.reader is None:
            source.close()
            raise LogError(f"{path}: {form.name} is {NOT_READ}")
        return form, source if form.name != LOG else _cleaned(path, source, head, again)
    except OSError as error:
        raise LogError(f"{path}: {error.strerror or error}") from error
    except UnreadableText as error:
        raise LogError(str(error)) from error
    except ValueError as error:  # a NUL in its name
        raise LogError(f"{path}: {error}") from error


def open_at_once(path: str, flags: int) -> int:
    """Open a file; a pipe that stands there by now is not waited for, and has nothing to read."""
    return os.open(path, flags | os.O_NONBLOCK)


def _cleaned(path: Path, source: io.BufferedReader[Any], head: bytes, again: bool) -> BinaryIO:
    if are_plain(head):
        return source
    ends = NameEnds(head[: head.rfind(b"\n") + 1].splitlines())
    if not ends.wanted:
        return source
    tell_all = partial(_tell_ends, path, ends)
    clean = io.BufferedReader(LineStream(source, ends.cleaned(source), tell_all))
    if not again:
        return clean
    with clean:
        return io.BytesIO(clean.read())


@lru_cache(maxsize=8)
def _whole_as_log(path: Path, changed: int) -> bytes:
    """Return all lines of a file that was changed at a time."""
    form, source = open_history(path, again=True)
    with source:
        return b"".join(bytes_as_log(form, source, path.name, partial(_tell_bias, path)))


def _tell_ends(path: Path, ends: NameEnds) -> None:
    _tell_once(path, ends.count, ends.example)


@cache
def _tell_once(path: Path, count: int, example: bytes) -> None:
    shown = example.decode("utf-8", "backslashreplace")
    tell(f"{path}: left out what stands behind the last name in {count:,} hands, as {shown!r}")


@cache
def _tell_bias(path: Path, bias: str) -> None:
    tell(f"{path}: {bias}")


def what_it_is(path: Path) -> str:
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


def no_hands(logs: Sequence[Path], number: str = "") -> str:
    """Return the words for logs without a hand to show or count, or without hand ` number`."""
    if len(logs) == 1:
        return f"{logs[0]}: no hand{number} in this file"
    return f"no hand{number} in any of these {len(logs)} files"
