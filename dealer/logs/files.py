"""Opening logs: files and pipes are read; folders, devices and sockets are refused in one line."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING, BinaryIO

from dealer.logs.errors import LogError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def open_log(path: Path, *, again: bool = False) -> BinaryIO:
    """Open a log for reading.

    Args:
        path: a file, a pipe such as a shell's <(zcat ...), or a terminal.
        again: whether it is to be read more than once, which a pipe cannot be.

    Raises:
        LogError: it is something else, or cannot be opened.
    """
    try:
        kind = what_it_is(path)
        if kind and (again or kind not in ("a pipe", "a terminal")):
            raise LogError(f"{path}: is {kind}, not a log" + (" in a file" if again else ""))
        return path.open("rb")
    except OSError as error:
        raise LogError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:  # a NUL in its name
        raise LogError(f"{path}: {error}") from error


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
