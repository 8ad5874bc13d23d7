"""The whole lines of one log from a byte on, and those that are still being written.

Bytes are counted in the text that `open_log` gives: unpacked and in UTF-8.  Where a file is no
plain text, nobody can say which of its bytes these are: it is read as it is, once all of it may be,
and when it changes it is another log.
"""

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from engine.console.output import tell_once
from engine.errors import LogError
from engine.handlogs.source.opening import MAX_LINE_BYTES, open_log, read_error

PIECE_BYTES: Final = 1 << 18
"""As much is read at a time."""
_LOOKED_AT_BYTES: Final = 1 << 12
"""Of what was read last: so many are looked at again.  A dealer that begins another match in the
same file may be further than the one before by then."""


class LogReplaced(LogError):
    """What was read before is not in the log any more: it is another file, or another text."""


class LogGone(LogError):
    """There is no such file any more."""


class LogLines:
    """Reads a log piece by piece.  Closed by its owner."""

    def __init__(self, log: Path, start: int = 0, end: Callable[[], int] | None = None) -> None:
        """Open it.

        Args:
            log: a file.
            start: byte to begin at, where a line begins: of a part of a line nobody could say
                whether it may be seen.
            end: returns the byte up to which it may be read by now; None: all of it.

        Raises:
            LogReplaced: it has fewer bytes, or no line begins there.
            LogError: it cannot be opened, is no file or no log.
        """
        self._log = log
        self._end = end
        self._taken = 0
        self._file = _identity(log)
        self._source = open_log(log, again=True, warn=tell_once)
        self._plain = isinstance(getattr(self._source, "raw", None), io.FileIO)
        self._last = b""
        """Bytes before those that come next."""
        self._rest = b""
        self.offset = 0
        """Where the next line begins, in bytes."""
        try:
            self.skip(start)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._source.close()

    def read(self, end: int | None = None) -> bytes:
        """Return the next whole lines, b"" where there is none (yet).

        Args:
            end: byte behind which nothing is read; None: as far as there are lines.

        Raises:
            LogReplaced: what was read before is not there any more.
            LogError: the file is damaged, or a line is longer than `MAX_LINE_BYTES`.
        """
        while piece := self._piece(PIECE_BYTES, end):
            cut = piece.rfind(b"\n") + 1
            if cut:
                lines, self._rest = self._rest + piece[:cut], piece[cut:]
                self.offset += len(lines)
                return lines
            self._rest += piece
            if len(self._rest) > MAX_LINE_BYTES:
                raise LogError(f"{self._log}: a line of more than {MAX_LINE_BYTES:,} bytes")
        return b""

    def grown(self) -> bool:
        """Return whether there may be more to read than when it was last asked; quick.

        Raises:
            LogReplaced: it is another file, or shorter.
            LogGone: there is none.
        """
        before, self._file = self._file, _identity(self._log)
        another = self._file[:2] != before[:2] or self._file[2] < before[2]
        if another or (self._file != before and not self._plain):
            raise LogReplaced(f"{self._log}: another file than before")
        if self._file != before:
            self._look_again()
        return self._file != before or self._end is not None

    def skip(self, start: int) -> None:
        """Go on at a byte where a line begins, behind whole lines that were read.

        Of a plain file, what lies between is not read.

        Raises:
            LogReplaced: there are fewer bytes, or no line begins there.
        """
        between = start - 1 - self._taken
        if self._plain and between > 0:
            if start > os.fstat(self._source.fileno()).st_size:  # no file system seeks everywhere
                raise LogReplaced(f"{self._log}: ends before byte {start:,}")
            self._source.seek(between, io.SEEK_CUR)
            self._taken += between
            self.offset, self._rest, self._last = start - 1, b"", b""
        while missing := start - self.offset:
            piece = self._rest or self._piece(min(missing, PIECE_BYTES))
            if not piece:
                raise LogReplaced(f"{self._log}: ends before byte {start:,}")
            piece, self._rest = piece[:missing], piece[missing:]
            self.offset += len(piece)
            if self.offset == start and not piece.endswith(b"\n"):
                raise LogReplaced(f"{self._log}: no line begins at byte {start:,}")

    def _readable(self) -> int | None:
        """Return the byte up to which it may be read by now; None: all of it.  Raises OSError."""
        if self._end is None:
            return None
        end = self._end()
        if self._plain:
            return end
        return None if end >= self._file[2] else 0

    def _piece(self, size: int, end: int | None = None) -> bytes:
        try:
            ends = [end, self._readable()]
            size = min([size, *(at - self._taken for at in ends if at is not None)])
            piece = self._source.read(max(0, size))
            self._taken += len(piece)
            self._look_again(piece)
            if piece and (by_now := self._readable()) is not None and by_now < self._taken:
                raise LogReplaced(f"{self._log}: another text than before")
            return piece
        except OSError as error:
            raise read_error(self._log, error) from error

    def _look_again(self, piece: bytes = b"") -> None:
        """Compare what is before a piece that was read with what was there.  Raises LogReplaced."""
        if self._plain:
            at = self._source.tell() - len(piece) - len(self._last)
            if os.pread(self._source.fileno(), len(self._last), at) != self._last:
                raise LogReplaced(f"{self._log}: another text than before")
            self._last = (self._last + piece)[-_LOOKED_AT_BYTES:]


def _identity(log: Path) -> tuple[int, int, int, int]:
    """Return which file it is (device and number), its bytes, when it changed.  Raises LogGone."""
    try:
        found = os.stat(log)
    except OSError as error:
        raise LogGone(f"{log}: {error.strerror or error}") from error
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
