"""Opening logs: files and pipes are read; folders, devices and sockets are refused in one line.

Compressed files, UTF-16 and byte order marks are read, and what programs wrote behind the last name
of a hand is left out; a line on standard error says so.  Hands in other formats, such as PHH, are
turned into the lines of a log.  A text is read as bounded blocks of whole lines, whatever its size
and however it ends.

What some programs write behind the last name of a hand is a blank, a comment, a field of theirs.
Names stand last on a line because they may hold any character, so what is behind one becomes part
of it, and one player turns into as many as there are hands.  Who a player is show the other places:
names there end at a bar.  In fixed seats, where the last player never sits elsewhere, a text that
differs in most hands behind the same beginning is no name.
"""

from __future__ import annotations

import io
import os
import re
import stat
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from dealer.logs.reading.errors import LogError
from engine.console.output import tell
from engine.errors import UnreadableText
from engine.histories.as_log import NOT_READ, LineStream, bytes_as_log
from engine.histories.formats import LOG, HistoryFormat, format_of
from engine.histories.unpacking import HEAD_BYTES, unpacked
from protocol.handlog import HAND_LINE

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


_NAME_END: Final = re.compile(rb"[\s#;:,]")
_ODD_LAST_NAME: Final = re.compile(rb"\|[^|\n]*[ \t#;:,][^|\n]*$", re.MULTILINE)
_STAMP: Final = re.compile(rb" # [0-9.]+$")
_LOST_HEADER: Final = re.compile(rb"# name/game|#--t_\w+ [0-9]")
"""A header behind a hand has lost the line end before it; the line is refused there, not cut."""


def are_plain(text: bytes) -> bool:
    """Return whether the last names of some lines can have nothing behind them; quick."""
    return _ODD_LAST_NAME.search(text) is None


def _fields(line: bytes) -> tuple[list[bytes], int] | None:
    """Return the names of a hand and where the last one begins; None of any other line."""
    match = HAND_LINE.fullmatch(line)
    if match is None:
        return None
    names = match[5].rsplit(b"|", match[4].count(b"|"))
    return names, len(line) - len(names[-1])


class NameEnds:
    """The players of a log, and what to cut off behind the last name of its hands."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        """Look at the first lines of a log, without line ends."""
        self.count = 0
        """Hands from which something was cut off."""
        self.example = b""
        """The first that was."""
        self._names: set[bytes] = set()
        self._stems: set[bytes] = set()
        """Beginnings of texts that differ in most hands."""
        behind: defaultdict[bytes, list[bytes]] = defaultdict(list)
        for line in lines:
            if (fields := _fields(line)) is not None:
                names, _ = fields
                self._names.update(names[:-1])
                behind[_NAME_END.split(names[-1], maxsplit=1)[0]].append(_STAMP.sub(b"", names[-1]))
        for stem, texts in behind.items():
            if stem and 2 < len(set(texts)) > len(texts) / 2:
                self._stems.add(stem)
        self.wanted = any(
            self._name_in(text, [b""]) != text for texts in behind.values() for text in texts
        )
        """Whether there is anything to cut off."""

    def cleaned(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield lines, with line ends or without, less what is no part of the last name."""
        for line in lines:
            text = line.rstrip(b"\r\n")
            fields = _fields(text)
            if fields is None:
                yield line
                continue
            names, at = fields
            self._names.update(names[:-1])
            last = _STAMP.sub(b"", names[-1])
            name = self._name_in(last, names[:-1])
            if name == last:
                yield line
                continue
            self.count += 1
            self.example = self.example or last[len(name) :]
            yield text[:at] + name + line[len(text) :]

    def _name_in(self, text: bytes, taken: list[bytes]) -> bytes:
        """Return the longest beginning of a text that is a player, all of it where none is."""
        if text in self._names or _LOST_HEADER.search(text) is not None:
            return text
        ends = [separator.start() for separator in _NAME_END.finditer(text)]
        for end in reversed(ends):
            if (name := text[:end]) and name in self._names and name not in taken:
                return name
        return text[: ends[0]] if ends and text[: ends[0]] in self._stems else text


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


def lines_of(source: BinaryIO, block_bytes: int = BLOCK_BYTES) -> Iterator[tuple[int, str]]:
    """Yield (line number, text without its line end) for every line."""
    for block in text_blocks(source, block_bytes):
        for number, raw in enumerate(block.data[:-1].split(b"\n"), block.line):
            yield number, decode_line(raw)


def decode_line(raw: bytes) -> str:
    """Return a line as text; bytes that are not UTF-8 survive as surrogates."""
    return raw.removesuffix(b"\r").decode("utf-8", "surrogateescape")
