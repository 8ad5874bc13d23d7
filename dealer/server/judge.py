"""What becomes of each line an agent sends: accepted, corrected, ignored, forfeited or late.

Corrections follow the chosen way of dealing with invalid actions.  The observers are told of every
line, so that nothing is put right in silence.
"""

from dealer.server.endings import Ending, stopped
from dealer.server.observers import AgentLine, FaultOutcome, Observers, ReplyFault
from engine.rules.replies import Echo, Problem, ReplyVerdict
from engine.rules.state import HandState
from protocol.actions import CALL, FOLD, Action


class ReplyJudge:
    """Decides what becomes of the lines of one match, and tells the observers."""

    def __init__(self, invalid: str, observers: Observers) -> None:
        """`invalid` is fix, call, fold or forfeit: what becomes of an invalid action."""
        self._invalid = invalid
        self._observers = observers
        self.reports_accepted = bool(observers.reply_accepted)
        """True when somebody wants to hear of accepted replies too."""

    def accept(self, line: AgentLine, action: Action) -> None:
        """Report an action taken as it stands."""
        for tell in self._observers.reply_accepted:
            tell(line, action)

    def ignore(self, line: AgentLine, echo: Echo) -> None:
        """Drop a line that is about no state, or another one than was sent."""
        malformed = echo is Echo.MALFORMED
        words = "bad state format in response" if malformed else "ignoring un-requested response"
        self._report(ReplyFault(line, FaultOutcome.IGNORED, echo.value, warnings=(words,)))

    def too_late(self, line: AgentLine) -> None:
        """Report a line that came when the seat's time was up."""
        self._report(ReplyFault(line, FaultOutcome.LATE, "out of time"))

    def correct(
        self, line: AgentLine, verdict: ReplyVerdict, problem: Problem, state: HandState
    ) -> Action:
        """Return the legal action that an invalid one becomes.

        Raises:
            MatchStopped: invalid actions forfeit the match.
        """
        if self._invalid == "forfeit":
            self._report(ReplyFault(line, FaultOutcome.FORFEITED, problem.value))
            malformed = problem is Problem.MALFORMED
            what = "an action that cannot be read" if malformed else "an illegal action"
            ending = Ending.MALFORMED if malformed else Ending.ILLEGAL
            raise stopped(ending, f"seat {line.seat + 1} sent {what}", line.seat)
        if self._invalid == "fix":
            action, warnings = verdict.action, verdict.warnings
        else:
            folds = self._invalid == "fold" and state.can_fold
            action = FOLD if folds else CALL
            warnings = (f"invalid action, changed to {'fold' if folds else 'call'}",)
        self._report(ReplyFault(line, FaultOutcome.CORRECTED, problem.value, action, warnings))
        return action

    def _report(self, fault: ReplyFault) -> None:
        for tell in self._observers.reply_faulted:
            tell(fault)
