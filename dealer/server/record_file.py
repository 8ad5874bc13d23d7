"""A file that a match leaves behind: append-only, one writer, synced to the disk now and then.

Every line is one write to the operating system, so a killed dealer loses no finished hand.  A
machine that stops without warning loses what was not synced yet, `SYNC_SECONDS` of it.

It is read in constant memory: a disk that lost power may leave gigabytes of zeros, and a file may
be a pipe or a device, which have no end or cannot be read again.
"""

import asyncio
import contextlib
import errno
import fcntl
import os
import select
import stat
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import BinaryIO, Final

from dealer.server.clock import Clock, pause
from dealer.server.endings import Ending, MatchStopped, error_ending

SYNC_SECONDS: Final = 1.0
FULL_PIPE_SECONDS: Final = 10.0
_BLOCK: Final = 65536
_CHUNK_BYTES: Final = 1 << 20
LONGEST_LINE_BYTES: Final = 1 << 16


class RecordFile:
    """An append-only text file; each line reaches the operating system at once."""

    def __init__(
        self,
        path: Path,
        kind: str,
        *,
        append: bool,
        drop_torn: bool = False,
        size: int | None = None,
    ) -> None:
        """Open or create the file and lock it against other dealers.

        Args:
            kind: "log" or "transaction", for error messages.
            append: keep what is there; otherwise the file is emptied.
            drop_torn: remove a last line without line end, as a crash may leave it; otherwise it is
                ended, so that nothing is appended to it.
            size: bytes when its content was checked; None: it was not checked.

        Raises:
            MatchStopped: the file cannot be opened, or another dealer writes to it, or has
                written to it since it was checked.
        """
        self.path = path
        self._kind = kind
        self._unsynced = False
        self._failure: OSError | None = None
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK | os.O_CLOEXEC
            self._descriptor = os.open(path, flags, 0o666)
        except OSError as error:
            raise self._unopened(error) from error
        self._is_file = stat.S_ISREG(os.fstat(self._descriptor).st_mode)
        try:
            if self._is_file:
                self._lock()
                if size not in (None, os.fstat(self._descriptor).st_size):
                    raise BlockingIOError(errno.EWOULDBLOCK, "written to")
                if append:
                    self._mend_last_line(drop=drop_torn)
                else:
                    os.truncate(self._descriptor, 0)
        except OSError as error:
            self.close()
            raise self._unopened(error) from error

    def _unopened(self, error: OSError) -> MatchStopped:
        message = f"could not open {self._kind} file {self.path}"
        if error.errno == errno.EWOULDBLOCK:
            message += ": another dealer is writing to it"
        elif error.errno == errno.ENXIO:
            message += ": it is a pipe that nobody reads"
        return error_ending(Ending.ERROR, message)

    def _lock(self) -> None:
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno == errno.EWOULDBLOCK:
                raise  # any other: a file system without locks

    def _mend_last_line(self, *, drop: bool) -> None:
        size = whole = os.fstat(self._descriptor).st_size
        with self.path.open("rb") as file:
            while whole > 0:  # a disk that lost power may leave any number of zeros
                start = max(whole - _BLOCK, 0)
                file.seek(start)
                end = file.read(whole - start).rfind(b"\n") + 1
                if end > 0:
                    whole = start + end
                    break
                whole = start
        if whole == size:
            return
        if drop:
            os.truncate(self._descriptor, whole)
        else:
            os.write(self._descriptor, b"\n")

    def write(self, text: str) -> None:
        """Append whole lines.  Raises MatchStopped when the disk refuses."""
        self.write_bytes(text.encode("utf-8", "surrogateescape"))

    def write_bytes(self, text: bytes) -> None:
        """Do the same with bytes, which may be the rest of a line."""
        data = memoryview(text)
        try:
            if self._failure is not None:
                raise self._failure
            while data:
                data = data[self._write_some(data) :]
        except OSError as error:
            raise self._unwritten(error) from error
        self._unsynced = True

    def take_back(self, count: int) -> None:
        """Remove the last bytes of the file, where another writer has begun a line."""
        os.ftruncate(self._descriptor, os.fstat(self._descriptor).st_size - count)

    @property
    def descriptor(self) -> int:
        """Of a plain file, for another writer of whole lines; -1 for a pipe."""
        return self._descriptor if self._is_file else -1

    @property
    def failed(self) -> bool:
        """True when the next write will raise."""
        return self._failure is not None

    def written_to(self) -> None:
        """Record that another writer has written to the descriptor."""
        self._unsynced = True

    def _write_some(self, data: memoryview) -> int:
        try:
            return os.write(self._descriptor, data)
        except BlockingIOError:
            if not select.select([], [self._descriptor], [], FULL_PIPE_SECONDS)[1]:
                raise TimeoutError(errno.ETIMEDOUT, "nobody reads this pipe") from None
            return 0

    def _unwritten(self, error: OSError) -> MatchStopped:
        message = f"could not write {self._kind} file {self.path}: {error.strerror}"
        return error_ending(Ending.ERROR, message)

    def sync(self) -> None:
        """Wait until the disk has what was written.  Raises MatchStopped when it refuses."""
        self._sync()
        if self._failure is not None:
            raise self._unwritten(self._failure)

    def _sync(self) -> None:
        if self._unsynced and self._is_file:
            self._unsynced = False
            try:
                os.fsync(self._descriptor)
            except OSError as error:
                self._failure = error

    async def sync_beside(self) -> None:
        """Do the same on another thread; a failure is raised by the next write."""
        if self._unsynced:
            await asyncio.to_thread(self._sync)

    def close(self) -> None:
        """Sync and close the file; idempotent."""
        if self._descriptor >= 0:
            self._sync()
            with contextlib.suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = -1


async def keep_synced(files: Collection[RecordFile], clock: Clock) -> None:
    """Sync files in this order, again and again, until cancelled."""
    while True:
        await pause(clock, SYNC_SECONDS)
        for file in files:
            await file.sync_beside()


def record_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file without line end; a last one that is torn is left out.

    A missing or special file has no lines. A line too long to be a dealer's is cut, with a NUL byte
    behind it, which no dealer's line has either.

    Raises:
        MatchStopped: the file cannot be read.
    """
    try:
        with open(path, "rb", opener=_open_at_once) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return
            while (line := file.readline(LONGEST_LINE_BYTES)).endswith(b"\n"):
                yield line[:-1]
            if line and _goes_on(file):
                yield line[:100] + b"\0"
    except (FileNotFoundError, IsADirectoryError):
        return
    except OSError as error:
        message = f"could not read {path}: {error.strerror}"
        raise error_ending(Ending.ERROR, message) from error


def _open_at_once(path: str, flags: int) -> int:
    """Open a file; a pipe without waiting for its writer."""
    return os.open(path, flags | os.O_NONBLOCK)


def _goes_on(file: BinaryIO) -> bool:
    """Return whether the rest of a file has a line end."""
    while chunk := file.read(_CHUNK_BYTES):
        if b"\n" in chunk:
            return True
    return False
