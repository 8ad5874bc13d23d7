"""The observers of a match: the log, stderr, spectators, and others to come.

An observer derives from `MatchObserver` and overrides the methods of the events it needs; an event
that nobody overrides costs nothing.  All are called in the order they were given in, from the event
loop, and must return at once: slow work goes into a bounded queue of the observer's own.

An observer of single steps, from `hand_started` to `hand_closed`, keeps the match out of the fast
lane.  One of whole hands (`hand_played`) does not; it is told of the same hands in the same order,
but up to a fifth of a second late.

An exception of a `required` observer ends the match: a match whose log cannot be written must not
continue.  Any other observer that raises is told nothing more, the rest learn of it by
`observer_failed`, and the match continues.

Observers see everything, hole cards of the open hand included (`HandStart.deal`); what they show
to others goes through `engine.rules.view`.
"""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import ClassVar, Concatenate, NamedTuple, ParamSpec

from dealer.server.clock import Clock
from dealer.server.endings import MatchEnd
from dealer.server.time_limits import TimeLimits
from engine.rules.dealing import Deal
from engine.rules.state import HandState
from protocol.actions import Action
from protocol.gamedef import GameDef
from protocol.handlog import HandRecord
from protocol.handshake import Version


class MatchStart(NamedTuple):
    """Everybody is seated."""

    match: str
    """The match's name."""
    game: GameDef
    names: tuple[str, ...]
    """One per seat."""
    hands: int
    """How many are to be played, those of a match that is resumed included."""
    limits: tuple[TimeLimits, ...]
    """One per seat."""
    when: float
    """Wall time, seconds."""


class MatchResumed(NamedTuple):
    """What was played before has been played again, silently; it may be nothing."""

    hands: int
    """How many were finished; the next `HandStart` is of the hand after them."""
    totals: tuple[float, ...]
    """Chips won per seat in them."""
    seconds: tuple[float, ...]
    """Time used per seat, in an unfinished hand too."""


class HandStart(NamedTuple):
    """A hand is about to be shown to the seats."""

    hand_id: int
    seats: tuple[int, ...]
    """Seat index of each position."""
    deal: Deal
    """All cards, the hidden ones too."""
    state: HandState
    """After the blinds; further on when a match is resumed in mid-hand."""


class AgentLine(NamedTuple):
    """A line from an agent that answers, or should answer, a question."""

    seat: int
    """Seat index, 0-based."""
    name: str
    hand_id: int
    raw: bytes
    seconds: float
    """From sending the state to this line."""


class FaultOutcome(Enum):
    """What became of a line that could not be taken as it stood."""

    CORRECTED = "corrected"
    """Another action was taken in its place."""
    IGNORED = "ignored"
    """It is about no state, or another one than was sent."""
    FORFEITED = "forfeited"
    """It ends the match."""
    LATE = "late"
    """It came when the seat's time was up, which ends the match."""


class ReplyFault(NamedTuple):
    """A line that could not be taken as it stood."""

    line: AgentLine
    outcome: FaultOutcome
    reason: str
    action: Action | None = None
    """The action taken instead."""
    warnings: tuple[str, ...] = ()
    """The dealer's words for what it did about it."""


class AppliedAction(NamedTuple):
    """An action of a hand."""

    seat: int
    """Seat index that took it, 0-based."""
    hand_id: int
    action: Action
    state: HandState
    """After the action."""
    sent: float
    """When the question went out: wall time, seconds."""
    received: float
    """When the answer was complete: wall time, seconds."""


class HandOver(NamedTuple):
    """A hand has ended; its end is not sent yet."""

    hand_id: int
    line: str
    """For the match log, see `protocol.handlog.HandRecord`."""
    values: tuple[float, ...]
    """Chips won or lost per position; `HandStart.seats` has the positions' seats."""


class HandClosed(NamedTuple):
    """Every seat has been sent the end of a hand."""

    hand_id: int
    totals: tuple[float, ...]
    """Chips won per seat over the match so far."""
    seconds: tuple[float, ...]
    """Time used per seat over the match so far."""


