"""Writing a file in one piece: nobody ever sees half of it, and what was there stays until then."""

from __future__ import annotations

import errno
import os
import re
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

_UNFINISHED: Final = re.compile(r"\.(.+)\.[0-9]+\.[0-9]+\.part", re.DOTALL)


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file in one piece, see `replacing`; text becomes UTF-8.

    Raises:
        OSError: it cannot be written; what was there is unchanged.
    """
    with replacing(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Give a stream of bytes whose content takes the place of a file when the context ends well.

    Until then it is written beside the file, under a name that no other process and thread uses;
    after an exception nothing is left of it.  A link stays a link, to the new content.  Anything
    but a file at that path, such as a pipe or a device, is written to and not replaced.  A new
    file has the permissions that the process gives to all its files.

    Raises:
        OSError: it cannot be written; what was there is unchanged.  Names `path`.
    """
    if path.exists() and not path.is_file():
        with _naming(path), path.open("wb") as stream:
            yield stream
        return
    target = _target(path)
    unfinished = _unfinished(target)
    try:
        with _naming(path, unfinished):
            with unfinished.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(unfinished, target)
    finally:
        with suppress(OSError):  # that of a folder in which there are no files is told
            unfinished.unlink(missing_ok=True)


def check_writable(path: Path) -> None:
    """Find out before long work whether its result can be written.

    Raises:
        OSError: the path is a folder, or there can be no new file beside it.  Names the path.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder", str(path))
    if path.exists() and not path.is_file():
        return
    trial = _unfinished(_target(path))
    with _naming(path, trial):
        trial.touch()
        trial.unlink(missing_ok=True)


def remove_unfinished(folder: Path, names: Collection[str]) -> None:
    """Delete what killed writers of some files of a folder left; nobody may be writing them now.

    Raises:
        OSError: the folder cannot be read, or such a file not be deleted.
    """
    for entry in os.listdir(folder):
        match = _UNFINISHED.fullmatch(entry)
        if match is not None and match[1] in names:
            (folder / entry).unlink(missing_ok=True)


@contextmanager
def _naming(path: Path, unfinished: Path | None = None) -> Iterator[None]:
    """Have errors name a file where they name none, as of a full disk, or the unfinished one."""
    try:
        yield
    except OSError as error:
        if error.errno and error.filename in (None, str(unfinished)):
            error.filename = str(path)
        raise


def _target(path: Path) -> Path:
    """Return the file that a path leads to.

    Raises:
        OSError: the links lead round in a loop.
    """
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OSError(errno.ELOOP, "a loop of links", str(path))
    return target


def _unfinished(target: Path) -> Path:
    return target.with_name(f".{target.name}.{os.getpid()}.{threading.get_ident()}.part")
