"""AIVAT of a match while it is played, and of the hands of matches that are left after the play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dealer.errors import MatchError
from dealer.legs.sit_in import SIT_IN_AIVAT_NAME
from dealer.ratings.aivat_options import words_for
from dealer.results.aivat_files import LegEstimates, MatchEstimates
from dealer.results.aivat_program import AivatFollower, estimate_beside
from dealer.results.results import MatchLogs
from engine.console.quantities import interval
from engine.estimates.winrate import win_rate_from_sums

_AT_ONCE: Final = 500
"""Match folders that one call of the program is told; command lines are of limited length."""


def estimate_matches(
    matches: Sequence[MatchLogs], words: Sequence[str], jobs: int, *, shown: bool
) -> list[MatchEstimates] | None:
    """Estimate the hands of matches of one game that are left, and return all estimates.

    One program does it, into files beside the logs, where they are kept.  None where nothing was
    played.

    Raises:
        KeyboardInterrupt: it was stopped; what it has estimated stays.
        MatchError: some hand has no estimate; the message says why.
    """
    played = [match for match in matches if match.hands]
    if not played:
        return None
    for first in range(0, len(played), _AT_ONCE):
        folders = [match.folder for match in played[first : first + _AT_ONCE]]
        estimate_beside(folders, played[0].game_file, words, jobs, shown=shown)
    found = [MatchEstimates(match.logs) for match in matches]
    for estimates in found:
        estimates.read_all()
    return found


class LiveAivat:
    """Estimates the hands of a match while it is played, and those that are left after it."""

    def __init__(self, logs: MatchLogs, words: Sequence[str]) -> None:
        self._logs = logs
        self._words = words
        self._estimates = MatchEstimates(logs.logs)
        self._follower: AivatFollower | None = None

    def start(self) -> None:
        """Begin to follow the logs."""
        logs = self._logs
        self._follower = AivatFollower([logs.folder], logs.game_file, self._words)

    def stop(self) -> None:
        """Let the program write what it has begun, and end."""
        follower, self._follower = self._follower, None
        if follower is not None:
            follower.stop()

    def standing(self) -> str:
        """Return the win rate of the first bot over the hands estimated so far, in words.

        Where the program has ended by itself, or its files cannot be read, why.
        """
        if self._follower is not None and (trouble := self._follower.trouble()):
            return trouble
        try:
            self._estimates.read_new()
        except MatchError as error:
            return str(error)
        chips = [one[~np.isnan(one[:, 0]), 0] for one in self._estimates.chips]
        count = sum(map(len, chips))
        if not count:
            return "AIVAT: no hand yet"
        total, squares = sum(one.sum() for one in chips), sum(one @ one for one in chips)
        rate = win_rate_from_sums(count, total, squares, self._logs.game.big_blind)
        return f"AIVAT {interval(rate.mbb_per_hand, rate.ci95)} of {count:,}"

    def estimates(self, jobs: int, *, shown: bool) -> list[NDArray[np.float64]] | None:
        """Estimate the hands that are left, and return the estimates of each leg, (H, B) chips.

        None where nothing was played.

        Raises:
            MatchError: it cannot; the message says why.
        """
        self.stop()
        found = estimate_matches([self._logs], self._words, jobs, shown=shown)
        if found is None:
            return None
        (self._estimates,) = found
        return self._estimates.chips

    def seat_estimates(self, jobs: int, *, shown: bool) -> LegEstimates | None:
        """Estimate the hands of the log in which the first bot sits in, as many as were played.

        None where nobody sits in, or nothing was played.

        Raises:
            MatchError: it cannot, as where the log hides cards; the message says why.
        """
        seat = self._logs.seat
        if seat is None or not self._logs.hands:
            return None
        seat.read_new()
        hands = max(int(np.flatnonzero(log.played).max(initial=-1)) for log in self._logs.logs) + 1
        words = [*words_for(self._words, seat.names), "--most", str(hands)]
        estimate_beside([seat.path], self._logs.game_file, words, jobs, shown=shown)
        found = LegEstimates(seat)
        found.read_new()
        if np.isnan(found.chips[:hands]).any():
            raise MatchError(f"no AIVAT: {SIT_IN_AIVAT_NAME} is not of these hands")
        return found

    def facts(self) -> dict[str, Any]:
        """Return which value function, and whose strategies were known."""
        return self._estimates.facts