class MatchObserver:
    """Observes nothing; a subclass overrides the events it needs.

    Seats are seat indices, 0-based.  Times are seconds of the wall clock, the same for all
    observers of an event.
    """

    required: ClassVar[bool] = False
    """True when a match must not continue without this observer."""

    def seat_connected(self, seat: int) -> None:
        """A seat has connected and said its version."""

    def version_unsupported(self, seat: int, version: Version) -> None:
        """A seat speaks another version of the protocol; it plays all the same."""

    def still_waiting(self, what: str) -> None:
        """The dealer has waited long for `what` before the match; called repeatedly."""

    def match_started(self, start: MatchStart) -> None:
        """Everybody is seated."""

    def match_resumed(self, resumed: MatchResumed) -> None:
        """A match that was broken off is where it was; comes right after `match_started`."""

    def hand_started(self, hand: HandStart) -> None:
        """A hand begins, or is resumed."""

    def state_sent(self, seat: int, when: float, message: bytes) -> None:
        """A message, terminator included, went to a seat."""

    def line_received(self, seat: int, when: float, raw: bytes) -> None:
        """A line was taken from a seat, whatever it is."""

    def reply_accepted(self, line: AgentLine, action: Action) -> None:
        """A reply is taken as it stands."""

    def reply_faulted(self, fault: ReplyFault) -> None:
        """A line could not be taken as it stood."""

    def action_applied(self, applied: AppliedAction) -> None:
        """An action has been applied; the seats are not shown it yet."""

    def hand_over(self, hand: HandOver) -> None:
        """A hand has ended; the seats are not shown it yet."""

    def hand_closed(self, hand: HandClosed) -> None:
        """The seats have been shown the end of a hand."""

    def hand_played(self, hand: HandRecord) -> None:
        """A hand is settled and in the log; when the seats are shown its end is left open."""

    def seat_lost(self, seat: int, hand_id: int) -> None:
        """A connection was lost; the seat may come back."""

    def seat_reconnected(self, seat: int, hand_id: int) -> None:
        """A newcomer has taken over a seat."""

    def newcomer_refused(self, seat: int, reason: str) -> None:
        """A newcomer was sent away."""

    def hands_finished(self, when: float) -> None:
        """All hands have been played."""

    def match_scored(self, line: str) -> None:
        """A match was played to its end and all seats are closed; `line` is its SCORE line."""

    def match_over(self, end: MatchEnd) -> None:
        """The match has ended, be it before it began."""

    def observer_failed(self, observer: "MatchObserver", error: Exception) -> None:
        """Another observer raised and is told nothing more."""


_Arguments = ParamSpec("_Arguments")


class Observers:
    """The observers of one match, by event: `for tell in observers.hand_over: tell(hand)`.

    Frequent events are made only if somebody observes them.
    """

    def __init__(self, observers: Sequence[MatchObserver] = ()) -> None:
        """`observers` are told in this order."""
        self._observers = tuple(observers)
        self._failed: set[int] = set()
        self.seat_connected = self._listeners(MatchObserver.seat_connected)
        self.version_unsupported = self._listeners(MatchObserver.version_unsupported)
        self.still_waiting = self._listeners(MatchObserver.still_waiting)
        self.match_started = self._listeners(MatchObserver.match_started)
        self.match_resumed = self._listeners(MatchObserver.match_resumed)
        self.hand_started = self._listeners(MatchObserver.hand_started)
        self.state_sent = self._listeners(MatchObserver.state_sent)
        self.line_received = self._listeners(MatchObserver.line_received)
        self.reply_accepted = self._listeners(MatchObserver.reply_accepted)
        self.reply_faulted = self._listeners(MatchObserver.reply_faulted)
        self.action_applied = self._listeners(MatchObserver.action_applied)
        self.hand_over = self._listeners(MatchObserver.hand_over)
        self.hand_closed = self._listeners(MatchObserver.hand_closed)
        self.hand_played = self._listeners(MatchObserver.hand_played)
        self.seat_lost = self._listeners(MatchObserver.seat_lost)
        self.seat_reconnected = self._listeners(MatchObserver.seat_reconnected)
        self.newcomer_refused = self._listeners(MatchObserver.newcomer_refused)
        self.hands_finished = self._listeners(MatchObserver.hands_finished)
        self.match_scored = self._listeners(MatchObserver.match_scored)
        self.match_over = self._listeners(MatchObserver.match_over)
        self.observer_failed = self._listeners(MatchObserver.observer_failed)

    def who_hears(self, event: str) -> tuple[MatchObserver, ...]:
        """Return the observers that hear of an event, given by the name of its method."""
        unheard = getattr(MatchObserver, event)
        return tuple(each for each in self._observers if getattr(type(each), event) is not unheard)

    def tell_sent(self, seat: int, message: bytes, clock: Clock) -> None:
        """Tell all of a message that went to a seat; its time is read once, if anybody listens."""
        if self.state_sent:
            now = clock.wall()
            for tell in self.state_sent:
                tell(seat, now, message)

    def tell_received(self, seat: int, raw: bytes, clock: Clock) -> None:
        """Tell all of a line that was taken from a seat, in the same way."""
        if self.line_received:
            now = clock.wall()
            for tell in self.line_received:
                tell(seat, now, raw)

    def tell_played(self, hand: HandRecord) -> None:
        """Tell those who hear of whole hands of one."""
        for tell in self.hand_played:
            tell(hand)

    def tell_finished(self, clock: Clock) -> None:
        """Tell all, in the same way, that all hands have been played."""
        if self.hands_finished:
            now = clock.wall()
            for tell in self.hands_finished:
                tell(now)

    def _listeners(
        self, event: Callable[Concatenate[MatchObserver, _Arguments], None]
    ) -> tuple[Callable[_Arguments, None], ...]:
        """Return what to call, in order: the methods that are not inherited unchanged."""
        name = event.__name__
        return tuple(
            getattr(observer, name) if observer.required else self._tolerant(observer, name)
            for observer in self._observers
            if getattr(type(observer), name) is not event
        )

    def _tolerant(self, observer: MatchObserver, name: str) -> Callable[_Arguments, None]:
        """Return a call of an observer's method whose first exception is caught and ends its calls.

        Observers are compared by identity: two may be equal, or not hashable.
        """
        method = getattr(observer, name)

        def tell(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> None:
            if id(observer) in self._failed:
                return
            try:
                method(*args, **kwargs)
            except Exception as error:
                self._failed.add(id(observer))
                for report in self.observer_failed:
                    report(observer, error)

        return tell
