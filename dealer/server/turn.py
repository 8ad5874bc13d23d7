"""The time of the seat that is to act: from when it is charged, and how long it is waited for."""

from collections.abc import Callable, Sequence
from math import isinf

from dealer.server.clock import Clock
from dealer.server.deadline import Deadline
from dealer.server.time_limits import TimeAccounts, TimeLimits


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
        self._limits = [one.response for one in limits]
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
        self._limit = limit = max([limits[one] for one in slow]) if slow else limits[seat]
        self._deadline.set(now + limit)

    def wait_again(self, seat: int) -> None:
        """After a line that was no answer: a new wait, but no longer than the seat has time."""
        now = self._waiting_since = self._monotonic()
        self._limit = self._limits[seat]
        response = now + self._limit
        budget = self.sent_at + self._accounts.left(seat)
        self.on_budget = budget < response
        self._deadline.set(min(response, budget))

    def end(self) -> None:
        """Wait for nothing more."""
        self._deadline.cancel()

    def waited(self) -> str:
        """Return the dealer's words for a wait without an answer."""
        seconds = self._monotonic() - self._waiting_since
        limit = -0.0 if isinf(self._limit) else self._limit
        return f"{seconds:.1f} seconds spent waiting; timeout {limit:.1f}"
