"""What a match leaves behind: the log, the transaction file, the lines on stderr.

Each is an observer of the match; one that is not wanted is not made.
"""

from collections import Counter
from collections.abc import Callable
from typing import Final

from dealer.server.observers import (
    AppliedAction,
    FaultOutcome,
    HandClosed,
    HandOver,
    MatchObserver,
    MatchStart,
    ReplyFault,
)
from dealer.server.record_file import RecordFile
from dealer.server.standard_streams import to_stderr
from protocol.handshake import CURRENT, Version
from protocol.transcript import HANDS_BETWEEN_TIMES, Transaction, format_transaction

MOST_IGNORED_TOLD: Final = 10_000
MOST_SURPLUS_BYTES: Final = 1 << 20
"""So much more a transcript may show of what a seat sent than of what it was sent."""


class MatchLog(MatchObserver):
    """The match log."""

    required = True

    def __init__(self, file: RecordFile) -> None:
        self.file: Final = file

    def write(self, *lines: str) -> None:
        """Append lines, given without terminator, in one piece."""
        self.file.write("".join(f"{line}\n" for line in lines))

    def hand_over(self, hand: HandOver) -> None:
        """Write the hand."""
        self.file.write(hand.line + "\n")

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
        self.file: Final = file

    def action_applied(self, applied: AppliedAction) -> None:
        """Write one line."""
        sent, received = f"{applied.sent:.6f}", f"{applied.received:.6f}"
        line = Transaction(applied.action, applied.hand_id, sent, received)
        self.file.write(format_transaction(line) + "\n")


class Warnings(MatchObserver):
    """What stderr gets in any case: what was put right, and what could not be."""

    required = True

    def __init__(self, say: Callable[[str], None] = to_stderr) -> None:
        self._say = say
        self._ignored: Counter[int] = Counter()

    def version_unsupported(self, seat: int, version: Version) -> None:
        """Name our version."""
        self._say(f"ERROR: this server is currently using version {CURRENT.text}\n")

    def reply_faulted(self, fault: ReplyFault) -> None:
        """Repeat the warnings; of lines that were ignored, the first ones."""
        if fault.outcome is FaultOutcome.IGNORED:
            seat = fault.line.seat
            self._ignored[seat] += 1
            if self._ignored[seat] == MOST_IGNORED_TOLD:
                warning = f"seat {seat + 1} sent {MOST_IGNORED_TOLD:,} lines that were ignored"
                self._say(f"WARNING: {warning}; no more of them are shown\n")
            if self._ignored[seat] >= MOST_IGNORED_TOLD:
                return
        for warning in fault.warnings:
            self._say(f"WARNING: {warning}\n")

    def observer_failed(self, observer: MatchObserver, error: Exception) -> None:
        """Name what is missing from now on."""
        name = type(observer).__name__
        self._say(f"WARNING: {name} failed and is left out from now on: {error!r}\n")


class Transcript(MatchObserver):
    """What stderr gets unless the match is quiet: every message, and the time spent.

    Of what a seat sends beyond its replies, only the first `MOST_SURPLUS_BYTES` are shown.
    """

    required = True

    def __init__(
        self, say: Callable[[str | bytes], None] = to_stderr, descriptor: int = -1
    ) -> None:
        """`say` writes lines, the last of which may have no end.

        `descriptor` is where they go as they are, -1 where they do not.
        """
        self._say = say
        self.descriptor: Final = descriptor
        self._more_heard: Counter[int] = Counter()

    @property
    def hears_much(self) -> bool:
        """True where the bound on what seats send is not far."""
        return any(more > MOST_SURPLUS_BYTES // 2 for more in self._more_heard.values())

    def shown(self, seat: int, count: int) -> None:
        """Note that somebody else told by so many bytes more of what a seat was sent."""
        self._more_heard[seat] -= count

    def still_waiting(self, what: str) -> None:
        """Say so."""
        self._say(f"# still waiting for {what}\n")

    def match_started(self, start: MatchStart) -> None:
        """Write the time."""
        self._say(f"STARTED at {start.when:.6f}\n")

    def state_sent(self, seat: int, when: float, message: bytes) -> None:
        """Write the message."""
        text = b"TO %d at %.6f %b" % (seat + 1, when, message)
        self._more_heard[seat] -= len(text)
        self._say(text)

    def line_received(self, seat: int, when: float, raw: bytes) -> None:
        """Write the line; it ends at a NUL byte."""
        text = b"FROM %d at %.6f %b" % (seat + 1, when, raw.partition(b"\0")[0])
        bytes_so_far = self._more_heard[seat]
        self._more_heard[seat] = now = bytes_so_far + len(text)
        if now < MOST_SURPLUS_BYTES:
            self._say(text)
        elif bytes_so_far < MOST_SURPLUS_BYTES:
            self._say(f"# seat {seat + 1} sends much that is no answer; not all of it is shown\n")

    def hand_closed(self, hand: HandClosed) -> None:
        """Write the time used, now and then."""
        if hand.hand_id % HANDS_BETWEEN_TIMES == 0:
            for seat, used in enumerate(hand.seconds):
                self._say(f"Seconds cumulatively spent in match for seat {seat}: {int(used)}\n")

    def hands_finished(self, when: float) -> None:
        """Write the time."""
        self._say(f"FINISHED at {when:.6f}\n")


class SeatCounts(MatchObserver):
    """How often what happened at each seat, for the summary."""

    required = True

    def __init__(self, seats: int) -> None:
        self.faults: list[Counter[str]] = [Counter() for _ in range(seats)]
        """Per seat: how many lines by what became of them and why, as in "corrected: illegal"."""
        self.connections: list[Counter[str]] = [Counter() for _ in range(seats)]
        """Per seat: how often its agent was "reconnected", how many newcomers were "refused"."""

    def reply_faulted(self, fault: ReplyFault) -> None:
        """Count one."""
        self.faults[fault.line.seat][f"{fault.outcome.value}: {fault.reason}"] += 1

    def seat_reconnected(self, seat: int, hand_id: int) -> None:
        """Count one."""
        self.connections[seat]["reconnected"] += 1

    def newcomer_refused(self, seat: int, reason: str) -> None:
        """Count one."""
        self.connections[seat]["refused"] += 1
