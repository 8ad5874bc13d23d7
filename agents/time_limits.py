"""The dealer's time limits as a bot is told them: what it has left, answer by answer.

Only the bot's own side is measured, from the arrival of the bytes that ask it to its answer.  The
dealer counts the way there and back too: `TimeBudget.seconds` says what that means for a bot.

Rather too much is counted than too little.  Bytes that lay there already when the session looked
for them count as if they had come right after the ones before them, or after the last answer, and
so does the first state after a lost connection.  A question that is asked again is as old as it
was.  (A program that was started anew knows nothing of the time before.)
"""

from __future__ import annotations

from math import inf
from typing import Final, NamedTuple

from engine.play.budget import TimeBudget


class AnswerLimits(NamedTuple):
    """What the dealer allows, as far as the bot was told; seconds."""

    response: float = inf
    """One answer."""
    hand: float = inf
    """All answers of one hand together."""
    per_hand: float = inf
    """All answers of the match together, on average over its hands."""


NO_LIMITS: Final = AnswerLimits()


class TimeUsed:
    """What a bot has used of its limits."""

    def __init__(self, limits: AnswerLimits) -> None:
        self._limits = limits
        self._hands = 0
        self._in_hand = 0.0
        self._in_match = 0.0
        self._last = 0.0

    def new_hand(self) -> None:
        """Note that a hand begins."""
        self._hands += 1
        self._in_hand = 0.0

    def add(self, seconds: float) -> None:
        """Count the time of an answer."""
        self._in_hand += seconds
        self._in_match += seconds
        self._last = seconds

    @property
    def last(self) -> float:
        """Seconds of the last answer, 0 before the first."""
        return self._last

    def take_back(self) -> None:
        """Count the last answer no more: its question is open again."""
        self.add(-self._last)

    def budget(self, waited: float = 0.0) -> TimeBudget:
        """Return what is left in this hand.

        Args:
            waited: seconds since the bot was asked, not yet counted.
        """
        limits = self._limits
        hand = max(limits.hand - self._in_hand - waited, 0.0)
        match = max(limits.per_hand * self._hands - self._in_match - waited, 0.0)
        return TimeBudget(min(max(limits.response - waited, 0.0), hand, match), hand, match)
