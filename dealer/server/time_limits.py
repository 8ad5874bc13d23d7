"""Time limits, what each seat has used of them, and the wait for the seat that is to act.

All times are seconds; `math.inf` is no limit.  A turn is charged once, when its answer is accepted:
from the moment the state was sent to the moment the answer's line was complete.

An event loop's timer costs a heap operation to set and another to cancel.  A `Deadline` is moved at
every message, on a timer that is not: it rings at the earliest deadline it was set for, reads the
deadline of that moment and sets itself anew.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dealer.plan.match_plan import MatchLimits
from dealer.server.clock import Clock, Timer


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """How long a seat may take."""

    response: float
    """One response."""
    hand: float
    """All responses of one hand together."""
    match: float
    """All responses of the match together."""

    @classmethod
    def of(cls, limits: MatchLimits, hands: int) -> "TimeLimits":
        """Return the limits of a match; `t_per_hand` times `hands` is the match's budget."""
        match = to_seconds(limits.t_per_hand * hands)
        return cls(to_seconds(limits.t_response), to_seconds(limits.t_hand), match)


def to_seconds(milliseconds: int) -> float:
    """Return a limit in seconds; `math.inf` for a negative one."""
    return milliseconds / 1000 if milliseconds >= 0 else math.inf


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """What a match needs to know beside its table and its seats."""

    hands: int
    limits: tuple[TimeLimits, ...]
    """Of each seat."""
    invalid: str = "fix"
    """What becomes of an unreadable or illegal action: fix, call, fold or forfeit."""
    reconnect_s: float = 0.0
    """Seconds a lost seat may stay away; 0: not at all."""


class TimeAccounts:
    """Seconds used by each seat in the current hand and in the match."""

    __slots__ = ("_limits", "hand", "match")

    def __init__(self, limits: Sequence[TimeLimits]) -> None:
        self._limits = tuple(limits)
        self.hand = [0.0] * len(limits)
        self.match = [0.0] * len(limits)

    def new_hand(self) -> None:
        """Start the hand's accounts afresh."""
        self.hand = [0.0] * len(self.hand)

    def allows(self, seat: int, seconds: float) -> bool:
        """Return whether `seat` may take `seconds` for one turn; exactly the limit is allowed."""
        return seconds <= self._limits[seat].response and seconds <= self.seconds_left(seat)

    def charge(self, seat: int, seconds: float) -> bool:
        """Add a turn's time if the limits allow it; return whether they do.

        A clock that stepped back costs nothing.
        """
        limits = self._limits[seat]
        hand = self.hand[seat] + seconds
        match = self.match[seat] + seconds
        if seconds > limits.response or hand > limits.hand or match > limits.match:
            return False
        if seconds > 0:
            self.hand[seat] = hand
            self.match[seat] = match
        return True

    def seconds_left(self, seat: int) -> float:
        """Return the seconds `seat` has left in this hand and this match."""
        limits = self._limits[seat]
        return min(limits.hand - self.hand[seat], limits.match - self.match[seat])

    def scarcer(self, seat: int) -> str:
        """Return the option whose limit `left` comes from."""
        limits = self._limits[seat]
        hand, match = limits.hand - self.hand[seat], limits.match - self.match[seat]
        return "--t_hand" if hand <= match else "--t_per_hand"


class Deadline:
    """Calls back once when the deadline last given has passed."""

    __slots__ = ("_at", "_clock", "_expired", "_rings_at", "_timer")

    def __init__(self, clock: Clock, expired: Callable[[], None]) -> None:
        self._clock = clock
        self._expired = expired
        self._at = math.inf
        self._rings_at = math.inf
        self._timer: Timer | None = None

    @property
    def at(self) -> float:
        """The deadline, seconds of the monotonic clock; `math.inf` for none."""
        return self._at

    def set(self, when: float) -> None:
        """Move the deadline to `when`, seconds of the monotonic clock; `math.inf` is never."""
        self._at = when
        if when < self._rings_at:
            self._start_timer()

    def cancel(self) -> None:
        """Forget the deadline."""
        self._at = self._rings_at = math.inf
        if self._timer is not None:
            self._timer.cancel()

    def _start_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._rings_at = self._at
        self._timer = self._clock.call_at(self._at, self._ring)

    def _ring(self) -> None:
        self._rings_at = math.inf
        if self._clock.monotonic() >= self._at:
            self._at = math.inf
            self._expired()
        elif not math.isinf(self._at):
            self._start_timer()


class Turn:
    """The wait for a seat's answer; it restarts when a state is sent or a line was no answer.

    Times are seconds of the monotonic clock.
    """

    __slots__ = (
        "_accounts",
        "_deadline",
        "_limit",
        "_limits",
        "_monotonic",
        "_waiting_since",
        "on_budget",
        "received_at",
        "sent_at",
    )

    def __init__(
        self,
        clock: Clock,
        limits: Sequence[TimeLimits],
        accounts: TimeAccounts,
        expired: Callable[[], None],
    ) -> None:
        """`limits` are those of each seat; `expired` is called when the time is up."""
        self._monotonic = clock.monotonic
        self._accounts = accounts
        self._limits = [seat_limits.response for seat_limits in limits]
        self._limit = self._limits[0]
        self._deadline = Deadline(clock, expired)
        self._waiting_since = 0.0
        self.sent_at = 0.0
        """From here on the seat is charged."""
        self.received_at = 0.0
        """When its last line was complete."""
        self.on_budget = False
        """True when the wait ends with the seat's time in this hand or match."""

    @property
    def seconds(self) -> float:
        """What the last line has taken the seat."""
        return self.received_at - self.sent_at

    @property
    def until(self) -> float:
        """When the wait ends."""
        return self._deadline.at

    def limit(self, seat: int) -> str:
        """Return the option that ends the wait for `seat`."""
        return self._accounts.scarcer(seat) if self.on_budget else "--t_response"

    def begin(self, seat: int, slow: Sequence[int] = (), at: float | None = None) -> None:
        """Start charging `seat` from `at`, None: now, for a state that has been sent, and wait for
        it.

        While other seats are slow to read what they are sent, they are waited for instead.
        """
        now = self._monotonic() if at is None else at
        self.sent_at = self._waiting_since = now
        self.on_budget = False
        limits = self._limits
        self._limit = limit = max([limits[index] for index in slow]) if slow else limits[seat]
        self._deadline.set(now + limit)

    def wait_again(self, seat: int) -> None:
        """After a line that was no answer: a new wait, but no longer than the seat has time."""
        now = self._waiting_since = self._monotonic()
        self._limit = self._limits[seat]
        response = now + self._limit
        budget = self.sent_at + self._accounts.seconds_left(seat)
        self.on_budget = budget < response
        self._deadline.set(min(response, budget))

    def end(self) -> None:
        """Wait for nothing more."""
        self._deadline.cancel()

    def waited(self) -> str:
        """Return the dealer's words for a wait without an answer."""
        seconds = self._monotonic() - self._waiting_since
        limit = -0.0 if math.isinf(self._limit) else self._limit
        return f"{seconds:.1f} seconds spent waiting; timeout {limit:.1f}"
