"""Text files of others: regular files only, in bounded memory; by lines, with file and line."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from engine.errors import UnreadableText

LONGEST_LINE_BYTES: Final = 1 << 16
MOST_TEXT_BYTES: Final = 1 << 24
"""Of a file that is read whole."""


def plain_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield number, from 1, and text of each line, without its end; foreign bytes survive.

    Raises:
        UnreadableText: the file is missing, a device, a pipe or a folder, or a line is too long.
    """
    with _opened(path) as file:
        number = 0
        while line := file.readline(LONGEST_LINE_BYTES + 1):
            number += 1
            if len(line) > LONGEST_LINE_BYTES:
                raise UnreadableText(
                    f"{path}:{number}: a line of more than {LONGEST_LINE_BYTES:,} bytes"
                )
            yield number, line.decode("utf-8", "surrogateescape").rstrip("\r\n")


def plain_bytes(path: Path) -> bytes:
    """Return all of a file.

    Raises:
        UnreadableText: it is missing, a device, a pipe or a folder, or too long.
    """
    with _opened(path) as file:
        content = file.read(MOST_TEXT_BYTES + 1)
    if len(content) > MOST_TEXT_BYTES:
        raise UnreadableText(f"{path}: more than {MOST_TEXT_BYTES:,} bytes")
    return content


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """Open a regular file; what goes wrong while it is open is an UnreadableText."""
    try:
        with open(path, "rb", opener=_at_once) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UnreadableText(f"{path}: not a regular file")
            yield file
    except OSError as error:
        raise UnreadableText(f"{path}: {error.strerror or error}") from error
    except ValueError as error:  # a NUL in its name
        if isinstance(error, UnreadableText):
            raise
        raise UnreadableText(f"{path}: {error}") from error


def _at_once(path: str, flags: int) -> int:
    """Open a file; a pipe without waiting for its writer."""
    return os.open(path, flags | os.O_NONBLOCK)
