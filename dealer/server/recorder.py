"""What a match leaves behind: the log, the transaction file, the lines on stderr.

Every line is one write to the operating system, so a killed dealer loses no finished hand.
"""

import contextlib
import os
from collections.abc import Iterable
from io import FileIO
from pathlib import Path
from typing import Final

from dealer.server.endings import Ending, stopped

_LONGEST_TORN_LINE: Final = 65536


class RecordFile:
    """An append-only text file; each line reaches the operating system at once."""

    def __init__(self, path: Path, kind: str, *, append: bool, drop_torn: bool = False) -> None:
        """Open or create the file.

        Args:
            path: where.
            kind: "log" or "transaction", for error messages.
            append: keep what is there; otherwise the file is emptied.
            drop_torn: remove a last line without line end, as a crash may leave it; otherwise
                such a line is ended, so that nothing is glued to it.

        Raises:
            MatchStopped: the file cannot be opened.
        """
        self.path = path
        self._kind = kind
        try:
            self._file = FileIO(path, "ab" if append else "wb")
            if append:
                self._mend_last_line(drop=drop_torn)
        except OSError as error:
            raise stopped(Ending.ERROR, f"could not open {kind} file {path}") from error

    def _mend_last_line(self, *, drop: bool) -> None:
        size = self.path.stat().st_size
        with self.path.open("rb") as file:
            file.seek(max(size - _LONGEST_TORN_LINE, 0))
            tail = file.read()
        if not tail or tail.endswith(b"\n"):
            return
        if drop:
            self._file.truncate(size - len(tail) + tail.rfind(b"\n") + 1)
        else:
            self._file.write(b"\n")

    def write(self, text: str) -> None:
        """Append whole lines.  Raises MatchStopped when the disk refuses."""
        data = memoryview(text.encode("utf-8", "surrogateescape"))
        try:
            while data:
                data = data[self._file.write(data) or 0 :]
        except OSError as error:
            words = f"could not write {self._kind} file {self.path}: {error.strerror}"
            raise stopped(Ending.ERROR, words) from error

    def close(self) -> None:
        """Close the file; idempotent."""
        with contextlib.suppress(OSError):
            self._file.close()


class Recorder:
    """Writes one match's lines where they belong."""

    def __init__(
        self, log: RecordFile | None, transactions: RecordFile | None, *, verbose: bool
    ) -> None:
        self.verbose = verbose
        """True when stderr gets every message, not only warnings and errors."""
        self._log = log
        self._transactions = transactions
        self.keeps_transactions = transactions is not None

    def header(self, lines: Iterable[str]) -> None:
        """Write the header to stderr and to the log."""
        text = "".join(f"{line}\n" for line in lines)
        to_stderr(text)
        if self._log is not None:
            self._log.write(text)

    def log(self, line: str) -> None:
        """Write one line to the match log."""
        if self._log is not None:
            self._log.write(line + "\n")

    def transaction(self, action: str, hand_id: int, sent: float, received: float) -> None:
        """Write one applied action; times are seconds of the wall clock."""
        if self._transactions is not None:
            self._transactions.write(f"{action} {hand_id} {sent:.6f} {received:.6f}\n")

    def verbose_line(self, text: str) -> None:
        """Write one line to stderr unless the match is quiet."""
        if self.verbose:
            to_stderr(text + "\n")

    def sent(self, seat: int, when: float, message: bytes) -> None:
        """Report a message to a seat (0-based) on stderr, unless quiet."""
        if self.verbose:
            to_stderr(b"TO %d at %.6f %b" % (seat + 1, when, message))

    def received(self, seat: int, when: float, raw: bytes) -> None:
        """Report a line from a seat (0-based) on stderr, unless quiet; it ends at a NUL byte."""
        if self.verbose:
            to_stderr(b"FROM %d at %.6f %b" % (seat + 1, when, raw.partition(b"\0")[0]))

    def warning(self, words: str) -> None:
        """Report something that was put right."""
        to_stderr(f"WARNING: {words}\n")


def to_stderr(text: str | bytes) -> None:
    """Write to stderr in one piece."""
    _to(2, text)


def to_stdout(text: str) -> None:
    """Write to stdout in one piece."""
    _to(1, text)


def _to(descriptor: int, text: str | bytes) -> None:
    """Write everything; a reader that went away is no reason to stop a match."""
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    view = memoryview(data)
    with contextlib.suppress(OSError):
        while view:
            view = view[os.write(descriptor, view) :]


def fill_standard_streams() -> None:
    """Open the null device for each standard stream that was closed.

    Otherwise the next file opened would take its number, and the port line land in the log.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
