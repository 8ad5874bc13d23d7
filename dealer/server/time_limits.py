"""Time limits and what each seat has used of them.  Pure: the caller brings the time.

All times are seconds; `math.inf` is no limit.  A turn is charged once, when its answer is accepted:
from the moment the state was sent to the moment the answer's line was complete.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dealer.plan.match_plan import MatchLimits


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
        return seconds <= self._limits[seat].response and seconds <= self.left(seat)

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

    def left(self, seat: int) -> float:
        """Return the seconds `seat` has left in this hand and this match."""
        limits = self._limits[seat]
        return min(limits.hand - self.hand[seat], limits.match - self.match[seat])

    def scarcer(self, seat: int) -> str:
        """Return the option whose limit `left` comes from."""
        limits = self._limits[seat]
        hand, match = limits.hand - self.hand[seat], limits.match - self.match[seat]
        return "--t_hand" if hand <= match else "--t_per_hand"
