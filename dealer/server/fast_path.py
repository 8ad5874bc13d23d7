"""Whole hands played elsewhere than in `dealer.server.match`: the interface that a match needs.

Before each hand the match asks whether it is played on the fast path.  If so it waits until the
fast path ends by itself or the match needs it to, and continues from there.  The only one is the
fast lane (`dealer.server.fast_lane`).
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from dealer.server.seat import Seat
from dealer.server.time_limits import TimeAccounts


class VisitEnd(NamedTuple):
    """What the match still has to do where a visit to the fast path has ended."""

    sent: int
    """The state was sent to so many seats, in seat order; -1: to none, and the hand, should it be
    over, is not settled."""
    done: int = 0
    """Bytes of it that the next seat has been sent."""
    asked_at: float | None = None
    """When everybody had the state, seconds of the monotonic clock; None before that."""
    asked_at_wall: float = 0.0
    """The same, seconds of the wall clock."""


class FastPath(Protocol):
    """Plays hands of one match; table, accounts and connections are its own meanwhile."""

    @property
    def playing(self) -> bool:
        """Whether it plays, or has ended and waits to be brought back."""

    def takes(self, seats: Sequence[Seat]) -> bool:
        """Return whether it plays the hand on the table, of which nothing was shown."""

    def enter(
        self, seats: Sequence[Seat], accounts: TimeAccounts, left: Callable[[], None]
    ) -> None:
        """Play this hand and those after it; call `left` on the event loop when that has ended."""

    def bring_back(self, seats: Sequence[Seat], accounts: TimeAccounts) -> VisitEnd:
        """End at once, with table, accounts and connections as they then stand.

        Observers of whole hands have been told of all that were settled.

        Raises:
            MatchStopped: the match cannot go on.
        """
