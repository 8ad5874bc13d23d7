"""What a match leaves behind: the log, the transaction file, the lines on stderr.

Each is an observer of the match, so that one which is not wanted is simply not there.  Every line
is one write to the operating system, so a killed dealer loses no finished hand.
"""

import contextlib
from collections import Counter
from io import FileIO
from pathlib import Path
from typing import Final

from dealer.server.endings import Ending, stopped
from dealer.server.observers import (
    AppliedAction,
    HandClosed,
    HandOver,
    MatchObserver,
    MatchStart,
    ReplyFault,
)
from dealer.server.standard_streams import to_stderr
from protocol.handshake import CURRENT, Version
from protocol.transcript import Transaction, format_transaction

_BLOCK: Final = 65536


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
        size = whole = self.path.stat().st_size
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
            self._file.truncate(whole)
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


class MatchLog(MatchObserver):
    """The match log."""

    required = True

    def __init__(self, file: RecordFile) -> None:
        self._file = file

    def write(self, *lines: str) -> None:
        """Append lines, given without terminator, in one piece."""
        self._file.write("".join(f"{line}\n" for line in lines))

    def hand_over(self, hand: HandOver) -> None:
        """Write the hand."""
        self.write(hand.line)

    def seat_reconnected(self, seat: int, hand_id: int) -> None:
        """Leave a comment."""
        self.write(f"# reconnect seat {seat + 1} hand {hand_id}")

    def match_scored(self, line: str) -> None:
        """Write the last line."""
        self.write(line)


class TransactionFile(MatchObserver):
    """Every applied action with its times, from which a match can be resumed."""

    required = True

    def __init__(self, file: RecordFile) -> None:
        self._file = file

    def action_applied(self, applied: AppliedAction) -> None:
        """Write one line."""
        sent, received = f"{applied.sent:.6f}", f"{applied.received:.6f}"
        line = Transaction(applied.action, applied.hand_id, sent, received)
        self._file.write(format_transaction(line) + "\n")


class Warnings(MatchObserver):
    """What stderr gets in any case: what was put right, and what could not be."""

    required = True

    def version_unsupported(self, seat: int, version: Version) -> None:
        """Name our version."""
        to_stderr(f"ERROR: this server is currently using version {CURRENT.text}\n")

    def reply_faulted(self, fault: ReplyFault) -> None:
        """Repeat the warnings."""
        for words in fault.warnings:
            to_stderr(f"WARNING: {words}\n")

    def observer_failed(self, observer: MatchObserver, error: Exception) -> None:
        """Name what is missing from now on."""
        name = type(observer).__name__
        to_stderr(f"WARNING: {name} failed and is left out from now on: {error!r}\n")


class Transcript(MatchObserver):
    """What stderr gets unless the match is quiet: every message, and how time passes."""

    required = True

    def still_waiting(self, what: str) -> None:
        """Say so."""
        to_stderr(f"# still waiting for {what}\n")

    def match_started(self, start: MatchStart) -> None:
        """Write the time."""
        to_stderr(f"STARTED at {start.when:.6f}\n")

    def state_sent(self, seat: int, when: float, message: bytes) -> None:
        """Write the message."""
        to_stderr(b"TO %d at %.6f %b" % (seat + 1, when, message))

    def line_received(self, seat: int, when: float, raw: bytes) -> None:
        """Write the line; it ends at a NUL byte."""
        to_stderr(b"FROM %d at %.6f %b" % (seat + 1, when, raw.partition(b"\0")[0]))

    def hand_closed(self, hand: HandClosed) -> None:
        """Write the time used, every hundred hands."""
        if hand.hand_id % 100 == 0:
            for seat, used in enumerate(hand.seconds):
                to_stderr(f"Seconds cumulatively spent in match for seat {seat}: {int(used)}\n")

    def hands_finished(self, when: float) -> None:
        """Write the time."""
        to_stderr(f"FINISHED at {when:.6f}\n")


class FaultCounts(MatchObserver):
    """How often which replies could not be taken as they stood, for the summary."""

    required = True

    def __init__(self, seats: int) -> None:
        self.by_seat: list[Counter[str]] = [Counter() for _ in range(seats)]
        """Per seat: how many lines by what became of them and why, as in "corrected: illegal"."""

    def reply_faulted(self, fault: ReplyFault) -> None:
        """Count one."""
        self.by_seat[fault.line.seat][f"{fault.outcome.value}: {fault.reason}"] += 1
