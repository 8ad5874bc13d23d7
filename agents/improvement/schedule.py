"""When the rounds of a service begin: at a time of day, or so long after one another."""

from __future__ import annotations

import argparse
from datetime import datetime, timedelta
from datetime import time as time_of_day
from typing import Final, NamedTuple

_SECONDS_PER_HOUR: Final = 3600.0


class Daily(NamedTuple):
    """Each day at a time, local."""

    at: time_of_day

    def next_round(self, last: float, now: float) -> float:
        """Return when the next round begins, seconds since 1970; at once if that is over.

        Args:
            last: when the last one began; 0: there was none.
        """
        since = datetime.fromtimestamp(last or now).astimezone()
        begins = datetime.combine(since.date(), self.at).astimezone()
        if begins <= since:
            begins = datetime.combine(since.date() + timedelta(days=1), self.at).astimezone()
        return max(begins.timestamp(), now)


class Every(NamedTuple):
    """So many hours from one beginning to the next, the first at once."""

    hours: float

    def next_round(self, last: float, now: float) -> float:
        """Return when the next round begins, as `Daily.next_round` does."""
        return max(last + _SECONDS_PER_HOUR * self.hours, now) if last else now


Schedule = Daily | Every


def time_of_day_word(text: str) -> time_of_day:
    """Return the time of a word such as 03:30.  Raises argparse.ArgumentTypeError."""
    try:
        return datetime.strptime(text, "%H:%M").time()
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text}: want HH:MM, as 03:30") from error
