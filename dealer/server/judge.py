"""What becomes of each line an agent sends: accepted, corrected, ignored, forfeited or late.

Corrections follow the chosen way of dealing with invalid actions.  The observers are told of every
line, so that every correction is recorded.
"""

from dealer.server.endings import Ending, MatchStopped, error_ending, out_of_time
from dealer.server.observers import AgentLine, FaultOutcome, Observers, ReplyFault
from dealer.server.table import Table
from dealer.server.time_limits import TimeAccounts
from engine.rules.replies import Echo, Problem, ReplyVerdict, read_action, split_reply, unreadable
from protocol.actions import CALL, FOLD, Action
from protocol.events import OtherLine


class ReplyJudge:
    """Decides what becomes of the lines of one match, charges their time, tells the observers.

    Lines are those of the seat to act, a seat index; `seconds` is what it took for one.
    """

    def __init__(
        self, invalid: str, table: Table, accounts: TimeAccounts, observers: Observers
    ) -> None:
        """`invalid` (fix, call, fold or forfeit) says what becomes of an invalid action."""
        self._invalid = invalid
        self._table = table
        self._accounts = accounts
        self._observers = observers

    def read_other(self, seat: int, line: OtherLine, seconds: float) -> ReplyVerdict | None:
        """Read a line that is no exact echo of the state; None: it is no reply, and ignored.

        Raises:
            MatchStopped: it is no reply, and the seat's time is up.
        """
        table = self._table
        state, deal = table.state, table.deal
        echo, action = split_reply(line.text, state, table.hand_id, state.actor, deal)
        if echo is Echo.SAME:
            return unreadable() if action is None else read_action(state, action)
        if not self._accounts.allows(seat, seconds):
            raise self._too_late(seat, line.raw, seconds)
        malformed = echo is Echo.MALFORMED
        warning = "bad state format in response" if malformed else "ignoring un-requested response"
        said = self._line(seat, line.raw, seconds)
        self._report(ReplyFault(said, FaultOutcome.IGNORED, echo.value, warnings=(warning,)))
        return None

    def take(self, seat: int, raw: bytes, verdict: ReplyVerdict, seconds: float) -> Action:
        """Charge a seat for a reply, and return the legal action that is taken for it.

        Raises:
            MatchStopped: the seat's time is up, or invalid actions forfeit the match.
        """
        if not self._accounts.charge(seat, seconds):
            raise self._too_late(seat, raw, seconds)
        action, problem, _ = verdict
        if problem is not None:
            return self._correct(self._line(seat, raw, seconds), verdict, problem)
        if self._observers.reply_accepted:
            line = self._line(seat, raw, seconds)
            for tell in self._observers.reply_accepted:
                tell(line, action)
        return action

    def _correct(self, line: AgentLine, verdict: ReplyVerdict, problem: Problem) -> Action:
        """Return the legal action that an invalid one becomes."""
        if self._invalid == "forfeit":
            self._report(ReplyFault(line, FaultOutcome.FORFEITED, problem.value))
            malformed = problem is Problem.MALFORMED
            what = "an action that cannot be read" if malformed else "an illegal action"
            ending = Ending.MALFORMED if malformed else Ending.ILLEGAL
            raise error_ending(ending, f"seat {line.seat + 1} sent {what}", line.seat)
        if self._invalid == "fix":
            action, warnings = verdict.action, verdict.warnings
        else:
            folds = self._invalid == "fold" and self._table.state.can_fold
            action = FOLD if folds else CALL
            warnings = (f"invalid action, changed to {'fold' if folds else 'call'}",)
        self._report(ReplyFault(line, FaultOutcome.CORRECTED, problem.value, action, warnings))
        return action

    def _too_late(self, seat: int, raw: bytes, seconds: float) -> MatchStopped:
        line = self._line(seat, raw, seconds)
        self._report(ReplyFault(line, FaultOutcome.LATE, "out of time"))
        return out_of_time(seat)

    def _line(self, seat: int, raw: bytes, seconds: float) -> AgentLine:
        return AgentLine(seat, self._table.names[seat], self._table.hand_id, raw, seconds)

    def _report(self, fault: ReplyFault) -> None:
        for tell in self._observers.reply_faulted:
            tell(fault)
