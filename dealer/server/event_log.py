"""The structured log: one JSON object a line, written only when asked for.

Event names are constants, everything else is a field:

    connected, lost, reconnected
    reply        what became of every line an agent sent, comments left out
    not_shown    so many of a seat's lines were ignored that the next ones are left out
    hand_over
    refused      a newcomer who may not take a seat
    waiting
    match_over   at the end, whatever it is
"""

import contextlib
from collections import Counter
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import structlog
from structlog.typing import EventDict

from dealer.server.clock import Clock
from dealer.server.endings import Ending, MatchEnd, error_ending
from dealer.server.observers import AgentLine, FaultOutcome, HandClosed, MatchObserver, ReplyFault
from dealer.server.recorder import MOST_IGNORED_TOLD
from protocol.actions import Action


class EventLog(MatchObserver):
    """A structured log file."""

    required = True

    def __init__(self, path: Path, clock: Clock) -> None:
        """Open the file for appending; events carry the wall time of `clock`.

        Raises:
            MatchStopped: the file cannot be opened.
        """
        try:
            self._file = path.open("a", encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            message = f"could not open event file {path}: {error.strerror}"
            raise error_ending(Ending.ERROR, message) from error
        self._ignored: Counter[int] = Counter()
        self._refused: Counter[int] = Counter()
        self._logger = structlog.wrap_logger(
            structlog.WriteLogger(self._file),
            processors=[
                partial(_stamp, clock),
                structlog.processors.JSONRenderer(),
            ],
        )

    def close(self) -> None:
        """Flush and close."""
        with contextlib.suppress(OSError):
            self._file.close()

    def seat_connected(self, seat: int) -> None:
        """Write `connected`."""
        self._emit("connected", seat=seat + 1)

    def still_waiting(self, what: str) -> None:
        """Write `waiting`."""
        self._emit("waiting", what=what)

    def reply_accepted(self, line: AgentLine, action: Action) -> None:
        """Write `reply`."""
        self._reply(line, "accepted", "", action.text)

    def reply_faulted(self, fault: ReplyFault) -> None:
        """Write `reply`, or nothing where too many of a seat's lines were no answers."""
        seat = fault.line.seat
        if fault.outcome is FaultOutcome.IGNORED:
            self._ignored[seat] += 1
            if self._ignored[seat] == MOST_IGNORED_TOLD:
                self._emit("not_shown", seat=seat + 1, hand=fault.line.hand_id)
            if self._ignored[seat] >= MOST_IGNORED_TOLD:
                return
        action = "" if fault.action is None else fault.action.text
        self._reply(fault.line, fault.outcome.value, fault.reason, action)

    def hand_closed(self, hand: HandClosed) -> None:
        """Write `hand_over`."""
        self._emit("hand_over", hand=hand.hand_id, totals=list(hand.totals))

    def seat_lost(self, seat: int, hand_id: int) -> None:
        """Write `lost`."""
        self._emit("lost", seat=seat + 1, hand=hand_id)

    def seat_reconnected(self, seat: int, hand_id: int) -> None:
        """Write `reconnected`."""
        self._emit("reconnected", seat=seat + 1, hand=hand_id)

    def newcomer_refused(self, seat: int, reason: str) -> None:
        """Write `refused`, for a limited number of newcomers."""
        self._refused[seat] += 1
        if self._refused[seat] > MOST_IGNORED_TOLD:
            return
        self._emit("refused", seat=seat + 1, reason=reason)

    def match_over(self, end: MatchEnd) -> None:
        """Write `match_over`."""
        self._emit("match_over", ending=end.ending.value, detail=end.detail)

    def _reply(self, line: AgentLine, fate: str, reason: str, action: str) -> None:
        self._emit(
            "reply",
            seat=line.seat + 1,
            name=line.name,
            hand=line.hand_id,
            fate=fate,
            reason=reason,
            action=action,
            line=line.raw[:200].decode("utf-8", "backslashreplace").rstrip("\r\n"),
            seconds=round(line.seconds, 6),
        )

    def _emit(self, event: str, **fields: object) -> None:
        """Write one event.  Raises MatchStopped when the disk refuses."""
        try:
            self._logger.info(event, **fields)
        except OSError as error:
            message = f"could not write event file: {error.strerror}"
            raise error_ending(Ending.ERROR, message) from error


def _stamp(clock: Clock, _logger: object, _method: str, event: EventDict) -> EventDict:
    """Add the time to an event, as ISO 8601 in UTC (a structlog processor)."""
    event["timestamp"] = (
        datetime.fromtimestamp(clock.wall(), UTC).isoformat().replace("+00:00", "Z")
    )
    return event
