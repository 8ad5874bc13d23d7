"""Text files of others, line by line: regular files only, in bounded memory, with file and line."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from engine.errors import UnreadableText

LONGEST_LINE_BYTES: Final = 1 << 16


def plain_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield number, from 1, and text of each line, without its end; foreign bytes survive.

    Raises:
        UnreadableText: the file is missing, a device, a pipe or a folder, or a line is too long.
    """
    try:
        with open(path, "rb", opener=_at_once) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UnreadableText(f"{path}: not a regular file")
            number = 0
            while line := file.readline(LONGEST_LINE_BYTES + 1):
                number += 1
                if len(line) > LONGEST_LINE_BYTES:
                    raise UnreadableText(
                        f"{path}:{number}: a line of more than {LONGEST_LINE_BYTES:,} bytes"
                    )
                yield number, line.decode("utf-8", "surrogateescape").rstrip("\r\n")
    except OSError as error:
        raise UnreadableText(f"{path}: {error.strerror or error}") from error
    except ValueError as error:  # a NUL in its name
        if isinstance(error, UnreadableText):
            raise
        raise UnreadableText(f"{path}: {error}") from error


def _at_once(path: str, flags: int) -> int:
    """Open a file; a pipe without waiting for its writer."""
    return os.open(path, flags | os.O_NONBLOCK)
