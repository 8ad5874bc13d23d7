"""What becomes of each line an agent sends: accepted, corrected, ignored, forfeited or late.

Corrections follow the chosen way of dealing with invalid actions; everything that was not simply
accepted is warned about on stderr, counted for the summary and, like the rest, written to the
structured log when there is one.
"""

from collections import Counter
from dataclasses import dataclass

from dealer.server.endings import Ending, stopped
from dealer.server.event_log import EventLog
from dealer.server.recorder import Recorder
from engine.rules.replies import Echo, Problem, Reading
from engine.rules.state import HandState
from protocol.actions import CALL, FOLD, Action


@dataclass(frozen=True, slots=True)
class Line:
    """A line from an agent that answers, or should answer, a question."""

    seat: int
    """Seat index, 0-based."""
    name: str
    hand_id: int
    raw: bytes
    seconds: float
    """From sending the state to this line."""


class Fates:
    """Decides and reports the fate of the lines of one match."""

    def __init__(self, seats: int, invalid: str, recorder: Recorder, events: EventLog) -> None:
        """`invalid` is fix, call, fold or forfeit: what becomes of an invalid action."""
        self.counts: list[Counter[str]] = [Counter() for _ in range(seats)]
        """Per seat: how many lines met which fate other than being accepted."""
        self.reports_all = events.enabled
        """True when accepted lines are reported too."""
        self._invalid = invalid
        self._recorder = recorder
        self._events = events

    def ignore(self, line: Line, echo: Echo) -> None:
        """Drop a line that is about no state, or another one than was sent."""
        malformed = echo is Echo.MALFORMED
        self._recorder.warning(
            "bad state format in response" if malformed else "ignoring un-requested response"
        )
        self._report(line, "ignored", echo.value)

    def too_late(self, line: Line) -> None:
        """Report a line that came when the seat's time was up."""
        self._report(line, "late", "out of time")

    def accept(self, line: Line, action: Action) -> None:
        """Report an action taken as it stands."""
        self._report(line, "accepted", "", action.text)

    def correct(self, line: Line, reading: Reading, problem: Problem, state: HandState) -> Action:
        """Return the legal action that an invalid one becomes.

        Raises:
            MatchStopped: invalid actions forfeit the match.
        """
        action = self._instead(line, reading, problem, state)
        self._report(line, "corrected", problem.value, action.text)
        return action

    def _instead(self, line: Line, reading: Reading, problem: Problem, state: HandState) -> Action:
        if self._invalid == "fix":
            for words in reading.warnings:
                self._recorder.warning(words)
            return reading.action
        if self._invalid == "forfeit":
            malformed = problem is Problem.MALFORMED
            what = "an action that cannot be read" if malformed else "an illegal action"
            ending = Ending.MALFORMED if malformed else Ending.ILLEGAL
            self._report(line, "forfeited", problem.value)
            raise stopped(ending, f"seat {line.seat + 1} sent {what}", line.seat)
        folds = self._invalid == "fold" and state.can_fold
        self._recorder.warning(f"invalid action, changed to {'fold' if folds else 'call'}")
        return FOLD if folds else CALL

    def _report(self, line: Line, fate: str, reason: str, action: str = "") -> None:
        if fate != "accepted":
            self.counts[line.seat][f"{fate}: {reason}"] += 1
        if self._events.enabled:
            self._events.emit(
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
