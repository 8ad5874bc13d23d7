"""A lock between processes: whoever holds that of a file or folder works on it alone."""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_PAUSE_SECONDS: Final = 0.02


def take_lock(descriptor: int, patience: float = 0.0) -> None:
    """Lock an open file or folder until every process that holds the descriptor has closed it.

    However a process ends, the system closes its files, so no lock is ever left behind.

    Args:
        patience: seconds to wait for others.

    Raises:
        BlockingIOError: another holds it all that time.
        OSError: the file system knows no locks.
    """
    end = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError as error:
            if time.monotonic() >= end:
                reason = "another program is writing it"
                raise BlockingIOError(errno.EWOULDBLOCK, reason) from error
        time.sleep(_PAUSE_SECONDS)


@contextmanager
def locked_folder(folder: Path, patience: float = 0.0) -> Iterator[int]:
    """Make a folder where there is none, and hold its lock; gives the open folder.

    Args:
        patience: seconds to wait for others.

    Raises:
        BlockingIOError: another process holds it.
        OSError: it cannot be made or locked; this and the other name the folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            take_lock(descriptor, patience)
        except OSError as error:
            error.filename = str(folder)
            raise
        yield descriptor
    finally:
        os.close(descriptor)
